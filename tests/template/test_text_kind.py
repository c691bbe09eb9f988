"""Recognition of templates and environments among other texts."""

from __future__ import annotations

import pytest

from heatstudio.template.environment_file import TextKind, kind_of_text

TEMPLATE, ENVIRONMENT, OTHER = TextKind
PLAYBOOK = """
- hosts: all
  tasks:
    - copy:
        content: |
          heat_template_version: 2018-08-31
          resources: {}
"""


@pytest.mark.parametrize(
    ("text", "file", "kind"),
    [
        ("heat_template_version: 2018-08-31\n", "", TEMPLATE),
        ("# a note\n\ndescription: d\n'AWSTemplateFormatVersion' : x\n", "", TEMPLATE),
        ('\ufeff {\n "HeatTemplateFormatVersion": "2012-12-12"}', "", TEMPLATE),
        ('{\n "Resources": {},\n "HeatTemplateFormatVersion": "2012-12-12"}', "", TEMPLATE),
        ("heat_template_version: 2018-08-31\nresources: {{ all }}\n", "", TEMPLATE),
        ("heat_template_verison: 2018-08-31\n", "", TEMPLATE),
        ("resources: {a: {type: OS::Heat::None}}\n", "", TEMPLATE),
        ("Resources: {a: {Type: part.yaml}}\n", "", TEMPLATE),
        (PLAYBOOK, "", OTHER),
        (PLAYBOOK.replace("hosts:", "hosts: ["), "", OTHER),
        ("conf:\n  template:\n    heat_template_version: 2014-10-16\n", "", OTHER),
        ("resources: {limits: {cpu: 1}}\n", "", OTHER),
        ("resources: {bucket: {type: 'aws:s3:Bucket'}}\n", "", OTHER),
        ("parameters: {}\n", "", ENVIRONMENT),
        ("parameters:\n", "", ENVIRONMENT),
        ("parameters: {a: {type: string}}\n", "", OTHER),
        ("parameter_defaults: {a: [}\n", "", ENVIRONMENT),
        ("", "", OTHER),
        ("", "a.env", ENVIRONMENT),
        ("# nothing\n", "a.ENV", ENVIRONMENT),
        ("parameter: {a: 1}\n", "a.env", ENVIRONMENT),
        ("heat_template_version: 2018-08-31\n", "a.env", TEMPLATE),
        ("NAME=value\n", "a.env", OTHER),
        ("NAME='a: b'\nOTHER=\"c: d\n", "a.env", OTHER),
    ],
)
def test_kind_of_text(text: str, file: str, kind: TextKind) -> None:
    assert kind_of_text(text, file) is kind

"""The pages of the codes that the reading of a text gives; those of checks stand in the checks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SYNTAX_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "yaml-syntax": """# Invalid YAML

The text breaks a rule of YAML. Heat Studio still checks the rest of the text as far as it can be read.

## Why

Heat rejects the whole template at the first syntax error.

## Example

    name: a: b         # second colon
    name: "a: b"       # valid

## How to fix it

Check the marked place and the line above: often a quote, a bracket or a space is missing or too much. YAML does not
allow tabs for indentation.
""",
        "client-syntax": """# A template that Heat's client cannot read

Heat could read the text, but python-heatclient reads it first and differently: text that starts with `{` must be
JSON, and leading spaces are removed.

## Why

`openstack stack create` fails before Heat sees the template.

## Example

    {"heat_template_version": "2021-04-16", "resources": {},}     # JSON does not allow a trailing comma

## How to fix it

Correct the JSON, or write the template as YAML, without spaces before its first line.
""",
        "duplicate-key": """# A duplicate key

A map contains the same key more than once.

## Why

Heat uses the last value and silently ignores the others.

## Example

    network: private
    network: public     # Heat uses this one

## How to fix it

Rename or delete one of the keys.
""",
        "no-version": """# A template without a version

A template must state its version, usually in the first line.

## Why

Heat rejects the template: the version determines the available functions and sections.

## Example

    heat_template_version: 2021-04-16
    resources: {}

## How to fix it

Add the line. For CloudFormation templates it is `AWSTemplateFormatVersion: 2010-09-09`.
""",
        "jinja-template": """# A Jinja template

The text contains Jinja marks such as `{% if %}` or `{{ name }}`: another program generates the template from it.

## Why

Heat can read only the generated template. Heat Studio cannot check a text with statements such as `{% if %}`. Heat
rejects a `{{ name }}` without quotes.

## Example

    {% for number in range(3) %}
      server_{{ number }}: {type: OS::Nova::Server}
    {% endfor %}

## How to fix it

Generate the template with Jinja, and open the result. Quote `{{ name }}` if it is text.
""",
        "too-deep": """# Values nested too deep

Maps and lists are nested deeper than Heat can read.

## Why

Heat fails while it reads the template.

## Example

    a: [[[[[[[[[[[[]]]]]]]]]]]]     # and so on, hundreds of times

## How to fix it

Close the open brackets, or split the value.
""",
        "too-large": """# A template that is too large

The template has more characters than Heat accepts, or its aliases expand to too many values, or an alias contains
itself.

## Why

Heat rejects templates of more than 524,288 characters (`max_template_size` in heat.conf) and expands all aliases.
Heat Studio does not check a text of more than 1,048,576 characters, the limit of a request to Heat
(`max_json_body_size`).

## Example

    a: &a [1, 2]
    b: &b [*a, *a]     # doubles with every line
    c: &c [*b, *b]

## How to fix it

Split the template into nested templates, and load long texts with `get_file`.
""",
        "control-character": """# An invalid character

The text contains an invisible character that YAML does not allow.

## Why

Heat rejects the whole template. Such characters often come from text that was copied from another program.

## Example

    name: "a\\x07b"      # allowed as an escape in double quotes

## How to fix it

Delete the character, or write it as an escape in double quotes.
""",
        "unknown-tag": """# An unknown YAML tag

A value starts with a tag such as `!Ref`. Only AWS CloudFormation has the short forms of functions.

## Why

Heat rejects the template: it accepts only the standard tags of YAML.

## Example

    value: !Ref server        # CloudFormation
    value: {Ref: server}      # Heat

## How to fix it

Write the function as a map, or quote the text if it only starts with an exclamation mark.
""",
        "complex-key": """# A list or map as a key

The key of an entry is a list or a map.

## Why

Heat rejects it: a key must be text, a number or another simple value.

## Example

    {{ name }}: a          # in YAML, braces are a map
    "{{ name }}": a        # text

## How to fix it

Quote the key if it is text.
""",
        "merge-key": """# A merge of something that is not a map

The key `<<` merges the entries of other maps into this one. Its value is not a map.

## Why

Heat rejects the template.

## Example

    <<: [*common, name]      # `name` is text
    <<: *common              # right

## How to fix it

Use a map, an alias of a map, or a list of these.
""",
        "invalid-value": """# An invalid number or date

The value looks like a number, a date or another special value of YAML, but is not a valid one.

## Why

Heat cannot read the value and rejects the whole template.

## Example

    mask: 0b_          # starts like a binary number
    mask: "0b_"        # text

## How to fix it

Put the value in quotes.
""",
        "not-a-mapping": """# A text that is not a map

A template or environment must be a map of sections. This text is a list or a single value.

## Why

Heat rejects it.

## Example

    - resources:          # a list
    resources: {}         # right

## How to fix it

Correct the lines before the first section; often a dash is too much or a colon is missing.
""",
        "empty-section": """# An empty section in an environment

A section of the environment has no content.

## Why

Heat rejects an environment with an empty section; it accepts a missing one.

## Example

    parameters:           # empty
    parameters: {}        # right

## How to fix it

Write `{}`, or delete the section.
""",
    }
)
"""By code, as Markdown."""

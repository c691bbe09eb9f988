from __future__ import annotations

import pytest

from heatstudio.template.dialect import DIALECTS, HOT_KEY, TemplateLanguage, accepted_versions, choose_dialect


def test_all_accepted_versions() -> None:
    assert len(accepted_versions(HOT_KEY)) == 17
    assert accepted_versions("HeatTemplateFormatVersion") == ["2012-12-12"]
    assert accepted_versions("AWSTemplateFormatVersion") == ["2010-09-09"]
    assert len(DIALECTS) == 13


@pytest.mark.parametrize(
    ("data", "version", "said"),
    [
        ({"heat_template_version": "rocky"}, "2018-08-31", None),
        ({"heat_template_version": "2013-05-23"}, "2013-05-23", None),
        ({"AWSTemplateFormatVersion": "2010-09-09"}, "2010-09-09", None),
        ({"HeatTemplateFormatVersion": "2012-12-12"}, "2012-12-12", None),
        ({"Resources": {}}, "2010-09-09", "Template format version not found."),
        ({"heat_template_version": 2013}, "2021-04-16", "Template version was not provided"),
        ({"heat_template_version": "rocky", "AWSTemplateFormatVersion": "x"}, "2021-04-16", "Ambiguous versions"),
        ({"heat_template_version": "stein"}, "2021-04-16", '"heat_template_version" should be one of: 2013-05-23, '),
        ({"HeatTemplateFormatVersion": "x"}, "2012-12-12", '"HeatTemplateFormatVersion" should be: 2012-12-12'),
    ],
)
def test_dialect_is_chosen_as_in_heat(data: dict[object, object], version: str, said: str | None) -> None:
    choice = choose_dialect(data)
    assert choice.dialect.version == version
    assert (said is None) == (choice.message is None)
    assert said is None or said in str(choice.message)


def test_features_of_versions() -> None:
    by_version = {dialect.version: dialect for dialect in DIALECTS}
    assert not by_version["2016-04-08"].has_conditions
    assert by_version["2016-10-14"].has_conditions
    assert "external_id" in by_version["2016-10-14"].resource_keys
    assert "tags" in by_version["2018-03-02"].parameter_keys
    assert "tags" not in by_version["2017-09-01"].parameter_keys
    assert by_version["2010-09-09"].has_conditions
    assert not by_version["2012-12-12"].has_conditions
    assert by_version["2012-12-12"].language is TemplateLanguage.CFN
    assert by_version["2012-12-12"].resources == "Resources"

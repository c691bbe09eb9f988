"""Templates formatted from plain data parse to the same data."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from heatstudio.template import parse_template, template_text

DATA = {
    "resources": {"server": {"type": "OS::Nova::Server", "properties": {"user_data": "#!/bin/sh\necho 1\n"}}},
    "parameters": {"day": {"type": "string", "default": "2014-10-16", "constraints": [{"length": {"max": 10}}]}},
    "heat_template_version": "2021-04-16",
}
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"], include_characters="\n")),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text("abc 1:#-", max_size=5), below, max_size=3),
    max_leaves=10,
)


def test_template_is_formatted_as_people_write_it() -> None:
    assert template_text(DATA) == (
        "heat_template_version: 2021-04-16\n"
        "resources:\n"
        "  server:\n"
        "    type: OS::Nova::Server\n"
        "    properties:\n"
        "      user_data: |\n"
        "        #!/bin/sh\n"
        "        echo 1\n"
        "parameters:\n"
        "  day:\n"
        "    type: string\n"
        "    default: 2014-10-16\n"
        "    constraints:\n"
        "      - length:\n"
        "          max: 10\n"
    )


@given(values)
@example("\xa0")
@example("last line\n")
def test_template_parses_to_the_same_data(value: object) -> None:
    data = {"heat_template_version": "2021-04-16", "outputs": {"one": {"value": value}}}
    assert parse_template(template_text(data)).data == data

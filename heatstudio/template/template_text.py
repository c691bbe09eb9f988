"""Conversion of plain data, such as Heat's copy of a template, to readable YAML."""

from collections.abc import Mapping

import yaml

from heatstudio.template.dialect import VERSION_KEYS

WIDTH = 120
_TIMESTAMP = "tag:yaml.org,2002:timestamp"


class _Dumper(yaml.SafeDumper):
    """A dumper with multi-line strings as blocks, indented lists, unquoted dates (strings for Heat), and no aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # The quotes keep spaces that PyYAML writes without them, such as a no-break space, which python-heatclient strips.
    style = "|" if "\n" in text else '"' if text != text.strip() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
_Dumper.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
    for first, resolvers in _Dumper.yaml_implicit_resolvers.items()
}


def template_text(data: Mapping[str, object]) -> str:
    """Return a template's JSON data as YAML, with the version first."""
    first = {key: data[key] for key in VERSION_KEYS if key in data}
    ordered = {**first, **data}
    text = yaml.dump(ordered, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
    # python-heatclient strips the text, and with it the last line break of a block.
    return text + "# End of the template\n" if "\n" in str(_last(ordered)) else text


def _last(data: object) -> object:
    """Return the scalar, or empty map or list, that ends the text."""
    while isinstance(data, (dict, list)) and data:
        data = list(data.values() if isinstance(data, dict) else data)[-1]
    return data

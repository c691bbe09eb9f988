"""Conversion of a whole template from HOT to CFN and back."""

from msgspec import Struct

from heatstudio.stack.conversion.converter import ConversionNote
from heatstudio.stack.conversion.to_cfn import ToCfn
from heatstudio.stack.conversion.to_hot import ToHot
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.template import CannotEditError, Dialect, Template, parse_template
from heatstudio.template.dialect import CFN_KEY, DIALECTS, NEWEST_HOT
from heatstudio.template.editing.writer import Writer

NEWEST_CFN = next(dialect for dialect in DIALECTS if dialect.version_key == CFN_KEY)
"""The CFN version with conditions."""


class Conversion(Struct, frozen=True):
    """A converted template."""

    text: str
    dialect: Dialect
    remarks: tuple[ConversionNote, ...] = ()
    """The constructs that were not converted, or whose meaning changed slightly."""


def convert(template: Template, knowledge: Knowledge) -> Conversion | None:
    """Return the template in the other language as YAML without comments; None if Heat cannot read it."""
    if not template.complete or template.version_message or not template.data:
        return None
    target = NEWEST_CFN if template.dialect.is_hot else NEWEST_HOT
    converter = (ToCfn if template.dialect.is_hot else ToHot)(template, target, knowledge)
    data = converter.data()
    try:
        text = _written(data, target)
    except CannotEditError:
        return None
    return Conversion(text, target, tuple(converter.remarks))


def _written(data: dict[object, object], target: Dialect) -> str:
    """Return YAML with an empty line between sections and between resources."""
    writer = Writer(parse_template(""))
    sections = []
    for name, section in data.items():
        if name == target.resources and isinstance(section, dict) and section:
            pairs = [f"  {writer.pair(str(key), value, 2)}" for key, value in section.items()]
            sections.append(f"{name}:\n" + "\n\n".join(pairs))
        else:
            sections.append(writer.pair(str(name), section, 0))
    return "\n\n".join(sections) + "\n"

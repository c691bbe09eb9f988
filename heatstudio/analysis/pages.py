"""The explanation page of each code, in `resources/pages`."""

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.text.markup import Markdown

_HOW_TO_SUPPRESS = """

## How to suppress it

    # heatstudio: ignore[{code}] why

Put the comment at the end of the line, or on its own line above it. In the project file `heatstudio.toml`,
`severity = {{{code} = "off"}}` switches the check off, and `"hint"` lowers it.
"""


@cache
def pages() -> Mapping[str, Markdown]:
    """Return the page of each code: problem, reason, example, fix, source in Heat, and suppression."""
    sources = heat_sources()
    found = {}
    for file in sorted(resource_path("pages").glob("*.md")):
        page, code = file.read_text(encoding="utf-8").strip(), file.stem
        found[code] = Markdown(page + _in_heat(sources.get(code, ())) + _HOW_TO_SUPPRESS.format(code=code).rstrip())
    return MappingProxyType(found)


def heat_sources() -> Mapping[str, tuple[str, ...]]:
    """Return the file and function in Heat that cause the problem of each code, in the release of the catalog."""
    return read_data(resource_path("pages", "heat_sources.json"), dict[str, tuple[str, ...]])


def _in_heat(sources: Sequence[str]) -> str:
    lines = [f"- `{file}`{comma}{function}" for file, comma, function in (one.partition(", ") for one in sources)]
    return "\n\n## In Heat\n\n" + ("\n".join(lines) or "Heat does not report this.")

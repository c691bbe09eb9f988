"""`python -m tests.catalog.harvest.descriptions`: prints the descriptions of the installed Heat's types as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from typing import Any

from tests.catalog.harvest.engine import start_heat


def of_schemas(schemas: Mapping[str, Any], above: str) -> Iterator[tuple[str, str]]:
    """Yield the dotted path and the description of each property or attribute."""
    for name, schema in schemas.items():
        path = above if name == "*" else f"{above}.{name}"
        yield path, schema.description or ""
        yield from of_schemas(getattr(schema, "schema", None) or {}, path)


def of_type(plugin: Any) -> dict[str, str]:
    """Return the descriptions of a type and its parts by dotted path; the path of the type itself is empty."""
    return {
        "": cleandoc(plugin.__doc__ or ""),
        **dict(of_schemas(plugin.properties_schema, "properties")),
        **dict(of_schemas(plugin.attributes_schema, "attributes")),
        **dict(of_schemas(plugin.update_policy_schema, "update_policy")),
    }


if __name__ == "__main__":
    json.dump({name: of_type(plugin) for name, plugin in start_heat()[1].items()}, sys.stdout)

"""Loading of an installed Heat's plug-ins, without a cloud, a database or a configuration file."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.catalog.harvest.protocols import ConstraintClass, PluginClass, TemplateClass

DISTRIBUTION = "openstack-heat"


class Engine(Struct, frozen=True):
    """The plug-ins that an installed Heat has registered."""

    version: str
    types: Mapping[str, PluginClass]
    aliases: Mapping[str, str]
    """The stock `environment.d`: type name or pattern to type name, pattern or template."""
    constraints: Mapping[str, ConstraintClass]
    templates: Mapping[tuple[str, str], TemplateClass]
    """By version key and version."""
    clients: Mapping[str, type]
    """The client plug-ins by name."""


def start_engine() -> Engine:
    """Load every plug-in of the installed Heat; raise ImportError if there is no Heat."""
    stock, types = start_heat()
    entries = {name: info for name, info in vars(stock.registry)["_registry"].items() if name != "resources"}
    return Engine(
        version=version(DISTRIBUTION),
        types=types,
        aliases={name: info.value for name, info in sorted(entries.items()) if name not in types},
        constraints=dict(sorted(stock.constraints.items())),
        templates=_templates(),
        clients={entry.name: entry.load() for entry in entry_points(group="heat.clients")},
    )


def _templates() -> dict[tuple[str, str], TemplateClass]:
    found: dict[tuple[str, str], TemplateClass] = {}
    for entry in sorted(entry_points(group="heat.templates"), key=lambda entry: entry.name):
        key, _, name = entry.name.partition(".")
        found[key, name] = entry.load()
    return found


def start_heat() -> tuple[Any, dict[str, Any]]:
    """Load every plug-in of the installed Heat; return its stock environment, and its resource classes by type.

    Raise ImportError if there is no Heat.
    """
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    configuration = import_module("oslo_config.cfg").CONF
    import_module("oslo_log.log")
    import_module("heat.common.config")
    configuration([], project="heat", default_config_files=[])
    configuration.set_default("environment_dir", str(Path(sys.prefix) / "etc" / "heat" / "environment.d"))
    resources = import_module("heat.engine.resources")
    resources.initialise()
    stock = resources.global_env()
    plugin = import_module("heat.engine.environment").ClassResourceInfo
    entries = sorted(vars(stock.registry)["_registry"].items())
    return stock, {name: info.value for name, info in entries if isinstance(info, plugin)}

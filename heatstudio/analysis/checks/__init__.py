"""The checks, with one module per diagnostic code: the condition, the message and the fixes."""

from importlib import import_module

from heatstudio.analysis.scope import Check
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

_CHECKS = tuple(
    found
    for code in read_data(resource_path("checks.json"), tuple[str, ...])  # in about the order in which Heat makes them
    for found in vars(import_module(f"{__name__}.{code.replace('-', '_')}")).values()
    if isinstance(found, Check)
)
TEMPLATE_CHECKS = tuple(check for check in _CHECKS if check.of_templates)
RESOURCE_CHECKS = tuple(check for check in _CHECKS if check.of_resources)

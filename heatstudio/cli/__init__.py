"""The command line, which gives scripts and CI access to the engine."""

from heatstudio.cli.command import run

__all__ = ["run"]

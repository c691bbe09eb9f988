"""The command line: the engine for scripts and CI, without the window."""

from heatstudio.cli.command import run

__all__ = ["run"]

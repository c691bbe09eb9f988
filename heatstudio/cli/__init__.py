"""The command line: the same engine for scripts and CI, without a window."""

from heatstudio.cli.command import run

__all__ = ["run"]

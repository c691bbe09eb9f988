"""Heat Studio: a desktop editor for OpenStack Heat templates."""

__version__ = "0.1.0"

"""The release and the client versions that a template is checked for."""

"""The parameters of the template as a form."""

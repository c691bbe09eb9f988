"""The evaluation of property groups for the properties of a resource."""

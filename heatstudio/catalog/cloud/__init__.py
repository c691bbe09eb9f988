"""The types and named objects of a cloud, from its services or from files."""

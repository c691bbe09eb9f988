"""The catalog of Heat: resource types with their properties and attributes, template versions, releases."""

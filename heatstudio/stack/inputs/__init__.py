"""The inputs of a template: parameters, and environments that set them and map resource types."""

"""What is given to a template: parameters, and the environments that give them values and map resource types."""

"""The only room that knows Heat's code: reads an installed Heat and writes down what it knows."""

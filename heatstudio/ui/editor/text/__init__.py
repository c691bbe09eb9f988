"""The text widget's parts: typing, folding, gutter, markers and what is painted over the text."""

"""The parts of the text widget: typing, folding, gutter, markers and painting over the text."""

"""The colors of text: lines, their states, and the highlighter of documents."""

"""Syntax highlighting: lines, their states, and the highlighter of documents."""

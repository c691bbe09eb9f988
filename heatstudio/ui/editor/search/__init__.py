"""Find and replace in the editor."""

"""The completion list, and snippets with tab stops."""

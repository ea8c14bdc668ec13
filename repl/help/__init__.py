"""Help at the prompt: guides, search, text for the terminal (workspace.md 4.2)."""

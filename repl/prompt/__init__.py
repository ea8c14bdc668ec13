"""The interactive prompt, on prompt_toolkit (workspace.md 3)."""

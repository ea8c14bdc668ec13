"""Commands of the prompt: a table, and a module for each group (workspace.md 3.12)."""

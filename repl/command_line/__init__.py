"""What the shell commands do, one module each (workspace.md 6)."""

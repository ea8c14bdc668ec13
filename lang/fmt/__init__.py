"""The formatter: canonical layout of source files (workspace.md 6.8). Pure: text in, text out."""

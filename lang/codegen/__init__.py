"""A tree to a Python code object with its link list."""

"""Text to tree: tokens, layout, units, grammar, recovery, completeness."""

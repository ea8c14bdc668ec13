"""Renames and moves: plan on a frozen state, preview, rewrite (changes.md 6 to 8)."""

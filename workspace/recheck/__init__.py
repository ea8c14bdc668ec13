"""The live re-check: what a change of the image means to code that it did not touch (types.md 6)."""

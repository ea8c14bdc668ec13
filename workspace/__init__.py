"""The live image and all that is done to it."""

"""The Beamtalk language: text to code, and what running code needs."""

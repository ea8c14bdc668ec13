"""Runs the conformance corpus against the product: `make conformance` (CONTRIBUTING.md)."""

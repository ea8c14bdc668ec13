"""The standard library: its sources, and the primitives that they are made of."""

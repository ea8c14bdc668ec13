"""Representations of the collections of the standard library.

Comes in: Python values. Guarantees: immutable to programs; the costs that Beamtalk code
assumes (growing a list linear, keyed access logarithmic); iteration never sees later
growth. Leaves: errors and messages to the primitives (`lang/stdlib/primitives`).
"""

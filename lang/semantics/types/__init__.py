"""Gradual types: what expressions are, and what is wrong with them (types.md 1-3).

`World` is what may be known, `analyse` judges one unit in it. The lattice (`lattice`, `operations`,
`compatibility`, `display`) knows no trees, `annotations` and `world` no expressions.
"""

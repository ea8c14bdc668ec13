"""The abstract syntax tree: node types in `nodes`, traversal in `walk`."""

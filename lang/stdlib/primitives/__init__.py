"""One module a class: the primitives of the standard library."""

"""The modules of the original host that portable code uses, each by functions of this one (stdlib.md 8)."""

"""The version of the product."""

from typing import Final

VERSION: Final = "0.1.0"

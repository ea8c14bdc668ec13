"""The child that runs a file against the product."""

import sys

from tests.conformance_runner.child import main
from tests.conformance_runner.product import product_driver

main(sys.argv[1:], product_driver())

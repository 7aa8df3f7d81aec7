"""`python -m tools.generate` runs the generators listed in products.py."""

import sys

from tools.generate.products import main

sys.exit(main())

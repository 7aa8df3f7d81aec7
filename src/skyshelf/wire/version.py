"""The version, in one place: the packages that are built read it here, and `./dev release` writes it."""

from typing import Final

VERSION: Final = "0.3.0"

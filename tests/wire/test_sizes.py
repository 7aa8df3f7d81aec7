"""Sizes read the same everywhere: binary, IEC units, one decimal unless whole."""

import pytest

from skyshelf.wire.sizes import format_size


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1, "1 B"),
        (512, "512 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (975_667, "952.8 KiB"),
        (2**20 - 52, "1023.9 KiB"),
        (2**20 - 51, "1.0 MiB"),
        (2**20 - 1, "1.0 MiB"),
        (2**20, "1 MiB"),
        (100 << 30, "100 GiB"),
        (3 << 39, "1.5 TiB"),
        (5 << 50, "5 PiB"),
        (2**60 - 1, "1024 PiB"),
        (2**62, "4096 PiB"),
    ],
)
def test_a_size_has_the_largest_unit_that_fits(size: int, text: str) -> None:
    assert format_size(size) == text

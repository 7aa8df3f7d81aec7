"""Ranges of a blob."""


def end_of_range(size: int, start: int, length: int | None) -> int:
    """Where the range ends; ValueError unless all of it is within the blob."""
    end = size if length is None else start + length
    if not 0 <= start <= end <= size:
        raise ValueError(f"The range from {start} to {end} is not within a blob of {size} bytes.")
    return end

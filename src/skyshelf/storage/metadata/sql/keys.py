"""Keys and digests: hex text outside, half as many bytes inside."""

raw = bytes.fromhex


def key_text(key: bytes) -> str:
    """A key as the interface writes it."""
    return key.hex().upper()


def digest_text(digest: bytes) -> str:
    """A digest as the interface writes it."""
    return digest.hex()

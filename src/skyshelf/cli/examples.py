"""Examples at the end of a command's help, where people look for them."""


def examples(*lines: str) -> str:
    """The lines as the epilog of a command; the mark in front keeps them as they are."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)

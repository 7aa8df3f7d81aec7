"""The command `skyshelf`."""


def main() -> None: ...

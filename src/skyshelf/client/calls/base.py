"""What every group of methods stands on."""

from skyshelf.client.engine import Engine


class Calls:
    """Methods of the client for one noun; they send and receive through the client's one engine."""

    _engine: Engine

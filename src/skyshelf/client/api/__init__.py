"""The methods of the client, one noun per file; AsyncClient is all of them together."""

from skyshelf.client.engine.engine import Engine

# What every group of methods stands on.


class Calls:
    """Methods of the client for one noun; they send and receive through the client's one engine."""

    _engine: Engine

"""The pool of connections, without a word about those that nobody closed.

aiohttp logs an error for a pool that ends with open connections. A program that forgot to close its client has ended
all the same, and whoever uses a command line has no use for such a line.
"""

from aiohttp import TCPConnector


class QuietConnector(TCPConnector):
    """Its sockets are closed with their objects."""

    def __del__(self, _warnings: object = None) -> None:
        """Nothing to tell."""

"""A demo account with pictures, films and documents that are made on the spot, so that one can look around."""

from skyshelf.service.demo.account import DemoAccount, fill

__all__ = ["DemoAccount", "fill"]

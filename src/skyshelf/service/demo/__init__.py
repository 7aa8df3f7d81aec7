"""A demo account with generated pictures, a film and documents, to explore the service."""

from skyshelf.service.demo.account import DemoAccount, fill

__all__ = ["DemoAccount", "fill"]

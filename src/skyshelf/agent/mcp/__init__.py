"""The third door: the tools as a Model Context Protocol server. Nothing outside of this package knows that library."""

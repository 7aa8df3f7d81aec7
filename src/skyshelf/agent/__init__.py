"""The agent bridge: sixteen tools for models, defined once and available as a library, over stdio and over MCP.

`skyshelf.agent.bridge.Bridge` is the public entry point; `Dispatcher` is its asynchronous counterpart.
"""

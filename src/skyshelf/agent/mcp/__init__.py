"""The tools as a Model Context Protocol (MCP) server. Only this package imports the MCP library."""

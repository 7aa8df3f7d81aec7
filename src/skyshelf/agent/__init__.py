"""The agent bridge: sixteen tools that a model can be trusted with, defined once and offered through several doors."""

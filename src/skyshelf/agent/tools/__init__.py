"""The tools, one module per family; `skyshelf.agent.registry` lists them in order."""

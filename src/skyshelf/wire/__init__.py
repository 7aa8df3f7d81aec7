"""The interface, defined once: models, endpoints, headers, error codes, names, keys and limits.

Import the submodule you need (`from skyshelf.wire.resources.objects import CloudObject`); the package itself
loads nothing, so a command which needs one constant does not pay for sixty models.
"""

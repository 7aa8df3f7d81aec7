"""The interface, defined once: models, endpoints, headers, error codes, names, keys and limits.

Import the submodule you need (`from skyshelf.wire.resources.objects import CloudObject`); this package itself
loads nothing, so that a command line which needs one constant does not pay for sixty models.
"""

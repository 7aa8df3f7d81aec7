"""WebDAV (RFC 4918, classes 1, 2 and 3) over the same functions that serve the interface.

A `Dialect` defines where the tree is mounted, which properties exist, and what the headers of an upload mean. Another
dialect is a subclass of it with its own prefix: everything else here works for all of them.
"""

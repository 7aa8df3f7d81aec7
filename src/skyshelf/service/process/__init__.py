"""What one process holds besides its stores: verified blobs, bytes that are arriving, pending events, settings.

The context is made of these, so nothing here knows the context.
"""

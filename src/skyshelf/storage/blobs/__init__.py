"""Bytes that survive: what the stores promise is in protocols, how they keep it in disk and object_store."""

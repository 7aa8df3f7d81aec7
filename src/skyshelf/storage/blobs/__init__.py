"""Blob stores: the contract is in protocols.py, the implementations are in disk/ and object_store/."""

"""Errors of backups. Each message is a sentence for the operator."""

from skyshelf.storage.errors import StorageError


class BackupRefused(StorageError):
    """It cannot or must not be done; nothing was changed."""


class CutDamaged(StorageError):
    """Something that a cut needs is missing, or is not what was stored."""

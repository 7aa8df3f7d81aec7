"""Translates errors of the client into those that programs expect of a file system."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from skyshelf.client import errors

_NUMBERS: Final = {
    errors.AmbiguousNameError: errno.EINVAL,
    errors.ObjectNotFoundError: errno.ENOENT,
    errors.ConflictError: errno.EEXIST,
    errors.ForbiddenError: errno.EACCES,
    errors.AuthenticationError: errno.EACCES,
    errors.QuotaExceededError: errno.ENOSPC,
    errors.ReadOnlyError: errno.EROFS,
    errors.SkyshelfError: errno.EIO,
}
"""The first that fits counts; Python makes the class of the error from its number, such as FileNotFoundError."""


@contextmanager
def as_os_errors(path: str) -> Iterator[None]:
    """Translate errors of client calls that concern a path into those of a file system."""
    try:
        yield
    except errors.NotOfferedError as error:
        raise NotImplementedError(str(error)) from error
    except errors.SkyshelfError as error:
        number = next(number for kind, number in _NUMBERS.items() if isinstance(error, kind))
        raise OSError(number, str(error), path) from error

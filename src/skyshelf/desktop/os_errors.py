"""Errors of the client as what programs expect of a file system."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from skyshelf.client.errors import (
    AmbiguousNameError,
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    NotOfferedError,
    ObjectNotFoundError,
    QuotaExceededError,
    ReadOnlyError,
    SkyshelfError,
)


@contextmanager
def as_os_errors(path: str) -> Iterator[None]:
    """Around calls of the client that concern a path."""
    try:
        yield
    except NotOfferedError as error:
        raise NotImplementedError(str(error)) from error
    except AmbiguousNameError as error:
        raise OSError(errno.EINVAL, str(error), path) from error
    except ObjectNotFoundError as error:
        raise FileNotFoundError(errno.ENOENT, str(error), path) from error
    except ConflictError as error:
        raise FileExistsError(errno.EEXIST, str(error), path) from error
    except (ForbiddenError, AuthenticationError) as error:
        raise PermissionError(errno.EACCES, str(error), path) from error
    except QuotaExceededError as error:
        raise OSError(errno.ENOSPC, str(error), path) from error
    except ReadOnlyError as error:
        raise OSError(errno.EROFS, str(error), path) from error
    except SkyshelfError as error:
        raise OSError(errno.EIO, str(error), path) from error

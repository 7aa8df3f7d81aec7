"""Beyond the interface: earlier versions of a file come back."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.objects import CloudObject
from skyshelf.wire.versions import VersionRestoreRequest

RESTORE_VERSION: Final = Endpoint(
    name="restore_version",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/versions/restore",
    summary="Makes the content of an earlier version the newest version of the file.",
    body=VersionRestoreRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(CloudObject)},
    errors=(
        errors.BAD_KEY,
        errors.FILE_EXPECTED,
        errors.OBJECT_NOT_FOUND,
        errors.VERSION_NOT_FOUND,
        errors.STORAGE_FULL,
    ),
    # What is current already stays as it is, so that asking twice makes one version.
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)

ENDPOINTS: Final = (RESTORE_VERSION,)

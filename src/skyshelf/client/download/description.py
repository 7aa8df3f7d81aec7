"""What is known about a file before its first byte is trusted: its size, its hash and its time."""

from skyshelf.client.download.integrity import ExpectedContent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.errors import InvalidRequestError, ObjectNotFoundError, UnverifiedFileError
from skyshelf.client.objects.lookup import PathResolver, not_found
from skyshelf.wire.endpoints.objects import VERSIONS
from skyshelf.wire.error_codes import FILE_EXPECTED
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.versions import FileVersion, FileVersions


async def described(
    engine: Engine, found: CloudObject | str, version: int | None = None, parent_key: str | None = None
) -> CloudObject:
    """The object with size, hash and time of the content.

    Listings have the hash, and the interface's list of versions does not: an object without one is looked up, by its
    key where the server can, in the listing of its parent where that is known, and else by a walk.
    """
    known = found if isinstance(found, CloudObject) else None
    if version is None:
        complete = known is not None and ExpectedContent.of_object(known).can_be_verified
        return known if known is not None and complete else await _looked_up(engine, found, parent_key)
    key = known.object_key if known is not None else str(found)
    listed = await _version(engine, key, version)
    if not listed.hash and listed.is_current_version:
        return await described(engine, found, None, parent_key)
    return CloudObject(
        object_key=key,
        object_name=known.object_name if known is not None else None,
        mime_type=known.mime_type if known is not None else None,
        mime_sub_type=known.mime_sub_type if known is not None else None,
        size_in_bytes=listed.size_in_bytes,
        hash=listed.hash,
        last_modified_date=listed.created_date,
    )


def refuse_unverified(expected: ExpectedContent) -> None:
    """UnverifiedFileError where nothing could prove that the right content arrived."""
    if not expected.can_be_verified:
        raise UnverifiedFileError("the server has no hash of this file, so its content cannot be verified")


async def _looked_up(engine: Engine, found: CloudObject | str, parent_key: str | None) -> CloudObject:
    try:
        (remote,) = await PathResolver(engine).objects([found], parent_key)
    except ObjectNotFoundError:
        if isinstance(found, CloudObject):
            # Not in the user's own tree: a file that somebody else put on a board.
            return found
        raise
    if remote.is_folder:
        raise InvalidRequestError(FILE_EXPECTED.message, code=FILE_EXPECTED.code)
    return remote.wire


async def _version(engine: Engine, key: str, version: int) -> FileVersion:
    listed = await engine.call(VERSIONS, FileVersions, keys={"object_key": key})
    for found in listed.obj_versions or ():
        if found.version == version:
            return found
    raise not_found(f"version {version} of the file {key}")

"""Versions: what a file has been."""

from skyshelf.service.house import Caller, House
from skyshelf.storage.metadata.files import Version
from skyshelf.wire.versions import FileVersion, FileVersions, VersionAuthor


def file_versions(house: House, caller: Caller, object_key: str) -> FileVersions:
    """The kept versions of a file that can be seen, newest first."""
    with house.metadata.read() as unit:
        unit.tree.visible(caller.account_id, object_key)
        versions = unit.files.versions(caller.account_id, object_key)
    return FileVersions(total_versions=len(versions), obj_versions=[_shown(version) for version in versions])


def _shown(version: Version) -> FileVersion:
    author = VersionAuthor(first_name=version.created_by)
    return FileVersion(
        version=version.version,
        display_version=f"V{version.version}",
        created_date=version.created_at,
        is_current_version=version.is_current,
        version_created_by=author,
        size_in_bytes=version.size,
        hash=version.md5,
        # A version never changes: who made it, and when, is who changed it last.
        last_updated_date=version.created_at,
        last_updated_by=author,
    )

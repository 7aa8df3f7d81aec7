"""Files: content that gets a name, and the versions it has had."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.media_facts import MediaFacts
from skyshelf.storage.metadata.contracts.tree import StoredObject


class NewFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it arrives: its place, its name, and the blob that is already durable."""

    object_key: str
    parent_key: str
    name: str
    sha256: str
    md5: str
    size: int
    location: str
    category: str
    mime_type: str
    mime_subtype: str
    file_created_at: int
    last_modified_at: int
    created_by: str
    source_name: str = "DRIVE"
    source_folder: str = ""
    app_code: str = ""
    taken_at: int | None = None
    taken_day: int | None = None
    needs_date: bool = False
    """Whether it waits for its capture date (contracts/undated.py), because nobody has looked for one yet."""
    facts: MediaFacts | None = None
    """Of a picture or video, as far as they are known."""
    head: bytes = b""
    """How the content begins; empty where nobody has looked at it."""
    expected_version: int | None = None
    """The version that it replaces, 0 for a file that must be new; None for whatever is there."""


class PutOutcome(msgspec.Struct, frozen=True):
    object: StoredObject
    created: bool
    location: str
    """Where the content lives now: another location than the one handed in means that ours is redundant."""


class Version(msgspec.Struct, frozen=True):
    version: int
    is_current: bool
    sha256: str
    location: str
    md5: str
    size: int
    mime_type: str
    mime_subtype: str
    created_at: int
    created_by: str
    file_created_at: int
    last_modified_at: int


class Files(Protocol):
    def put(
        self, account_id: int, file: NewFile, now: int, *, keep_versions: int, upload_key: str | None = None
    ) -> PutOutcome:
        """Give content a name: a new file, or the next version of the active file that has the name.

        One transaction does all of it: the object, the version, the reference to the blob, the counters, the
        change, and, where upload_key is given, the end of that upload and of its reservation. Versions
        beyond keep_versions go, oldest first, and free their bytes. ObjectMissing when the parent cannot
        be seen, NotAFolder when it is a file, NameTaken when a folder has the name, VersionChanged when the file
        has another version than expected, QuotaExceeded when there is no space.
        """

    def put_many(
        self, account_id: int, files: Sequence[NewFile], now: int, *, keep_versions: int
    ) -> list[PutOutcome | StorageError | None]:
        """As put, for each in order and on its own; where names are new, at a fraction of the cost.

        A refused file leaves nothing behind and does not stop the others: ObjectMissing, NotAFolder, NameTaken,
        VersionChanged or QuotaExceeded in its place. None where the active file of that name has exactly this content
        already: then nothing is written, and the caller's blob is redundant.
        """

    def put_each(
        self, account_id: int, files: Sequence[NewFile], now: int, *, keep_versions: int
    ) -> list[PutOutcome | StorageError]:
        """As put_many, for files of separate requests: one that already exists gets its next version, as by put."""

    def put_owned(self, account_id: int, file: NewFile, now: int, *, keep_versions: int) -> PutOutcome | None:
        """As put, for content of that MD5 and size that the account itself already holds; None where it does not.

        sha256 and location of the file are not read. The lookup and the put are one step under the
        account's lock, so the content cannot go in between.
        """

    def restore_version(
        self,
        account_id: int,
        object_key: str,
        number: int,
        now: int,
        *,
        keep_versions: int,
        created_by: str,
        taken: tuple[int, int] | None = None,
        needs_date: bool = False,
        facts: MediaFacts | None = None,
    ) -> StoredObject:
        """Put the content of an earlier version as the next one, without a byte being copied; the rules are put's.

        The dates of the file are those of that version; taken and facts are those of its content. What is
        current already, with its dates, stays as it is. ObjectMissing when the file cannot be seen or the version
        is gone, NotAFile for a folder.
        """

    def set_dates(
        self, account_id: int, object_key: str, now: int, *, created_at: int | None, modified_at: int | None
    ) -> StoredObject:
        """Set the dates of a visible file or folder, and of its current version; None leaves one as it is."""

    def bytes_freed_by_next_version(self, account_id: int, object_key: str, keep_versions: int) -> int:
        """How many bytes the next version of a file gives back, because old ones go."""

    def versions(self, account_id: int, object_key: str) -> list[Version]:
        """Newest first. ObjectMissing for a key that is not there, NotAFile for a folder's."""

    def version(self, account_id: int, object_key: str, number: int | None = None) -> Version:
        """One version, the current one by default; ObjectMissing where it is gone."""

    def visible_version(self, account_id: int, object_key: str) -> tuple[str, Version]:
        """The name and the current version of a visible file, in one statement; ObjectMissing, NotAFile."""

    def visible_versions(self, account_id: int, object_keys: Sequence[str]) -> dict[str, Version]:
        """The current versions, by key, of those that are files and can be seen; the others are not in it."""

    def mark_for_deletion(self, account_id: int, object_keys: Sequence[str], now: int) -> list[str]:
        """Delete trashed objects for good; they vanish at once. Returns those that were in the trash.

        Constant work per object whatever is below it. An object trashed separately inside a folder that is marked
        stays in the trash, where it has an entry. delete_batch frees the bytes.
        """

    def mark_all_for_deletion(self, account_id: int, now: int, *, trashed_up_to: int | None = None) -> None:
        """mark_for_deletion for the whole trash, or for objects trashed up to a time; constant work."""

    def accounts_with_old_trash(self, trashed_up_to: int, limit: int) -> list[int]:
        """Accounts in whose trash something is at least that old."""

    def delete_batch(self, account_id: int, limit: int, now: int, *, keep: bool = True) -> bool:
        """Remove up to limit marked objects with their versions, references and bytes; true while some are left.

        History keeps what they were, unless they are to go for good (keep=False). Each call is one small transaction,
        so others work in between and a crash loses nothing.
        """

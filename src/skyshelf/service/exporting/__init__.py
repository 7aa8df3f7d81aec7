"""The export of an account: everything that it has, in open forms.

An export consists of parts. Each is a tree of files with a list of its objects and with checksums; unpacked into one
folder, the parts are the whole account. The same tree is sent as ZIP files (to the account's owner) and
written into a folder or a bucket (by an operator):

    README.txt                       what is where, for people
    account.json                     profile, settings, devices, app passwords, passkeys: without secrets
    albums.jsonl                     albums with their files in order, members and comments
    contacts.vcf                     the address book
    links.json                       public links, without their secrets
    activity.jsonl                   what happened in the account
    files/…, trash/…                 current contents, with their dates
    versions/…/<number>.<extension>  earlier contents of files
    deep/…                           what is in folders with very long paths
    history/0001.jsonl …             changes, with the records and hashes that prove them; log.json has the signed head
    metadata/objects-0001.jsonl …    every object with everything that is known of it, one list per part
    metadata/part-0001.json …        which export the part is of
    SHA256SUMS-0001.txt …            checksums, for `sha256sum -c`

Objects are divided among parts by their keys, which no change moves. So an object is in exactly one part, whatever
happens during the export: it is as it was when the download of its part began. Parts need no state on the server.
"""

from typing import Final

import msgspec

FORMAT: Final = "skyshelf-export"
VERSION: Final = 1
FILES: Final = "files"
TRASH: Final = "trash"
VERSIONS: Final = "versions"
DEEP: Final = "deep"
ALBUMS: Final = "albums.jsonl"
CONTACTS: Final = "contacts.vcf"


def objects_name(number: int) -> str:
    """Return the name of a part's list of objects."""
    return f"metadata/objects-{number:04d}.jsonl"


def part_name(number: int) -> str:
    """Return the name of the file that says which part it is."""
    return f"metadata/part-{number:04d}.json"


def sums_name(number: int) -> str:
    """Return the name of a part's checksums."""
    return f"SHA256SUMS-{number:04d}.txt"


class _Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A line or a document of an export; times are RFC 3339."""


class PartHead(_Line, frozen=True, kw_only=True):
    """Which part of which export."""

    format: str
    version: int
    account: str
    user_id: str
    begun: str
    part: int
    parts: int


class ExportedVersion(_Line, frozen=True, kw_only=True):
    """A version of a file; the last one is the current one. Without a path its content is missing, and says why."""

    version: int
    path: str | None = None
    missing: str | None = None
    size: int = 0
    sha256: str
    created: str
    modified: str
    stored: str
    stored_by: str = ""


class ExportedObject(_Line, frozen=True, kw_only=True):
    """A file or folder; a folder has no versions."""

    key: str
    parent: str | None = None
    """The folder it is in; absent at the top."""
    is_folder: bool = False
    path: str
    """Where it is in the export."""
    place: list[str]
    """Where it was in the account: the names of the folders above it, and its own."""
    created: str
    modified: str
    taken: str | None = None
    trashed: str | None = None
    """When it was moved to the trash itself; what was below it then is in the trash with it."""
    is_in_trash: bool = False
    is_favorite: bool = False
    tags: list[str] = []
    versions: list[ExportedVersion] = []


class ExportedComment(_Line, frozen=True, kw_only=True):
    """A comment on an album, or on one of its files: its caption."""

    by: str
    is_own: bool = False
    object: str | None = None
    text: str
    written: str
    edited: str | None = None


class ExportedItem(_Line, frozen=True, kw_only=True):
    """A file of an album, in the order in which they were added; those of other people are not in the export."""

    object: str
    name: str
    by: str
    is_own: bool = False
    added: str


class ExportedMember(_Line, frozen=True, kw_only=True):
    """A member of an album."""

    name: str
    email: str
    role: str
    joined: str


class ExportedAlbum(_Line, frozen=True, kw_only=True):
    """An album that the account owns or is a member of."""

    key: str
    name: str
    description: str = ""
    role: str
    created: str
    cover: str | None = None
    items: list[ExportedItem] = []
    members: list[ExportedMember] = []
    comments: list[ExportedComment] = []

"""What an account keeps beside the bytes of its files, in the words of the storage page."""

from typing import Final

from skyshelf.cli.base.text import split_words
from skyshelf.wire.sizes import format_size

LABELS: Final = {
    "objects": "files and folders",
    "uploadBytes": "uploads in progress",
    "historyBytes": "deleted contents kept by history",
    "proofBytes": "proof of all changes ever",
    "changes": "changes in the history",
    "thumbnailBytes": "thumbnails",
    "tags": "tags",
    "taggedObjects": "tags on files and folders",
    "shares": "share links",
    "sharedObjects": "files in share links",
    "linkChanges": "changes of tags, links and albums",
    "formerRows": "deleted or edited albums, comments and contacts",
    "formerBytes": "size of deleted or edited albums, comments and contacts",
    "boards": "albums",
    "boardFiles": "files in albums",
    "comments": "comments",
    "contacts": "contacts",
    "contactBytes": "size of contacts",
    "uploads": "unfinished uploads",
    "archives": "archives",
    "locks": "WebDAV locks",
    "properties": "WebDAV properties",
    "propertyBytes": "size of WebDAV properties",
    "devices": "devices",
    "appPasswords": "app passwords",
    "delegations": "delegations",
    "passkeys": "passkeys",
    "identities": "login providers",
}
"""By the kind that the server names."""


def kept_row(kind: str, used: int, limit: int, is_bytes: bool) -> tuple[str, str]:
    """Return the words for how much of a kind an account keeps, and may keep."""
    shown = format_size if is_bytes else "{:,}".format
    # A newer server may have more kinds.
    return LABELS.get(kind) or split_words(kind), f"{shown(used)} of {shown(limit)}"

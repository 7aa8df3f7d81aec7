"""What each account may store and do at most: every table of the database, and what bounds its rows."""

from typing import NamedTuple

from skyshelf.wire import limits
from tools.generate.markdown import table

QUOTA = "`SKY4007`; WebDAV 507"
LIMIT = "`SKY4008`; WebDAV 507"
OLDEST = "the oldest makes way"


class Row(NamedTuple):
    """What an account keeps. `bound` has names of limits in braces."""

    what: str
    tables: str
    bound: str
    beyond: str


ROWS = (
    Row("files, earlier versions, trash", "versions blobs", "the quota; {VERSIONS_KEPT} versions of a file", QUOTA),
    Row(
        "uploads in progress",
        "uploads upload_parts",
        "their size counts towards the quota; {UPLOADS_OPEN_MAX} files",
        LIMIT,
    ),
    Row(
        "files and folders, with what finds and describes them",
        "objects folder_marks timeline_months undated media_facts search_entries guest_files",
        "{OBJECTS_ALWAYS}, and one for each {OBJECT_QUOTA_BYTES} bytes of the quota",
        LIMIT,
    ),
    Row(
        "contents that history keeps",
        "kept_contents",
        "{HISTORY_TIMES_QUOTA} times the quota; what is beyond counts towards the quota",
        LIMIT,
    ),
    Row(
        "changes in the history, with the objects they deleted and their proofs",
        "changes purged_objects history_leaves",
        "{CHANGES_ALWAYS}, and one for each {CHANGE_QUOTA_BYTES} bytes of the quota, up to {CHANGES_KEPT_MAX}",
        LIMIT,
    ),
    Row(
        "contents in quarantine that no history keeps",
        "quarantine",
        "of the server: 7 days, 1 TiB, and as much as the disk has above its reserve",
        "the oldest go early, of the account that deleted the most for its quota",
    ),
    Row(
        "hashes of the proof of history",
        "history_logs history_tiles",
        "{PROOF_CHANGE_BYTES} bytes for each change ever made: {PROOF_BYTES_ALWAYS} bytes and a part in"
        " {PROOF_QUOTA_SHARE} of the quota",
        LIMIT,
    ),
    Row("changes of tags, share links and albums", "link_changes", "{LINK_CHANGES_MAX}", LIMIT),
    Row(
        "albums, comments and contacts before they were deleted or edited",
        "",
        "{FORMER_MAX}, of {FORMER_BYTES_MAX} bytes together",
        LIMIT,
    ),
    Row(
        "thumbnails, and what is known of contents without one",
        "thumbnails",
        "the size of the quota and {THUMBNAIL_BYTES_ALWAYS} bytes",
        "`SKY3004`: not made",
    ),
    Row("tags", "tags object_tags", "{TAGS_MAX}, on {TAGGED_MAX} objects together", LIMIT),
    Row("share links", "shares share_objects", "{SHARES_MAX}, of {SHARED_IN_ALL_MAX} objects together", LIMIT),
    Row("albums, as owner or member", "boards board_members board_restrictions", "{BOARDS_MAX}", LIMIT),
    Row("members of an album", "", "{BOARD_MEMBERS_MAX}", LIMIT),
    Row("files on albums", "board_items", "{BOARD_ITEMS_MAX}", LIMIT),
    Row("comments", "board_comments", "{BOARD_COMMENTS_MAX}, of {COMMENT_CHARS_MAX} characters", LIMIT),
    Row(
        "invitations to an album",
        "board_invitations board_links",
        "{BOARD_INVITATIONS_MAX} by address, {BOARD_LINKS_MAX} links",
        LIMIT,
    ),
    Row("activity of an album", "board_events", "{BOARD_EVENTS_MAX}", OLDEST),
    Row("contacts", "contacts contact_emails", "{CONTACTS_MAX}, of {CONTACTS_BYTES_MAX} bytes together", LIMIT),
    Row("WebDAV locks", "locks", "{LOCKS_MAX}, each with {LOCK_OWNER_BYTES_MAX} bytes of its owner", LIMIT),
    Row(
        "WebDAV properties",
        "dead_properties",
        "{DEAD_PROPERTIES_OF_ACCOUNT_MAX}, of {DEAD_PROPERTIES_OF_ACCOUNT_BYTES_MAX} bytes together",
        LIMIT,
    ),
    Row("archives", "archives", "{ARCHIVES_MAX} for a day", OLDEST),
    Row(
        "devices and their sessions",
        "devices sessions identity_sessions",
        "{DEVICES_MAX}",
        "the one unused for longest makes way",
    ),
    Row("app passwords", "app_passwords", "{APP_PASSWORDS_MAX}", LIMIT),
    Row("delegations", "delegations", "{DELEGATIONS_MAX}", LIMIT),
    Row(
        "narrowed tokens of a delegation that have their own numbers",
        "delegation_uses",
        "{DELEGATION_NARROWED_MAX}",
        "`SKY2061`",
    ),
    Row("download nonces", "nonces", "{NONCES_MAX} of each session", OLDEST),
    Row("passkeys", "passkeys", "{PASSKEYS_MAX}", LIMIT),
    Row("identities at login providers", "identities", "{IDENTITIES_MAX}", LIMIT),
    Row(
        "second factor, password link, consent to a rewind",
        "second_factors recovery_codes password_links rewind_consents",
        "one of each",
        "it is replaced",
    ),
    Row("alarms", "alarms", "the latest 100, and one open alarm of each device", OLDEST),
    Row("rewinds", "rewinds rewind_items", "the latest 100; one at a time, 100 in 24 hours by devices", OLDEST),
    Row(
        "events of the audit trail",
        "audit_events",
        "{AUDIT_KEPT_DAYS} days; of the server {AUDIT_EVENTS_MAX}",
        "the oldest of the account with the most make way",
    ),
)

OF_SERVER = {
    "accounts": "a row for each account, which operators create",
    "account_counters": "a row for each account",
    "promotions": "operators create them",
    "banners": "operators create them",
    "settings": "one of each kind",
    "history_keys": "operators rotate them",
    "secret_generations": "operators rotate them",
    "outbox": "a job of each kind for each object, content or account",
    "damaged_contents": "a row for each content at most",
    "throttles": "forgotten when they are old; no account has them",
    "spent_tokens": "forgotten when they expire; no account has them",
}
"""Tables that do not grow by what an account does, and why."""

DOES = (
    ("entries in one batch", "BATCH_ENTRIES_MAX"),
    ("files in one multi-file upload", "UPLOADS_AT_ONCE_MAX"),
    ("files and folders that one WebDAV request copies", "WEBDAV_COPY_MAX"),
    ("files and folders in the answer to one WebDAV request", "WEBDAV_INFINITY_MAX"),
    ("entries of an archive", "ARCHIVE_ENTRIES_MAX"),
    ("open streams of changes, on each process", "CHANGE_STREAMS_PER_ACCOUNT"),
    ("files that guests send through one link in an hour", "GUEST_FILES_PER_HOUR_MAX"),
    ("points of the alarm in ten minutes, before a device is paused", "ALARM_LIMIT_DEFAULT"),
)


def sections() -> list[str]:
    """Return the part of the page of limits that is about an account."""
    values = {name: f"{value:,}" for name, value in vars(limits).items() if isinstance(value, int)}
    return [
        "## What an account may store",
        "`skyshelf account storage`, the storage page of the web client and `skyshelf admin user show` list how much of"
        " it is used.",
        table(("What", "At most", "Beyond"), ((row.what, row.bound.format_map(values), row.beyond) for row in ROWS)),
        "## What an account may do",
        table(("What", "At most"), ((what, values[name]) for what, name in DOES)),
        "How many requests of each kind an account can run at the same time: [admission.md](admission.md).",
    ]

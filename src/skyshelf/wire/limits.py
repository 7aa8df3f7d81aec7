"""Every limit, with its number and the reason for it.

The sentence below each number is its documentation; `docs/reference/limits.md` is generated from them.
They are plain integers, ready for responses and comparisons.
"""

from typing import Final

KIB: Final = 1024
"""bytes in a kibibyte; all sizes here are binary."""

MIB: Final = 1024 * KIB
"""bytes in a mebibyte."""

GIB: Final = 1024 * MIB
"""bytes in a gibibyte."""

# Listings

LISTING_LIMIT_MAX: Final = 5000
"""most objects in one page; more is refused, never clamped, because clients stop at a short page."""

LISTING_LIMIT_DEFAULT: Final = 200
"""objects in one page when the request has no `limit`."""

PAGE_INDEX_MAX: Final = 1_000_000_000
"""largest `page` index; it keeps `page` times `limit` within 64 bits on every backend."""

BOARD_LIST_LIMIT_DEFAULT: Final = 2000
"""boards in one page when the request has no `limit`; the web client's value."""

BOARD_ADDITION_MAX: Final = 50
"""most files in one `addition` to a board, the call of other people's clients."""

BOARD_DETAILS_LIMIT_DEFAULT: Final = 5000
"""objects of a board in one page when the request has no `limit`; the web client's value."""

RECENT_OBJECTS_MAX: Final = 50
"""recent objects of each kind (pictures and other files); a feed is an overview, not a listing."""

SEARCH_LIMIT_MAX: Final = 1000
"""most objects in one page of search results; each call does a bounded amount of work."""

SEARCH_LIMIT_DEFAULT: Final = 50
"""objects in one page of search results when the request has no `limit`."""

SEARCH_QUERY_CHARS_MAX: Final = 1000
"""characters in a search query; longer than any name."""

CONTENTS_KEYS_MAX: Final = 64
"""most files in one contents call; their keys fit into the URL length that proxies accept."""

CONTENTS_BYTES_MAX: Final = 4 * MIB
"""bytes of contents in one response; files that do not fit are listed without their bytes."""

CHANGES_LIMIT_DEFAULT: Final = 500
"""changes or objects in one page when the request has no `limit`."""

CHANGES_KEPT_DAYS: Final = 90
"""days for which changes are kept; a client that was away for longer starts over."""

HISTORY_KEPT_DAYS: Final = 30
"""days for which an account can look back, unless the operator or the account chooses less."""

ALARM_LIMIT_DEFAULT: Final = 1000
"""points within ten minutes at which a device is paused, unless the operator or the account chooses otherwise."""

ALARM_LIMIT_MIN: Final = 50
"""the smallest limit of points that an account can choose; 0 turns the alarm off."""

ALARM_LIMIT_MAX: Final = 1_000_000
"""the largest limit of points that an account can choose."""

ALARM_MINUTES: Final = 10
"""minutes for which a point counts."""

ALARM_SCRAMBLED_POINTS: Final = 10
"""points of a file whose content or name looks encrypted."""

ALARM_MARKED_PER_POINT: Final = 10
"""changed favourites and tags that count as one point of the alarm."""

ALARM_CALL_POINTS_MAX: Final = 100
"""objects of one batch, or of one folder, that count: deleting a large selection is not an attack."""

ALARM_LARGE_CALLS: Final = 2
"""batches of deletions within ten minutes of which only so many count; of later ones, all do."""

ALARM_FOLDER_OBJECTS_MAX: Final = 1000
"""objects in folders of one batch that are counted when the folders move to the trash."""

ALARM_DAY_FACTOR: Final = 5
"""how often the limit of ten minutes may be reached within a day, slowly."""

ALARM_ALLOWED_HOURS: Final = 24
"""hours for which a device's changes do not count after its owner has allowed it to continue."""

OPERATOR_CONSENT_HOURS: Final = 24
"""hours for which an operator may rewind an account, once, if its owner does not say how long."""
OPERATOR_CONSENT_HOURS_MAX: Final = 168
"""hours for which an owner can let an operator rewind the account."""

AUDIT_KEPT_DAYS: Final = 365
"""days for which events of the audit trail are kept, unless the operator chooses otherwise."""

AUDIT_EVENTS_MAX: Final = 1_000_000
"""most events in a server's audit trail; above that, the oldest are removed early."""

CHANGE_STREAM_SECONDS_DEFAULT: Final = 600
"""seconds after which a change stream ends when the request has no `seconds`; clients reconnect."""

CHANGE_STREAM_SECONDS_MAX: Final = 3600
"""longest duration of a change stream in seconds."""

CHANGE_STREAMS_PER_ACCOUNT: Final = 32
"""change streams that an account can have open on one server process."""

# Batches

BATCH_ENTRIES_MAX: Final = 2000
"""entries in one batch, restore or legacy delete call; each call is one transaction and must be short."""

SHARED_OBJECTS_MAX: Final = 2000
"""objects in one share link; as many as in one batch."""

SHARE_LIST_LIMIT_DEFAULT: Final = 100
"""share links in one page when the request has no `limit`."""

SHARE_LIST_LIMIT_MAX: Final = 200
"""most share links in one page; each can have two thousand objects."""

SHARE_NAMES_SHOWN: Final = 10
"""objects of a link whose names are in the list of links; the keys of all of them are."""

SHARE_DOWNLOADS_MAX: Final = 1_000_000_000
"""largest `maxDownloads` of a share link; beyond that, use no limit."""

ARCHIVE_ENTRIES_MAX: Final = 100_000
"""files and folders in a ZIP archive; its plan is held in memory while it is sent."""

# Text

NAME_BYTES_MAX: Final = 255
"""bytes of UTF-8 in an object's name; the limit of common file systems."""

FOLDER_DEPTH_MAX: Final = 100
"""folders on the way from the root to a folder, itself included; several times what people nest by hand."""

PATH_BYTES_MAX: Final = 4096
"""bytes of UTF-8 in the path of a file below the root, with a slash between names; the limit of common systems."""

FOLDER_PATH_BYTES_MAX: Final = PATH_BYTES_MAX - NAME_BYTES_MAX - 1
"""bytes of UTF-8 in the path of a folder below the root; the rest is for the name of any file in it."""

LABEL_CHARS_MAX: Final = 255
"""characters in the name of a board, a share or a device."""

DESCRIPTION_CHARS_MAX: Final = 4000
"""characters in the description of a board."""

COMMENT_CHARS_MAX: Final = 4000
"""characters in a comment on a board."""

CONTACT_FIELD_CHARS_MAX: Final = 1000
"""characters in a name, an address or a number of a contact."""

SOURCE_FOLDER_CHARS_MAX: Final = 4096
"""characters in `sourceFolder`; the longest path on phones and desktops."""

SOURCE_FOLDER_CHARS_SEARCHED: Final = 255
"""characters at the end of `sourceFolder` that a search looks at; as many as a name can have."""

SOURCE_NAME_CHARS_MAX: Final = 64
"""characters in `sourceName` and `appcode`, which are short identifiers."""

EMAIL_CHARS_MAX: Final = 254
"""characters in an email address; the longest deliverable one."""

LOGIN_CODE_CHARS_MAX: Final = 64
"""characters in a second-factor code; several times the longest one."""

PASSWORD_CHARS_MAX: Final = 1024
"""characters in a password; enough for any passphrase, and cheap to hash."""

TOKEN_CHARS_MAX: Final = 4096
"""characters in a token, JWT, nonce or upload id that a request carries."""

# Heads and bodies

HEADER_BYTES_MAX: Final = 16 * KIB
"""bytes in all header fields of a request, names and values together; what common proxies accept."""

TARGET_BYTES_MAX: Final = 16 * KIB
"""bytes in path and query of a request; a search query of full length fits, with every character encoded."""

JSON_BODY_BYTES_DEFAULT: Final = 64 * KIB
"""bytes in a JSON body with a single item; this includes login, so strangers cannot send much."""

JSON_BODY_BYTES_MAX: Final = 16 * MIB
"""bytes in a JSON body with a list of objects; enough for a full batch with long names and wide echoes."""

JSON_VALUES_MAX: Final = 400_000
"""values in a JSON body, counted by its commas; two hundred for each entry of the largest batch."""

# Uploads

CHUNK_BYTES_DEFAULT: Final = 8 * MIB
"""bytes in a chunk that clients send; large enough to amortise a round trip, small enough to resend."""

CHUNK_BYTES_MAX: Final = 64 * MIB
"""most bytes in a chunk; bounds the work of one request."""

CHUNK_BYTES_MIN: Final = 64 * KIB
"""bytes in a chunk that are always accepted; smaller ones are counted, because every chunk is a row."""

UPLOAD_PARTS_ALWAYS: Final = 200
"""chunks of one upload that may be smaller than that."""

UPLOADS_AT_ONCE_MAX: Final = 200
"""files in one multi-file upload; they are one transaction, which must be short."""

UPLOADS_AT_ONCE_BYTES_MAX: Final = 8 * MIB
"""total bytes in one multi-file upload; more saves no time and is costly to resend."""

FILE_BYTES_MAX: Final = 1024 * GIB
"""bytes in one file; reported to clients as `maxFileSize`."""

UPLOAD_LIFETIME_MS: Final = 7 * 24 * 3600 * 1000
"""milliseconds for which an unfinished upload is kept after its last chunk: seven days."""

# Rows of an account

OBJECTS_ALWAYS: Final = 20_000
"""files and folders, trashed ones included, that every account can have, whatever its quota."""

OBJECT_QUOTA_BYTES: Final = 16 * KIB
"""bytes of quota that allow one more file or folder: 6.5 million with 100 GiB."""

UPLOADS_OPEN_MAX: Final = 1000
"""unfinished uploads of an account; they end after seven days."""

HISTORY_LEAVES_MAX: Final = 500
"""leaves of an account's log in one response."""

CHANGES_KEPT_MAX: Final = 2_000_000
"""most changes kept for an account; those that its history needs are never deleted, further ones refused instead."""

CHANGES_ALWAYS: Final = 200_000
"""changes that every account can have in its history, whatever its quota."""

CHANGE_QUOTA_BYTES: Final = 4 * KIB
"""bytes of quota that allow one more change in the history, up to the most changes kept."""

PROOF_CHANGE_BYTES: Final = 33
"""bytes that the proof of history keeps of each change for good, also after the change is forgotten."""

PROOF_BYTES_ALWAYS: Final = 64 * MIB
"""bytes of the proof of history that every account can have: two million changes ever."""

PROOF_QUOTA_SHARE: Final = 16
"""the proof of history can have so many times less than the quota, besides: 32 million changes with 16 GiB."""

LINK_CHANGES_MAX: Final = 500_000
"""tags given and taken, and objects put on boards, in share links or out of them, that an account's history keeps."""

FORMER_MAX: Final = 10_000
"""deleted or edited albums, comments and contacts that history keeps of an account; further ones are refused."""

FORMER_BYTES_MAX: Final = 64 * MIB
"""bytes of all of these of an account."""

FORMER_BOARD_COMMENTS_MAX: Final = 1_000
"""comments of a deleted album that history keeps: the newest."""

FORMER_BOARD_FILES_MAX: Final = 100_000
"""files of a deleted album that history keeps: the newest."""

OBJECT_CHANGES_MAX: Final = 50
"""changes of one object in a response."""

OBJECT_CHANGES_AMONG: Final = 20_000
"""latest changes of an account that are searched for those of one object."""

CONTACTS_MAX: Final = 10_000
"""contacts of an account; removed ones count until other devices have had thirty days to notice."""

CONTACT_BYTES_MAX: Final = 16 * KIB
"""bytes of one contact; its name counts twice for each email address, as it is stored with each."""

CONTACTS_BYTES_MAX: Final = 16 * MIB
"""bytes of all contacts of an account."""

CONTACTS_REMOVED_DAYS: Final = 30
"""days for which a removed contact is listed as inactive."""

SHARES_MAX: Final = 5000
"""share links of an account; revoked ones do not count."""

SHARED_IN_ALL_MAX: Final = 100_000
"""objects in all share links of an account together."""

GUEST_FILES_MAX: Final = 5000
"""files that visitors can send through one share link; its owner can set less."""

GUEST_FILES_PER_HOUR_MAX: Final = 500
"""files that visitors can send through one share link in an hour."""

GUEST_FILE_BYTES_MAX: Final = 4 * GIB
"""bytes of one file that a visitor sends; a link's owner and the server's largest file can make it less."""

GUEST_NAME_CHARS_MAX: Final = 80
"""characters of the name that a visitor gives with a file."""

TAGS_MAX: Final = 1000
"""tags of an account."""

TAGGED_MAX: Final = 100_000
"""tags on all objects of an account together."""

BOARDS_MAX: Final = 1000
"""boards that an account owns or is a member of."""

BOARD_MEMBERS_MAX: Final = 1000
"""members of one board."""

BOARD_ITEMS_MAX: Final = 100_000
"""files that an account can have on all its boards together."""

BOARD_EVENTS_MAX: Final = 200
"""latest events in the activity of a board; older ones are forgotten."""

BOARD_COMMENTS_MAX: Final = 10_000
"""comments of an account on all boards together."""

BOARD_INVITATIONS_MAX: Final = 100
"""pending invitations by email to one board."""

BOARD_LINKS_MAX: Final = 50
"""valid invitation links to one board."""

DEVICES_MAX: Final = 200
"""devices of an account, each with one session; the next login ends the one that was unused for longest."""

APP_PASSWORDS_MAX: Final = 50
"""app passwords of an account."""

DELEGATIONS_MAX: Final = 50
"""delegations of an account that have not ended."""

DELEGATION_DAYS_MAX: Final = 90
"""days for which a delegation can be made."""

DELEGATION_CAVEATS_MAX: Final = 8
"""times that a delegation can be narrowed, one after the other."""

DELEGATION_NARROWED_MAX: Final = 100
"""narrowed tokens of one delegation that have their own numbers, counted once they are used."""

DELEGATION_TOKEN_CHARS_MAX: Final = 3000
"""characters in the token of a delegation; it fits into a header as the password of a program."""

DELEGATION_OBJECTS_MAX: Final = 1_000_000
"""objects in folders of one call that are counted when a delegation moves them to the trash."""

PROVIDER_CHARS_MAX: Final = 32
"""characters of a login provider's id."""

ISSUER_CHARS_MAX: Final = 200
"""characters of a login provider's issuer."""

IDENTITIES_MAX: Final = 20
"""identities at other providers that one account can be linked to."""

PASSKEYS_MAX: Final = 25
"""passkeys of an account."""

PASSKEY_MINUTES: Final = 5
"""minutes in which a person can answer with a passkey; then the page asks for a new challenge."""

PASSKEY_ID_BYTES_MAX: Final = 1023
"""bytes in the id of a passkey; the limit of the standard."""

PASSKEY_ANSWER_CHARS_MAX: Final = 32 * KIB
"""characters, in base64, of each part of what a passkey answers; certificates of security keys fit."""

PASSKEY_PUBLIC_KEY_BYTES_MAX: Final = 1024
"""bytes in the public key of a passkey; RSA with 4096 bits needs half of that."""

LOCKS_MAX: Final = 1000
"""WebDAV locks of an account that have not expired."""

LOCKS_OF_RESOURCE_MAX: Final = 20
"""shared WebDAV locks that apply to one file or folder; a deep one of a folder counts for all below it."""

LOCK_SECONDS_MAX: Final = 3600
"""seconds that a WebDAV lock lasts unless it is refreshed: programs that crash must not keep files for long."""

LOCK_OWNER_BYTES_MAX: Final = 1024
"""bytes of the owner field that a WebDAV client sends with a lock."""

DEAD_PROPERTIES_MAX: Final = 100
"""WebDAV properties of one file or folder that clients have set."""

DEAD_PROPERTIES_BYTES_MAX: Final = 64 * 1024
"""bytes of these properties of one file or folder."""

DEAD_PROPERTIES_OF_ACCOUNT_MAX: Final = 100_000
"""WebDAV properties that clients have set, of all files and folders of an account."""

DEAD_PROPERTIES_OF_ACCOUNT_BYTES_MAX: Final = 64 * MIB
"""bytes of the names and values of these properties of an account."""

TRANSFER_CHUNKS_MAX: Final = 10_000
"""chunks of one file that a Nextcloud client uploads."""

DIRECT_LINK_HOURS: Final = 8
"""hours in which a Nextcloud client's link to a file, for a player without the password, is valid."""

GRANT_MINUTES: Final = 20
"""minutes in which a person can agree that an app connects."""

WEBDAV_BODY_BYTES_MAX: Final = 256 * 1024
"""bytes of the XML in a WebDAV request."""

WEBDAV_PROPERTIES_MAX: Final = 200
"""properties that a WebDAV request names, several times what clients ask for."""

WEBDAV_NAME_BYTES_MAX: Final = 255
"""bytes of an element's or attribute's name in the XML of a WebDAV request, and of a namespace."""

WEBDAV_INFINITY_MAX: Final = 10_000
"""files and folders in the answer to a WebDAV request for everything below a folder."""

WEBDAV_COPY_MAX: Final = 100_000
"""files and folders that one WebDAV request copies."""

NONCES_MAX: Final = 100
"""valid download nonces of one session; the next one ends the oldest."""

TEXT_PART_BYTES_MAX: Final = 256 * 1024
"""bytes of a document's text in one answer, in UTF-8."""

TEXT_PART_BYTES_DEFAULT: Final = 32 * 1024
"""bytes of a document's text in one answer where the request does not say how many."""

PLACEHOLDERS_MAX: Final = 200
"""files in a call for placeholders of thumbnails."""

COPIES_MAX: Final = 500
"""objects in a call that copies; more are copied by further calls."""

LOCATIONS_MAX: Final = 200
"""objects in a call for locations."""

COVERS_MAX: Final = 50
"""folders in a call for covers."""

DUPLICATE_GROUPS_MAX: Final = 100
"""groups in a page of duplicates."""

ARCHIVES_MAX: Final = 20
"""ZIP archives of an account that can be downloaded or resumed; the next one ends the oldest."""

EXPORT_PART_BYTES_MIN: Final = 1 * MIB
"""smallest size that can be chosen for the parts of an export."""

EXPORT_PART_BYTES_DEFAULT: Final = 2 * GIB
"""bytes in a part of an export, unless another size is chosen."""

EXPORT_PART_OBJECTS_MAX: Final = 20_000
"""files and folders in a part of an export; its plan is held in memory while it is sent."""

EXPORT_PARTS_MAX: Final = 1000
"""parts that an account's bytes are divided into at most; with a smaller size chosen, the parts become larger."""

EXPORT_DAYS: Final = 7
"""days in which the parts of an export can be downloaded."""

HISTORY_TIMES_QUOTA: Final = 3
"""times its quota that an account's history may keep of deleted contents; what is beyond counts against the quota."""

THUMBNAIL_BYTES_ALWAYS: Final = 256 * MIB
"""bytes of thumbnails that an account may have beyond the size of its quota; no others are made then."""

# Disk

DISK_RESERVE_BYTES_MAX: Final = 1 * GIB
"""bytes that stay free on the server's disk unless the operator sets another figure; uploads are refused below it."""

DISK_RESERVE_FRACTION: Final = 50
"""parts of a small disk of which one stays free instead: a fiftieth of it."""

# Contacts

CONTACTS_CHUNK_DEFAULT: Final = 30
"""contacts in one page when `X-CHUNK-SIZE` is absent."""

CONTACTS_CHUNK_MAX: Final = 1000
"""most contacts in one page."""

CONTACTS_OFFSET_MAX: Final = 2**53 - 1
"""largest `X-Offset`; the largest integer that every JSON parser reads exactly."""

CONTACT_ENTRIES_MAX: Final = 100
"""email addresses, and phone numbers, of one contact."""

VCARD_BODY_BYTES_MAX: Final = 16 * MIB
"""bytes in a vCard import; photos count, although they are not kept."""

VCARD_CARDS_MAX: Final = 5000
"""cards in one import; each call is one transaction and must be short."""

VCARD_LINES_MAX: Final = 1000
"""lines in one card without its photos; a longer one is refused, the others are still imported."""

# Downloads

THUMBNAIL_SIZES: Final = (256, 512, 1080)
"""pixels of a thumbnail's longer side; a fixed set, so each is created once and kept."""

NONCE_LIFETIME_MS: Final = 10 * 60 * 1000
"""milliseconds for which a nonce authorises downloads: ten minutes, because it travels in links and cookies."""

# Keeping

TRASH_RETENTION_DAYS: Final = 30
"""days after which trashed objects are purged."""

VERSIONS_KEPT: Final = 20
"""versions kept of one file, including the current one."""

QUOTA_BYTES_DEFAULT: Final = 100 * GIB
"""quota of a new account in bytes, unless the operator sets another."""

ACCOUNT_GRACE_DAYS: Final = 14
"""days between requesting an account's deletion and the deletion; until then it can be cancelled."""

VERSION_NUMBER_MAX: Final = 2**31 - 1
"""largest version number."""

INVITATION_DAYS: Final = 30
"""days after which an invitation to a board expires unless it has its own expiry."""

# Clients

CLIENT_RETRIES_DEFAULT: Final = 3
"""times that a client retries a request which was throttled, failed on the server or lost its connection."""

CLIENT_RETRY_WAIT_SECONDS: Final = 1.5
"""seconds before the first retry; each further one waits twice as long."""

CLIENT_LISTED_OBJECTS_MAX: Final = 10_000_000
"""objects after which a client considers a listing or a tree endless, unless set otherwise."""

CLIENT_DEPTH_MAX: Final = 2500
"""depth of nested folders that a client enters."""

INTEGER_DIGITS_MAX: Final = 19
"""digits in an integer parameter; enough for 64 bits."""

TIME_MS_MAX: Final = 253_402_300_799_999
"""latest time in epoch milliseconds: the end of the year 9999, the limit of calendar libraries."""

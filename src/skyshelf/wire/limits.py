"""Every limit of the interface, with its number and the reason for it.

The sentence below each number is its documentation; `docs/reference/limits.md` is made from them.
Plain integers, so that they can go into answers and comparisons as they are.
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
"""objects in one page at most; more is refused and never clamped, because clients stop at a short page."""

LISTING_LIMIT_DEFAULT: Final = 200
"""objects in one page when the request names no `limit`."""

PAGE_INDEX_MAX: Final = 1_000_000_000
"""largest `page` index; it keeps `page` times `limit` within 64 bits on every backend."""

BOARD_LIST_LIMIT_DEFAULT: Final = 2000
"""boards in one page when the request names no `limit`; what the web client asks for."""

BOARD_DETAILS_LIMIT_DEFAULT: Final = 5000
"""objects of a board in one page when the request names no `limit`; what the web client asks for."""

RECENT_OBJECTS_MAX: Final = 50
"""recent objects of each kind (pictures and the rest); a feed is a glance and not a listing."""

SEARCH_LIMIT_MAX: Final = 1000
"""objects in one page of a search at most; each call does a bounded amount of work."""

SEARCH_LIMIT_DEFAULT: Final = 50
"""objects in one page of a search when the request names no `limit`."""

SEARCH_QUERY_CHARS_MAX: Final = 1000
"""characters in a search; more than any name has."""

CONTENTS_KEYS_MAX: Final = 64
"""contents in one answer at most; their keys stay well below what proxies let pass in an address."""

CONTENTS_BYTES_MAX: Final = 4 * MIB
"""bytes of contents in one answer; what does not fit any more is told without its bytes."""

CHANGES_LIMIT_DEFAULT: Final = 500
"""changes, or objects of everything, in one page when the request names no `limit`."""

CHANGES_KEPT_DAYS: Final = 90
"""days for which changes are remembered; whoever was away for longer begins anew."""

CHANGE_STREAM_SECONDS_DEFAULT: Final = 600
"""seconds after which a stream of changes ends by itself when the request names no `seconds`; clients come back."""

CHANGE_STREAM_SECONDS_MAX: Final = 3600
"""seconds that a stream of changes can last."""

CHANGE_STREAMS_PER_ACCOUNT: Final = 32
"""streams of changes that an account can have open at one instance of the server."""

# Batches

BATCH_ENTRIES_MAX: Final = 2000
"""entries in one batch, restore or legacy delete call; a call is one transaction, and must not be long."""

SHARED_OBJECTS_MAX: Final = 2000
"""objects in one share link; the same page of objects that one batch can hold."""

SHARE_LIST_LIMIT_DEFAULT: Final = 100
"""share links in one page of the list of one's own when the request names no `limit`."""

SHARE_LIST_LIMIT_MAX: Final = 200
"""share links in one page at most; each of them can name two thousand objects."""

SHARE_NAMES_SHOWN: Final = 10
"""objects of a link that the list of one's own tells the names of; the keys of all are there."""

SHARE_DOWNLOADS_MAX: Final = 1_000_000_000
"""largest `maxDownloads` of a share link; whoever wants more wants no limit."""

# Text

NAME_BYTES_MAX: Final = 255
"""bytes of UTF-8 in the name of an object; what common file systems can store."""

LABEL_CHARS_MAX: Final = 255
"""characters in the name of a board, a share or a device."""

DESCRIPTION_CHARS_MAX: Final = 4000
"""characters in the description of a board."""

COMMENT_CHARS_MAX: Final = 4000
"""characters in a comment on a board."""

CONTACT_FIELD_CHARS_MAX: Final = 1000
"""characters in a name, an address or a number of a contact."""

SOURCE_FOLDER_CHARS_MAX: Final = 4096
"""characters in `sourceFolder`; the longest path that phones and desktops give."""

SOURCE_NAME_CHARS_MAX: Final = 64
"""characters in `sourceName` and `appcode`, which are short identifiers."""

EMAIL_CHARS_MAX: Final = 254
"""characters in an e-mail address; the longest that mail can deliver to."""

LOGIN_CODE_CHARS_MAX: Final = 64
"""characters in a code of the second factor; several times what the longest one has."""

PASSWORD_CHARS_MAX: Final = 1024
"""characters in a password; enough for any pass phrase, too few to make hashing a burden."""

TOKEN_CHARS_MAX: Final = 4096
"""characters in a token, JWT, nonce or upload id that a request carries."""

# Bodies

JSON_BODY_BYTES_DEFAULT: Final = 64 * KIB
"""bytes in a JSON body that holds one thing; login is among them, so that strangers cannot send much."""

JSON_BODY_BYTES_MAX: Final = 16 * MIB
"""bytes in a JSON body that lists objects; a full batch of long names with wide echoes stays below."""

# Uploads

CHUNK_BYTES_DEFAULT: Final = 8 * MIB
"""bytes in a chunk that clients send; large enough to amortise a round trip, small enough to repeat."""

CHUNK_BYTES_MAX: Final = 64 * MIB
"""bytes in a chunk at most; bounds what one request can make the server hold and hash."""

UPLOADS_AT_ONCE_MAX: Final = 200
"""files in one call that uploads many; they are one transaction, which must not be long."""

UPLOADS_AT_ONCE_BYTES_MAX: Final = 8 * MIB
"""bytes of all files together in one call that uploads many; more saves no time, and is much to send again."""

FILE_BYTES_MAX: Final = 1024 * GIB
"""bytes in one file; reported to clients as `maxFileSize`."""

UPLOAD_LIFETIME_MS: Final = 7 * 24 * 3600 * 1000
"""milliseconds that an unfinished upload is kept after its last chunk: seven days."""

# Contacts

CONTACTS_CHUNK_DEFAULT: Final = 30
"""contacts in one page when `X-CHUNK-SIZE` is absent."""

CONTACTS_CHUNK_MAX: Final = 1000
"""contacts in one page at most."""

CONTACTS_OFFSET_MAX: Final = 2**53 - 1
"""largest `X-Offset`; the largest integer that every JSON reader keeps exact."""

CONTACT_ENTRIES_MAX: Final = 100
"""e-mail addresses, and telephone numbers, of one contact."""

VCARD_BODY_BYTES_MAX: Final = 16 * MIB
"""bytes in a request that imports vCards; photos in them count, though they are not kept."""

VCARD_CARDS_MAX: Final = 5000
"""cards in one import; a call is one transaction, and must not be long."""

VCARD_LINES_MAX: Final = 1000
"""lines of one card, photos apart; a longer one is refused, and the others are imported all the same."""

# Downloads

THUMBNAIL_SIZES: Final = (256, 512, 1080)
"""pixels of the longer side that thumbnails are made in; a fixed set, so that each is made once and kept."""

THUMBNAIL_SIZE_DEFAULT: Final = 512
"""pixels of the longer side when the request names no `size`."""

NONCE_LIFETIME_MS: Final = 10 * 60 * 1000
"""milliseconds that a nonce opens downloads: ten minutes, because it travels in links and cookies."""

# Keeping

TRASH_RETENTION_DAYS: Final = 30
"""days after which trashed objects are purged."""

VERSIONS_KEPT: Final = 20
"""versions kept of one file, the current one included."""

QUOTA_BYTES_DEFAULT: Final = 100 * GIB
"""bytes of a new account unless the operator says otherwise."""

ACCOUNT_GRACE_DAYS: Final = 14
"""days between the word that an account is to go and its end; until then it can be kept."""

VERSION_NUMBER_MAX: Final = 2**31 - 1
"""largest number of a version; nobody has uploaded a file that often."""

SHARE_TOKEN_BITS_MIN: Final = 128
"""random bits in a share token at least; a link is a secret and must not be guessed."""

INVITATION_DAYS: Final = 30
"""days that an invitation to a board stands unless it says otherwise."""

# Clients

CLIENT_RETRIES_DEFAULT: Final = 3
"""times that a client repeats a request which was throttled, met a server fault or lost its connection."""

CLIENT_RETRY_WAIT_SECONDS: Final = 1.5
"""seconds before the first repetition; each further one waits twice as long."""

CONSISTENCY_LAG_SECONDS: Final = 2
"""seconds for which a server of this interface may not yet list a new or trashed object."""

INTEGER_DIGITS_MAX: Final = 19
"""digits in an integer parameter; what 64 bits can hold."""

TIME_MS_MAX: Final = 253_402_300_799_999
"""latest time in epoch milliseconds: the last one of the year 9999, which every calendar library can show."""

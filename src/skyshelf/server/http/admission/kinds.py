"""The kinds of work and their limits in one process; `docs/reference/admission.md` is generated from them."""

from typing import Final

import msgspec

from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX, CHANGE_STREAMS_PER_ACCOUNT, JSON_BODY_BYTES_MAX, MIB


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of work. Above a caller's share and queue the answer is 429, above those of the server it is 503."""

    name: str
    """Its label in the metrics."""
    what: str
    """What counts, as a sentence."""
    total: int
    """How much runs at once."""
    share: int
    """How much of it one account can have."""
    address_share: int
    """How much of it one address can have without a session."""
    strangers: int
    """How much of it all callers without a session can have; the rest is for accounts."""
    crowded_share: int = 0
    """A caller's share while others work as well; 0 where it is the same. More threads for one caller would only make
    all of them wait for the interpreter."""
    costly_share: int = 0
    """A caller's share while their work costs much CPU; 0 where that does not matter."""
    waiting: int = 0
    """How much of one caller waits; above that, they are refused."""
    waiting_total: int = 0
    """How much of all callers waits."""
    retry_seconds: int = 1
    """The Retry-After of a refusal."""

    def share_of(self, key: "Key") -> int:
        """The share of an account (a number) or an address (text)."""
        return self.share if isinstance(key, int) else self.address_share


Key = int | str
"""Whose work it is: the id of an account, or text for anybody else, mostly an address."""


CALLS: Final = Kind(
    name="calls",
    what="Calls that are answered by a worker thread: listings, searches, changes and everything else that is short.",
    total=16,
    share=12,
    address_share=8,
    strangers=12,
    crowded_share=4,
    costly_share=2,
    waiting=512,
    waiting_total=4096,
)

CROWDED_SECONDS: Final = 1.0
"""Others work as well if they have had work within this time."""

COSTLY_CPU_SECONDS: Final = 0.02
"""A caller whose calls take more CPU than this on average has the smaller share of threads."""

UPLOADS: Final = Kind(
    name="uploads",
    what="Uploads whose bodies arrive, from the first byte to the commit.",
    total=128,
    share=32,
    address_share=8,
    strangers=8,
    waiting=128,
    waiting_total=512,
    retry_seconds=5,
)

BODIES: Final = Kind(
    name="body_bytes",
    what="Bytes of JSON and vCard bodies above 64 KiB, which are held in memory.",
    total=4 * JSON_BODY_BYTES_MAX,
    share=2 * JSON_BODY_BYTES_MAX,
    address_share=JSON_BODY_BYTES_MAX,
    strangers=JSON_BODY_BYTES_MAX,
    waiting=64,
    waiting_total=256,
    retry_seconds=2,
)

RESPONSES: Final = Kind(
    name="response_bytes",
    what="Bytes of large responses that their clients have not read yet.",
    total=128 * MIB,
    share=48 * MIB,
    address_share=16 * MIB,
    strangers=64 * MIB,
    retry_seconds=5,
)

DOWNLOADS: Final = Kind(
    name="downloads",
    what="Downloads that are read from the store while they are sent.",
    total=256,
    share=64,
    address_share=32,
    strangers=192,
    waiting=256,
    waiting_total=1024,
    retry_seconds=5,
)

CONTENTS: Final = Kind(
    name="contents",
    what="Calls for the contents of many small files.",
    total=32,
    share=8,
    address_share=8,
    strangers=8,
    waiting=64,
    waiting_total=256,
    retry_seconds=2,
)

THUMBNAILS: Final = Kind(
    name="thumbnails",
    what="Thumbnails that are read from the store.",
    total=64,
    share=16,
    address_share=16,
    strangers=32,
    waiting=256,
    waiting_total=1024,
    retry_seconds=2,
)

PASSWORDS: Final = Kind(
    name="passwords",
    what="Passwords that are hashed: logins, changes of a password or second factor, passwords of share links.",
    total=2,
    share=1,
    address_share=1,
    strangers=2,
    waiting=32,
    waiting_total=256,
)

PROVIDERS: Final = Kind(
    name="providers",
    what="Logins and logouts through login providers, which wait for the provider's server.",
    total=4,
    share=2,
    address_share=2,
    strangers=4,
    waiting=16,
    waiting_total=64,
    retry_seconds=5,
)

IMPORTS: Final = Kind(
    name="imports",
    what="Imports and exports of contacts.",
    total=2,
    share=1,
    address_share=1,
    strangers=1,
    waiting=8,
    waiting_total=64,
    retry_seconds=5,
)

STREAMS: Final = Kind(
    name="change_streams",
    what="Change streams that are open.",
    total=1024,
    share=CHANGE_STREAMS_PER_ACCOUNT,
    address_share=CHANGE_STREAMS_PER_ACCOUNT,
    strangers=CHANGE_STREAMS_PER_ACCOUNT,
    retry_seconds=30,
)

ARCHIVE_VISITS: Final = Kind(
    name="archive_visits",
    what="ZIP archives that one caller has requested and that are not planned yet, HEAD included.",
    total=64,
    share=1,
    address_share=1,
    strangers=64,
    waiting=3,
    waiting_total=64,
    retry_seconds=5,
)

ARCHIVE_PLANS: Final = Kind(
    name="archive_plans",
    what="ZIP archives that are planned; the account is the one whose files they hold.",
    total=2,
    share=1,
    address_share=1,
    strangers=2,
    waiting=8,
    waiting_total=32,
    retry_seconds=5,
)

ARCHIVE_ENTRIES: Final = Kind(
    name="archive_entries",
    what="Entries of all ZIP archives that are being sent; the account is the one whose files they hold.",
    total=4 * ARCHIVE_ENTRIES_MAX,
    share=2 * ARCHIVE_ENTRIES_MAX,
    address_share=2 * ARCHIVE_ENTRIES_MAX,
    strangers=4 * ARCHIVE_ENTRIES_MAX,
    retry_seconds=30,
)

ARCHIVES: Final = Kind(
    name="archives",
    what="ZIP archives that are being sent; the account is the one whose files they hold.",
    total=64,
    share=16,
    address_share=8,
    strangers=64,
    retry_seconds=30,
)

ARCHIVE_READERS: Final = Kind(
    name="archive_readers",
    what="ZIP archives of shares that are being sent to one address, or of one link.",
    total=128,
    share=8,
    address_share=8,
    strangers=128,
    retry_seconds=30,
)

THREADS: Final = CALLS.total


def kinds_with(threads: int) -> "tuple[Kind, ...]":
    """All kinds, with so many threads for calls; everybody's share of them stays the same."""
    if threads == THREADS:
        return KINDS

    def part(share: int) -> int:
        return max(1, share * threads // THREADS)

    calls = msgspec.structs.replace(
        CALLS,
        total=threads,
        share=part(CALLS.share),
        address_share=part(CALLS.address_share),
        strangers=part(CALLS.strangers),
        crowded_share=part(CALLS.crowded_share),
        costly_share=part(CALLS.costly_share),
    )
    return (calls, *(kind for kind in KINDS if kind is not CALLS))


KINDS: Final = (
    CALLS,
    UPLOADS,
    BODIES,
    DOWNLOADS,
    CONTENTS,
    THUMBNAILS,
    RESPONSES,
    PASSWORDS,
    PROVIDERS,
    IMPORTS,
    STREAMS,
    ARCHIVE_VISITS,
    ARCHIVE_PLANS,
    ARCHIVE_ENTRIES,
    ARCHIVES,
    ARCHIVE_READERS,
)

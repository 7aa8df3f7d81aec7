"""The kinds of work and their limits in one process; `docs/reference/admission.md` is generated from them."""

from typing import Final, TypedDict

import msgspec

from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX, CHANGE_STREAMS_PER_ACCOUNT, JSON_BODY_BYTES_MAX, MIB


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of work. Beyond a caller's share and queue the answer is 429, beyond the server's it is 503."""

    name: str
    """Its label in the metrics."""
    what: str
    """What counts, as a sentence."""
    total: int
    """How much runs at once."""
    share: int
    """How much of it one account may use."""
    address_share: int
    """How much of it one address may use without a session."""
    strangers: int
    """How much of it all callers without a session may use together; the rest is for accounts."""
    crowded_share: int = 0
    """A caller's share while others are active; 0 if it is the same. More threads for one caller would only make
    all of them wait for the interpreter."""
    costly_share: int = 0
    """A caller's share while their work needs much CPU; 0 if that does not matter."""
    waiting: int = 0
    """How much of one caller's work may wait; beyond that, they are refused."""
    waiting_total: int = 0
    """How much of all callers' work may wait."""
    retry_seconds: int = 1
    """The Retry-After of a refusal."""

    def share_of(self, key: "Key") -> int:
        """Return the share of an account (a number) or an address (text)."""
        return self.share if isinstance(key, int) else self.address_share


Key = int | str
"""The owner of work: the id of an account, or text for anybody else, mostly an address."""


class Running(TypedDict):
    """How much of a kind runs at once, as in `Kind`."""

    total: int
    share: int
    address_share: int
    strangers: int


class Waiting(TypedDict):
    """How much of a kind may wait, as in `Kind`."""

    waiting: int
    waiting_total: int


CALLS: Final = Kind(
    name="calls",
    what="Calls that are answered by a worker thread: listings, searches, changes and everything else that is short.",
    **Running(total=16, share=12, address_share=8, strangers=12),
    crowded_share=4,
    costly_share=2,
    **Waiting(waiting=512, waiting_total=4096),
)

CROWDED_SECONDS: Final = 1.0
"""Other callers count as active if they have had work within this time."""

COSTLY_CPU_SECONDS: Final = 0.02
"""A caller whose calls take more CPU time than this on average gets the smaller share of threads."""

UPLOADS: Final = Kind(
    name="uploads",
    what="Uploads whose bodies arrive, from the first byte to the commit.",
    **Running(total=128, share=32, address_share=8, strangers=8),
    **Waiting(waiting=128, waiting_total=512),
    retry_seconds=5,
)

BODIES: Final = Kind(
    name="body_bytes",
    what="Bytes of JSON and vCard bodies above 64 KiB, which are held in memory.",
    **Running(
        total=4 * JSON_BODY_BYTES_MAX,
        share=2 * JSON_BODY_BYTES_MAX,
        address_share=JSON_BODY_BYTES_MAX,
        strangers=JSON_BODY_BYTES_MAX,
    ),
    **Waiting(waiting=64, waiting_total=256),
    retry_seconds=2,
)

DOWNLOADS: Final = Kind(
    name="downloads",
    what="Downloads that are read from the store while they are sent.",
    **Running(total=256, share=64, address_share=32, strangers=192),
    **Waiting(waiting=256, waiting_total=1024),
    retry_seconds=5,
)

CONTENTS: Final = Kind(
    name="contents",
    what="Calls for the contents of many small files.",
    **Running(total=32, share=8, address_share=8, strangers=8),
    **Waiting(waiting=64, waiting_total=256),
    retry_seconds=2,
)

THUMBNAILS: Final = Kind(
    name="thumbnails",
    what="Thumbnails that are read from the store.",
    **Running(total=64, share=16, address_share=16, strangers=32),
    **Waiting(waiting=256, waiting_total=1024),
    retry_seconds=2,
)

RESPONSES: Final = Kind(
    name="response_bytes",
    what="Bytes of large responses that their clients have not read yet.",
    **Running(total=128 * MIB, share=48 * MIB, address_share=16 * MIB, strangers=64 * MIB),
    retry_seconds=5,
)

PASSWORDS: Final = Kind(
    name="passwords",
    what="Passwords that are hashed: logins, changes of a password or second factor, passwords of share links.",
    **Running(total=2, share=1, address_share=1, strangers=2),
    **Waiting(waiting=32, waiting_total=256),
)

PROVIDERS: Final = Kind(
    name="providers",
    what="Logins and logouts through login providers, which wait for the provider's server.",
    **Running(total=4, share=2, address_share=2, strangers=4),
    **Waiting(waiting=16, waiting_total=64),
    retry_seconds=5,
)

IMPORTS: Final = Kind(
    name="imports",
    what="Imports and exports of contacts.",
    **Running(total=2, share=1, address_share=1, strangers=1),
    **Waiting(waiting=8, waiting_total=64),
    retry_seconds=5,
)

STREAMS: Final = Kind(
    name="change_streams",
    what="Change streams that are open.",
    **Running(
        total=1024,
        share=CHANGE_STREAMS_PER_ACCOUNT,
        address_share=CHANGE_STREAMS_PER_ACCOUNT,
        strangers=CHANGE_STREAMS_PER_ACCOUNT,
    ),
    retry_seconds=30,
)

ARCHIVE_VISITS: Final = Kind(
    name="archive_visits",
    what="ZIP archives that one caller has requested and that are not planned yet, HEAD included.",
    **Running(total=64, share=1, address_share=1, strangers=64),
    **Waiting(waiting=3, waiting_total=64),
    retry_seconds=5,
)

ARCHIVE_PLANS: Final = Kind(
    name="archive_plans",
    what="ZIP archives that are planned; the account is the one whose files they hold.",
    **Running(total=2, share=1, address_share=1, strangers=2),
    **Waiting(waiting=8, waiting_total=32),
    retry_seconds=5,
)

ARCHIVE_ENTRIES: Final = Kind(
    name="archive_entries",
    what="Entries of all ZIP archives that are being sent; the account is the one whose files they hold.",
    **Running(
        total=4 * ARCHIVE_ENTRIES_MAX,
        share=2 * ARCHIVE_ENTRIES_MAX,
        address_share=2 * ARCHIVE_ENTRIES_MAX,
        strangers=4 * ARCHIVE_ENTRIES_MAX,
    ),
    retry_seconds=30,
)

ARCHIVES: Final = Kind(
    name="archives",
    what="ZIP archives that are being sent; the account is the one whose files they hold.",
    **Running(total=64, share=16, address_share=8, strangers=64),
    retry_seconds=30,
)

EXPORTS: Final = Kind(
    name="exports",
    what="Parts of exports that are planned or sent.",
    **Running(total=8, share=2, address_share=1, strangers=1),
    **Waiting(waiting=8, waiting_total=32),
    retry_seconds=30,
)

ARCHIVE_READERS: Final = Kind(
    name="archive_readers",
    what="ZIP archives of shares that are being sent to one address, or of one link.",
    **Running(total=128, share=8, address_share=8, strangers=128),
    retry_seconds=30,
)

THREADS: Final = CALLS.total


def kinds_with(threads: int) -> "tuple[Kind, ...]":
    """Return all kinds, with this number of threads for calls; each caller's share of them stays the same."""
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


KINDS: Final = tuple(value for value in list(vars().values()) if isinstance(value, Kind))

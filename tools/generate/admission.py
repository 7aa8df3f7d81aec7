"""The page about admission: how much of each kind of work a server process runs and lets wait."""

from skyshelf.server.pipeline.admission.kinds import COSTLY_CPU_SECONDS, KINDS, Kind
from tools.generate.markdown import page, table


def _share_in_words(kind: Kind) -> str:
    crowded = f", {kind.crowded_share} while others work as well" if kind.crowded_share else ""
    costly = f", {kind.costly_share} while its calls are costly" if kind.costly_share else ""
    return f"{kind.share:,}{crowded}{costly}"


def admission_page() -> str:
    """Render the limits of each kind of work."""
    about = (
        "How much of each kind of work one server process runs and lets wait. A caller is an account, or an address for"
        " requests without a valid session. Callers take turns. A caller above the own limits is answered with 429,"
        " everybody above those of the server with 503, both with `Retry-After`. The metrics"
        " `skyshelf_admission_in_use`, `skyshelf_admission_waiting` and `skyshelf_admission_refused_total` show each"
        " kind by its name. Further refusals of a caller who has had many in a few seconds are answered after a second."
    )
    head = ("Kind", "Meaning", "At once", "Of an account", "Of an address", "Waiting of a caller", "Waiting in all")
    rows = [
        (
            f"`{kind.name}`",
            kind.what,
            f"{kind.total:,}",
            _share_in_words(kind),
            f"{kind.address_share:,} (all together {kind.strangers:,})",
            f"{kind.waiting:,}",
            f"{kind.waiting_total:,}",
        )
        for kind in KINDS
    ]
    costly = f"Calls are costly when they take more than {COSTLY_CPU_SECONDS * 1000:.0f} ms of CPU on average."
    return page("src/skyshelf/server/pipeline/admission", "# Admission", about, table(head, rows), costly)

"""What a delegation leaves an agent: hosts are not shown other tools. The server decides about every call."""

from typing import Final

from msgspec import Struct

from skyshelf.agent.client_lease import ClientLease
from skyshelf.client.errors import SkyshelfError
from skyshelf.wire.leave import CallKind, is_token
from skyshelf.wire.resources.delegations import OwnDelegation

_LIST, _READ, _WRITE = CallKind.LIST, CallKind.READ, CallKind.WRITE

_NEEDS: Final[dict[str, frozenset[CallKind]]] = {
    "account_info": frozenset(),
    **dict.fromkeys(("list_files", "search_files", "version_history"), frozenset({_LIST})),
    **dict.fromkeys(("list_trash", "recent_activity", "history_of", "diff_since"), frozenset({_LIST})),
    **dict.fromkeys(("download_file", "download_all", "read_text"), frozenset({_LIST, _READ})),
    **dict.fromkeys(("create_folder", "rename_object", "set_favorite"), frozenset({_LIST, _WRITE})),
    **dict.fromkeys(("restore_from_trash", "write_text", "upload", "move", "copy", "tag"), frozenset({_LIST, _WRITE})),
    "move_to_trash": frozenset({_LIST, _WRITE, CallKind.DELETE}),
    "share_link": frozenset({_LIST, CallKind.SHARE}),
}
"""The kinds of calls that a tool makes. One that is not named here needs a login."""

_EVERYWHERE: Final = frozenset(
    {"list_trash", "recent_activity", "history_of", "diff_since", "restore_from_trash", "tag"}
)
"""Tools that reach beyond one folder."""


class Leave(Struct, frozen=True):
    """The kinds of calls that are left, and whether they are about one folder."""

    kinds: frozenset[CallKind]
    is_confined: bool

    @classmethod
    def of(cls, own: OwnDelegation) -> "Leave":
        """Read it from the server's answer: a kind whose numbers are used up is not left."""
        kinds = set(own.kinds or ())
        left = own.left
        if left is not None:
            if 0 in (left.reads, left.read_bytes):
                kinds.discard(CallKind.READ)
            if left.writes == 0:
                kinds -= {CallKind.WRITE, CallKind.DELETE, CallKind.PURGE, CallKind.SHARE}
            if left.deletions == 0:
                kinds -= {CallKind.DELETE, CallKind.PURGE}
        return cls(frozenset(kinds), own.folder_key is not None)

    def allows(self, tool: str) -> bool:
        """Whether the server may run a tool's calls."""
        needs = _NEEDS.get(tool)
        return needs is not None and needs <= self.kinds and not (self.is_confined and tool in _EVERYWHERE)


async def leave_of(lease: ClientLease, known: Leave | None) -> Leave | None:
    """Ask the server what a delegation leaves; None for a login, and what was known if it cannot be asked."""
    try:
        async with lease.acquire() as client:
            credentials = client.credentials
            if credentials is None or not is_token(credentials.auth_token):
                return None
            return Leave.of(await client.delegations.own())
    except SkyshelfError:
        return known

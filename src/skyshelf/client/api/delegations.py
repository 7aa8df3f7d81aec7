"""Delegations of the account."""

from collections.abc import Iterable

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import InvalidRequestError
from skyshelf.wire import delegation_tokens
from skyshelf.wire.endpoints.credentials import ADD_DELEGATION, DELEGATIONS, END_DELEGATION, OWN_DELEGATION
from skyshelf.wire.leave import CallKind
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.delegations import Caveat, Delegation, MadeDelegation, NewDelegation, OwnDelegation


def narrow(
    token: str,
    *,
    kinds: Iterable[CallKind | str] | None = None,
    expires_date: int | None = None,
    folder_key: str | None = None,
    reads: int | None = None,
    read_bytes: int | None = None,
    writes: int | None = None,
    written_bytes: int | None = None,
    deletions: int | None = None,
    calls_per_minute: int | None = None,
) -> str:
    """Return a token that may do less than another one, without asking the server.

    What is given is allowed besides what the token has; nothing can be allowed that the token does not. Ending the
    delegation ends both tokens.

    Args:
        token: The token of a delegation.
        kinds: The kinds of calls that are left.
        expires_date: When it ends at the latest, in epoch milliseconds.
        folder_key: The only folder that is left, within the token's own.
        reads: How many contents it may read at most, of those that the token may.
        read_bytes: How many bytes it may read at most.
        writes: How many changes it may make at most.
        written_bytes: How many bytes it may upload at most.
        deletions: How many objects it may delete at most; a folder counts as what is in it.
        calls_per_minute: How many calls it may make in a minute.

    Raises:
        InvalidRequestError: It is not the token of a delegation, or it was narrowed too often.
    """
    caveat = checked(
        Caveat,
        kinds=None if kinds is None else _kinds(kinds),
        expires_date=expires_date,
        folder_key=folder_key,
        reads=reads,
        read_bytes=read_bytes,
        writes=writes,
        written_bytes=written_bytes,
        deletions=deletions,
        calls_per_minute=calls_per_minute,
    )
    try:
        return delegation_tokens.narrowed(token.strip(), caveat)
    except InvalidRequest as wrong:
        raise InvalidRequestError(wrong.message) from None


def _kinds(given: Iterable[CallKind | str]) -> list[CallKind]:
    try:
        return [CallKind(kind) for kind in given]
    except ValueError as unknown:
        raise InvalidRequestError(f"{unknown}: the kinds are {', '.join(CallKind)}") from None


class AsyncDelegations(Calls):
    """Tokens that may do less than you, for agents and scripts. An extension: see `NotOfferedError`.

    Example:
        ```python
        made = client.delegations.add(
            "Tidy up the photos", ["list", "write"], expires_date=in_an_hour, folder_key=photos.key, writes=500
        )
        with Client(server=server, auth_token=made.token) as agent:
            agent.create_folder("2026")
        ```
    """

    _feature = "make delegations"

    async def list(self) -> list[Delegation]:
        """List the delegations that have not ended, the newest first, with what of each is used up."""
        return (await self._call(DELEGATIONS)).delegations or []

    async def add(
        self,
        purpose: str,
        kinds: Iterable[CallKind | str],
        *,
        expires_date: int,
        folder_key: str | None = None,
        reads: int | None = None,
        read_bytes: int | None = None,
        writes: int | None = None,
        written_bytes: int | None = None,
        deletions: int | None = None,
        calls_per_minute: int | None = None,
    ) -> MadeDelegation:
        """Make a delegation. A number that is None is not limited.

        Args:
            purpose: What it is for, in words; the list shows it.
            kinds: The kinds of calls: `list`, `read`, `write`, `delete`, `purge`, `share`.
            expires_date: When it ends, in epoch milliseconds; within 90 days.
            folder_key: The only folder that it sees; None for the whole drive.
            reads: How many contents it may read.
            read_bytes: How many bytes it may read.
            writes: How many changes it may make.
            written_bytes: How many bytes it may upload.
            deletions: How many objects it may delete; a folder counts as what is in it.
            calls_per_minute: How many calls it may make in a minute.

        Returns:
            The token, which is shown only once.
        """
        body = checked(
            NewDelegation,
            purpose=purpose,
            kinds=_kinds(kinds),
            expires_date=expires_date,
            folder_key=folder_key,
            reads=reads,
            read_bytes=read_bytes,
            writes=writes,
            written_bytes=written_bytes,
            deletions=deletions,
            calls_per_minute=calls_per_minute,
        )
        unknown = "list the delegations, and end the one of that name"
        return await self._call(ADD_DELEGATION, body=body, unknown=unknown)

    async def end(self, device_key: str) -> None:
        """End a delegation; all tokens that were made from it are refused from their next request on.

        Args:
            device_key: The delegation, as `list` lists it.

        Raises:
            ObjectNotFoundError: It has ended already.
        """
        await self._remove(END_DELEGATION, keys={"device_key": device_key})

    async def own(self) -> OwnDelegation:
        """Get what this client's own token allows, and what is left of it.

        Raises:
            ObjectNotFoundError: This client has a login, which may do everything.
        """
        return await self._call(OWN_DELEGATION)

"""Boards with people on them, for tests."""

from tests.conformance.metadata.making import NOW, new_key, put_file

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import Board, GivenRole, Invitation, NewBoard
from skyshelf.storage.metadata.store import MetadataStore


def make_board(store: MetadataStore, owner: Account, name: str = "Summer", *, now: int = NOW) -> str:
    """A board of its owner's; its key."""
    new = NewBoard(board_key=new_key(), name=name)
    return store.write(lambda unit: unit.boards.create(owner.account_id, new, now)).board_key


def invite(
    store: MetadataStore, inviter: Account, board_key: str, invited: Account, role: GivenRole = "M", *, now: int = NOW
) -> None:
    new = Invitation(email=invited.email, role=role, created_at=now, expires_at=now + 1000)
    store.write(lambda unit: unit.board_invitations.invite(inviter.account_id, board_key, new))


def accept(store: MetadataStore, invited: Account, board_key: str, *, now: int = NOW) -> None:
    store.write(lambda unit: unit.board_invitations.accept(invited.account_id, board_key, now))


def join(store: MetadataStore, owner: Account, board_key: str, *joining: Account, now: int = NOW) -> None:
    """Invite people, who accept one after the other."""
    for number, one in enumerate(joining):
        invite(store, owner, board_key, one, now=now + number)
        accept(store, one, board_key, now=now + number)


def leave(store: MetadataStore, leaving: Account, board_key: str, *, now: int = NOW) -> bool:
    return store.write(lambda unit: unit.board_members.leave(leaving.account_id, board_key, now))


def show(store: MetadataStore, owner: Account, board_key: str, *object_keys: str, now: int = NOW) -> list[str]:
    """Put files on a board."""
    return store.write(lambda unit: unit.board_items.add(owner.account_id, board_key, object_keys, now))


def file_of(store: MetadataStore, owner: Account, name: str, data: bytes = b"some bytes") -> str:
    """A file in somebody's root; its key."""
    return put_file(store, owner, owner.root_key, name, data).object.object_key


def board_as_seen_by(store: MetadataStore, account: Account, board_key: str) -> Board:
    with store.read() as unit:
        return unit.boards.get(account.account_id, board_key)


def roles(store: MetadataStore, account: Account, board_key: str) -> dict[int, str]:
    """account_id → role and status, such as `OA` for an active owner."""
    with store.read() as unit:
        return {
            member.account_id: member.role + member.status
            for member in unit.board_members.of_board(account.account_id, board_key)
        }


def invited_to(store: MetadataStore, account: Account, *, now: int = NOW) -> list[str]:
    """The names of the boards that somebody is invited to."""
    with store.read() as unit:
        return [one.board_name for one in unit.board_invitations.received(account.account_id, now, limit=100)]

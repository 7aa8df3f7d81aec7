"""`skyshelf boards invite`, `invitations`, `revoke`, `accept`, `decline`, `role`, `remove-member`: members."""

from collections.abc import Callable, Iterable
from typing import Annotated

import click

from skyshelf.cli.base.errors import NotFound
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.params import FUTURE_TIME
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import CommandSession
from skyshelf.cli.base.targets import KEY, target
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.boards.names import ROLES, BoardRecord, MemberRecord, board_key, boards, member_id, role_name
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.boards import BoardInvitation, BoardLink, BoardMember, GivenMemberType, ReceivedInvitation

_Invitation = BoardInvitation | BoardLink | ReceivedInvitation


def _if_any(name: str) -> Callable[[_Invitation], str | None]:
    """Read an attribute that only one kind of invitation has."""
    return lambda one: getattr(one, name, None)


class InvitationRecord(Projection, frozen=True, kw_only=True):
    """An invitation to an album: one that you received, or one to your own album by email address or by link."""

    board_key: str
    board_name: Annotated[str | None, From(_if_any("board_name"))]
    owner: Annotated[str | None, From(_if_any("owner_name"))]
    email: Annotated[str | None, From(_if_any("email_id"))]
    link_key: Annotated[str | None, From(_if_any("link_key"))]
    url: Annotated[str | None, From(_if_any("link_url"))]
    role: Annotated[str, From(lambda one: role_name(one.member_type))]
    created: Time
    expires: Time


def _record(one: _Invitation, board: str = "") -> InvitationRecord:
    return InvitationRecord.of(one, board_key=one.board_key if isinstance(one, ReceivedInvitation) else board)


def _row(one: _Invitation) -> Row:
    if isinstance(one, ReceivedInvitation):
        what = f"{visible(one.board_name or '')} by {visible(one.owner_name or '')}  ({KEY}{one.board_key})"
    elif isinstance(one, BoardLink):
        what = f"{visible(one.link_url or '')}  ({KEY}{one.link_key})"
    else:
        what = visible(one.email_id or "")
    return role_name(one.member_type), f"until {local_time(one.expires_date)}", what


@boards.command(
    "invite",
    "skyshelf albums invite Summer grace@example.org",
    "skyshelf albums invite Summer --link --viewer",
    record=InvitationRecord,
)
@click.argument("board", metavar="ALBUM")
@click.argument("email", required=False)
@click.option("--link", is_flag=True, help="Create a link that lets anyone join.")
@click.option("--viewer", is_flag=True, help="Allow viewing and commenting only.")
@click.option("--expires", type=FUTURE_TIME, help="When the invitation expires: 7d, a date or a time.  [default: 30d]")
def boards_invite(
    *, session: CommandSession, board: str, email: str | None, link: bool, viewer: bool, expires: int | None
) -> None:
    """Invite someone to your album, by email address or by link.

    No email is sent: let them know that the invitation is waiting. The result is the same whether or not the address
    has an account.
    """
    if (email is None) == (not link):
        raise click.UsageError("use either an email address or --link")
    key = board_key(session, board)
    role: GivenMemberType = "V" if viewer else "M"
    invitation: _Invitation
    if email is None:
        invitation = session.client.boards.create_link(key, role=role, expires=expires or None)
        session.out.record(_record(invitation, key), [invitation.link_url or ""])
    else:
        invitation = session.client.boards.invite(key, email, role=role, expires=expires or None)
        session.out.record(_record(invitation, key))
        session.out.note(
            f"Invited {email} until {local_time(invitation.expires_date)}. No email is sent: let them know."
        )


@boards.command(
    "invitations", "skyshelf albums invitations", "skyshelf albums invitations Summer", records=InvitationRecord
)
@click.argument("board", metavar="ALBUM", required=False)
def boards_invitations(*, session: CommandSession, board: str | None) -> None:
    """List received invitations, or those to your board.

    With BOARD, its links are listed too.
    """
    key = "" if board is None else board_key(session, board)
    found: Iterable[_Invitation]
    if board is None:
        found = session.client.boards.received_invitations()
    else:
        sent = session.client.boards.invitations(key)
        found = [*(sent.invitations or ()), *(sent.links or ())]
    session.out.rows(found, lambda one: _record(one, key), _row, empty="No invitations.")


@boards.command("revoke", "skyshelf albums revoke Summer grace@example.org")
@click.argument("board", metavar="ALBUM")
@click.argument("invitation", metavar="EMAIL|LINK")
def boards_revoke(*, session: CommandSession, board: str, invitation: str) -> None:
    """Revoke an invitation or a link to your board.

    Name an invitation by its email address, and a link by its URL or key. Members who have joined stay.
    """
    key = board_key(session, board)
    links = session.client.boards.invitations(key).links or []
    matches = [one for one in links if invitation in {KEY + one.link_key, one.link_url, one.token}]
    if matches:
        session.client.boards.revoke_link(key, matches[0].link_key)
    else:
        session.client.boards.revoke_invitation(key, invitation)
    session.out.note(f"Revoked the {'link' if matches else 'invitation'}.")


@boards.command(
    "accept",
    "skyshelf albums accept Summer",
    "skyshelf albums accept https://drive.example.org/#invitation=TOKEN",
    record=BoardRecord,
)
@click.argument("invitation", metavar="BOARD|LINK")
def boards_accept(*, session: CommandSession, invitation: str) -> None:
    """Join an album by invitation or link."""
    joined = session.client.boards.accept(_find_invitation(session, invitation, links=True))
    session.out.record(BoardRecord.of(joined), [f"{KEY}{joined.board_key}"])


@boards.command("decline", "skyshelf albums decline Summer")
@click.argument("invitation", metavar="BOARD")
def boards_decline(*, session: CommandSession, invitation: str) -> None:
    """Decline an invitation."""
    session.client.boards.decline(_find_invitation(session, invitation, links=False))
    session.out.note("Declined the invitation.")


def _find_invitation(session: CommandSession, text: str, *, links: bool) -> str:
    """The key of the album that an invitation names; a link is returned unchanged."""
    if text.startswith(KEY):
        return target(text)
    found = [one.board_key for one in session.client.boards.received_invitations() if one.board_name == text]
    if len(found) == 1:
        return found[0]
    if links and not found:
        return text
    raise NotFound(
        f"{len(found) or 'no'} invitations to an album named {text!r}: `skyshelf albums invitations` lists them"
    )


@boards.command("role", "skyshelf albums role Summer Grace viewer", records=MemberRecord)
@click.argument("board", metavar="ALBUM")
@click.argument("member")
@click.argument("role", type=click.Choice(list(ROLES)))
@yes_option
def boards_role(*, session: CommandSession, board: str, member: str, role: str, yes: bool) -> None:
    """Change the role of a member of your board."""
    key = board_key(session, board)
    user = member_id(session, key, member)
    if role == "owner":
        confirm(f"Transfer {visible(board)} to {visible(member)}? Only they can transfer it back.", yes=yes)

    def row(one: BoardMember) -> Row:
        return visible(one.first_name or one.user_id), role_name(one.member_type)

    session.out.rows(session.client.boards.set_role(key, user, ROLES[role]), MemberRecord.of, row)


@boards.command("remove-member", "skyshelf albums remove-member Summer Grace")
@click.argument("board", metavar="ALBUM")
@click.argument("member")
@yes_option
def boards_remove_member(*, session: CommandSession, board: str, member: str, yes: bool) -> None:
    """Remove a member from your album, together with their files."""
    key = board_key(session, board)
    user = member_id(session, key, member)
    confirm(f"Remove {visible(member)} and their files from {visible(board)}?", yes=yes)
    session.client.boards.remove_member(key, user)
    session.out.note(f"Removed {member} from {board}.")

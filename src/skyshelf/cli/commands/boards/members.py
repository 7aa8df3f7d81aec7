"""`skyshelf boards invite`, `invitations`, `revoke`, `accept`, `decline`, `role`, `remove-member`: members."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import FutureTime
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.sharing_records import BoardRecord, InvitationRecord, MemberRecord
from skyshelf.cli.base.targets import KEY, target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.boards.names import ROLES, board_key, board_record, member_id, member_record, role_name
from skyshelf.wire.client_errors import OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.boards import BoardInvitation, BoardLink, BoardMember, GivenMemberType, ReceivedInvitation

_Invitation = BoardInvitation | BoardLink | ReceivedInvitation


def _record(one: _Invitation, board: str = "") -> InvitationRecord:
    received = one if isinstance(one, ReceivedInvitation) else None
    link = one if isinstance(one, BoardLink) else None
    return InvitationRecord(
        board_key=received.board_key if received else board,
        board_name=received.board_name if received else None,
        owner=received.owner_name if received else None,
        email=one.email_id if isinstance(one, BoardInvitation) else None,
        link_key=link.link_key if link else None,
        url=link.link_url if link else None,
        role=role_name(one.member_type),
        created=utc_time(one.created_date),
        expires=utc_time(one.expires_date),
    )


def _lines(found: Iterable[_Invitation]) -> Iterator[str]:
    rows = []
    for one in found:
        if isinstance(one, ReceivedInvitation):
            what = f"{visible(one.board_name or '')} by {visible(one.owner_name or '')}  ({KEY}{one.board_key})"
        elif isinstance(one, BoardLink):
            what = f"{visible(one.link_url or '')}  ({KEY}{one.link_key})"
        else:
            what = visible(one.email_id or "")
        rows.append((role_name(one.member_type), f"until {local_time(one.expires_date)}", what))
    yield from table(rows)


@click.command(
    "invite",
    cls=ClientCommand,
    record=InvitationRecord,
    example=("skyshelf boards invite Summer grace@example.org", "skyshelf boards invite Summer --link --viewer"),
)
@click.argument("board")
@click.argument("email", required=False)
@click.option("--link", is_flag=True, help="Create a link that lets anyone join.")
@click.option("--viewer", is_flag=True, help="Allow viewing and commenting only.")
@click.option("--expires", type=FutureTime(), help="When the invitation expires: 7d, a date or a time.  [default: 30d]")
def boards_invite(
    *, session: CommandSession, board: str, email: str | None, link: bool, viewer: bool, expires: int | None
) -> None:
    """Invite someone to your board, by email address or by link.

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


@click.command(
    "invitations",
    cls=ClientCommand,
    record=InvitationRecord,
    many=True,
    example=("skyshelf boards invitations", "skyshelf boards invitations Summer"),
)
@click.argument("board", required=False)
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
    session.out.records(found, lambda one: _record(one, key), _lines, empty="No invitations.")


@click.command("revoke", cls=ClientCommand, example="skyshelf boards revoke Summer grace@example.org")
@click.argument("board")
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


@click.command(
    "accept",
    cls=ClientCommand,
    record=BoardRecord,
    example=("skyshelf boards accept Summer", "skyshelf boards accept https://drive.example.org/#invitation=TOKEN"),
)
@click.argument("invitation", metavar="BOARD|LINK")
def boards_accept(*, session: CommandSession, invitation: str) -> None:
    """Join a board by invitation or link."""
    joined = session.client.boards.accept(_find_invitation(session, invitation, links=True))
    session.out.record(board_record(joined), [f"{KEY}{joined.board_key}"])


@click.command("decline", cls=ClientCommand, example="skyshelf boards decline Summer")
@click.argument("invitation", metavar="BOARD")
def boards_decline(*, session: CommandSession, invitation: str) -> None:
    """Decline an invitation."""
    session.client.boards.decline(_find_invitation(session, invitation, links=False))
    session.out.note("Declined the invitation.")


def _find_invitation(session: CommandSession, text: str, *, links: bool) -> str:
    """The board's key of an invitation that names the board; a link unchanged."""
    if text.startswith(KEY):
        return target(text)
    found = [one.board_key for one in session.client.boards.received_invitations() if one.board_name == text]
    if len(found) == 1:
        return found[0]
    if links and not found:
        return text
    raise CommandFailed(
        f"{len(found) or 'no'} invitations to a board named {text!r}: `skyshelf boards invitations` lists them",
        OBJECT_NOT_FOUND_ERROR.exit_code,
    )


@click.command(
    "role", cls=ClientCommand, record=MemberRecord, many=True, example="skyshelf boards role Summer Grace viewer"
)
@click.argument("board")
@click.argument("member")
@click.argument("role", type=click.Choice(list(ROLES)))
@yes_option
def boards_role(*, session: CommandSession, board: str, member: str, role: str, yes: bool) -> None:
    """Change the role of a member of your board."""
    key = board_key(session, board)
    user = member_id(session, key, member)
    if role == "owner" and not yes:
        confirm(f"Transfer {visible(board)} to {visible(member)}? Only they can transfer it back.")
    members = session.client.boards.set_role(key, user, ROLES[role])

    def lines(found: Iterable[BoardMember]) -> Iterator[str]:
        yield from table((visible(one.first_name or one.user_id), role_name(one.member_type)) for one in found)

    session.out.records(members, member_record, lines)


@click.command("remove-member", cls=ClientCommand, example="skyshelf boards remove-member Summer Grace")
@click.argument("board")
@click.argument("member")
@yes_option
def boards_remove_member(*, session: CommandSession, board: str, member: str, yes: bool) -> None:
    """Remove a member from your board, together with their files."""
    key = board_key(session, board)
    user = member_id(session, key, member)
    if not yes:
        confirm(f"Remove {visible(member)} and their files from {visible(board)}?")
    session.client.boards.remove_member(key, user)
    session.out.note(f"Removed {member} from {board}.")


COMMANDS = (
    boards_invite,
    boards_invitations,
    boards_revoke,
    boards_accept,
    boards_decline,
    boards_role,
    boards_remove_member,
)

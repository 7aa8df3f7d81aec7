"""`skyshelf boards invite`, `invitations`, `revoke`, `accept`, `decline`, `role`, `remove-member`: who is on one."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import Until
from skyshelf.cli.base.prompts import confirmed, yes_option
from skyshelf.cli.base.records import BoardRecord, InvitationRecord, MemberRecord
from skyshelf.cli.base.session import ClientCommand, Session
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
            what = f"{visible(one.board_name or '')} of {visible(one.owner_name or '')}  ({KEY}{one.board_key})"
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
@click.option("--link", is_flag=True, help="Make a link instead, which brings whoever has it.")
@click.option("--viewer", is_flag=True, help="To look and comment, and not to add files.")
@click.option("--expires", type=Until(), help="When the invitation ends: 7d, a day or a time; 30d if you do not say.")
def boards_invite(
    *, session: Session, board: str, email: str | None, link: bool, viewer: bool, expires: int | None
) -> None:
    """Invite somebody to a board of yours, by e-mail address or by a link. Nobody is told whether an account has it."""
    if (email is None) == (not link):
        raise click.UsageError("name an e-mail address, or say --link")
    key = board_key(session, board)
    role: GivenMemberType = "V" if viewer else "M"
    made: _Invitation
    if email is None:
        made = session.client.boards.create_link(key, role=role, expires=expires or None)
        session.out.one(_record(made, key), [made.link_url or ""])
    else:
        made = session.client.boards.invite(key, email, role=role, expires=expires or None)
        session.out.one(_record(made, key))
        session.out.note(f"{email} is invited until {local_time(made.expires_date)}. Tell them: no mail is sent.")


@click.command(
    "invitations",
    cls=ClientCommand,
    record=InvitationRecord,
    many=True,
    example=("skyshelf boards invitations", "skyshelf boards invitations Summer"),
)
@click.argument("board", required=False)
def boards_invitations(*, session: Session, board: str | None) -> None:
    """List the invitations that you got, or those to a board of yours, with its links."""
    key = "" if board is None else board_key(session, board)
    found: Iterable[_Invitation]
    if board is None:
        found = session.client.boards.received_invitations()
    else:
        sent = session.client.boards.invitations(key)
        found = [*(sent.invitations or ()), *(sent.links or ())]
    session.out.many(found, lambda one: _record(one, key), _lines, none="There are no invitations.")


@click.command("revoke", cls=ClientCommand, example="skyshelf boards revoke Summer grace@example.org")
@click.argument("board")
@click.argument("invitation", metavar="EMAIL|LINK")
def boards_revoke(*, session: Session, board: str, invitation: str) -> None:
    """Take back an invitation by its address, or a link by its key or itself; who has come already stays."""
    key = board_key(session, board)
    links = session.client.boards.invitations(key).links or []
    alike = [one for one in links if invitation in {KEY + one.link_key, one.link_url, one.token}]
    if alike:
        session.client.boards.revoke_link(key, alike[0].link_key)
    else:
        session.client.boards.revoke_invitation(key, invitation)
    session.out.note("It is taken back.")


@click.command(
    "accept",
    cls=ClientCommand,
    record=BoardRecord,
    example=("skyshelf boards accept Summer", "skyshelf boards accept https://drive.example.org/#invitation=TOKEN"),
)
@click.argument("invitation", metavar="BOARD|LINK")
def boards_accept(*, session: Session, invitation: str) -> None:
    """Join a board that you are invited to, or have a link to."""
    joined = session.client.boards.accept(_received(session, invitation, links=True))
    session.out.one(board_record(joined), [f"{KEY}{joined.board_key}"])


@click.command("decline", cls=ClientCommand, example="skyshelf boards decline Summer")
@click.argument("invitation", metavar="BOARD")
def boards_decline(*, session: Session, invitation: str) -> None:
    """Decline an invitation."""
    session.client.boards.decline(_received(session, invitation, links=False))
    session.out.note("You will not be on that board.")


def _received(session: Session, text: str, *, links: bool) -> str:
    """What an invitation is accepted by: the key of its board, or a link as it is."""
    if text.startswith(KEY):
        return target(text)
    found = [one.board_key for one in session.client.boards.received_invitations() if one.board_name == text]
    if len(found) == 1:
        return found[0]
    if links and not found:
        return text
    raise CommandFailed(
        f"{len(found) or 'no'} boards called {text!r} are open to you: `skyshelf boards invitations` lists their keys",
        OBJECT_NOT_FOUND_ERROR.exit_code,
    )


@click.command(
    "role", cls=ClientCommand, record=MemberRecord, many=True, example="skyshelf boards role Summer Grace viewer"
)
@click.argument("board")
@click.argument("member")
@click.argument("role", type=click.Choice(list(ROLES)))
@yes_option
def boards_role(*, session: Session, board: str, member: str, role: str, yes: bool) -> None:
    """Make a member of a board of yours an editor, a viewer or its owner."""
    key = board_key(session, board)
    user = member_id(session, key, member)
    if role == "owner" and not yes:
        confirmed(f"Give {visible(board)} to {visible(member)}? Only they can give it back.")
    members = session.client.boards.set_role(key, user, ROLES[role])

    def lines(found: Iterable[BoardMember]) -> Iterator[str]:
        yield from table((visible(one.first_name or one.user_id), role_name(one.member_type)) for one in found)

    session.out.many(members, member_record, lines)


@click.command("remove-member", cls=ClientCommand, example="skyshelf boards remove-member Summer Grace")
@click.argument("board")
@click.argument("member")
@yes_option
def boards_remove_member(*, session: Session, board: str, member: str, yes: bool) -> None:
    """Take somebody off a board of yours, and their files with them."""
    key = board_key(session, board)
    user = member_id(session, key, member)
    if not yes:
        confirmed(f"Take {visible(member)} off {visible(board)}, and what they show there?")
    session.client.boards.remove_member(key, user)
    session.out.note(f"{member} is not on {board} any more.")


COMMANDS = (
    boards_invite,
    boards_invitations,
    boards_revoke,
    boards_accept,
    boards_decline,
    boards_role,
    boards_remove_member,
)

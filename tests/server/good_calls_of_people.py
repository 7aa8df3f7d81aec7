"""Boards with people on them, tags and contacts, for the good calls: what an account has, and what is sent."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec
from tests.server.api import Api, new_account

from skyshelf.storage.metadata.contracts.boards import Invitation, NewBoard, NewComment
from skyshelf.storage.metadata.contracts.tree import NewTag
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.contacts import Contact, ContactMailbox

if TYPE_CHECKING:
    from tests.server.good_calls import Keys

_numbers = count(1)
_CARD = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Byron\r\nEMAIL:ada@example.org\r\nEND:VCARD\r\n"


class PeopleKeys(msgspec.Struct, frozen=True, kw_only=True):
    """`invited` and `to_decline` are boards of somebody else's that the account is invited to."""

    member: str
    comment: str
    invitation: str
    link: str
    spare_board: str
    invited: str
    to_decline: str
    tag: str
    spare_tag: str
    contact: str


def furnish_people(api: Api, board: str, file: str) -> PeopleKeys:
    """Bring somebody onto the board, put the file on it, and give the account one of everything else."""
    ctx, me = api.ctx, api.account
    host = new_account(ctx, f"host-{next(_numbers)}-of-{me.email}", first_name="Charles")
    comment, spare, invited, to_decline, tag, spare_tag, contact = (ctx.new_key() for _ in range(7))
    now = ctx.clock.now()
    later = now + 86_400_000

    def invitation(email: str) -> Invitation:
        return Invitation(email=email, role="M", created_at=now, expires_at=later)

    def work(unit: Unit) -> None:
        for name, key in (("Invited", invited), ("To decline", to_decline)):
            unit.boards.create(host.account_id, NewBoard(board_key=key, name=name), now)
            unit.board_invitations.invite(host.account_id, key, invitation(me.email))
        unit.boards.create(me.account_id, NewBoard(board_key=spare, name="Spare"), now)
        unit.board_invitations.invite(me.account_id, board, invitation(host.email))
        unit.board_invitations.accept(host.account_id, board, now)
        unit.board_invitations.invite(me.account_id, board, invitation("guest@example.org"))
        unit.board_items.add(me.account_id, board, [file], now)
        unit.board_comments.add(me.account_id, board, NewComment(comment_key=comment, text="Nice"), now)
        unit.tags.add(me.account_id, [file], NewTag(tag_key=tag, name="sea"), now)
        unit.tags.add(me.account_id, [file], NewTag(tag_key=spare_tag, name="spare"), now)
        ada = Contact(display_name="Ada", emails=[ContactMailbox(email_id="ada@example.org", type="home")])
        unit.contacts.add(me.account_id, {contact: ada}, now)

    ctx.metadata.write(work)
    return PeopleKeys(
        member=host.account_key,
        comment=comment,
        invitation=api.get(f"/x/v1/boards/{board}/invitations").json()["invitations"][0]["invitationKey"],
        # Over HTTP: the very first link makes the server's own secret, once.
        link=api.post(f"/x/v1/boards/{board}/links", json={}).json()["linkKey"],
        spare_board=spare,
        invited=invited,
        to_decline=to_decline,
        tag=tag,
        spare_tag=spare_tag,
        contact=contact,
    )


GIVEN: dict[str, Callable[[Api, Keys], dict[str, Any]]] = {
    "add_to_board": lambda api, keys: {"body": {"objectKeys": [keys.file]}},
    "remove_from_board": lambda api, keys: {"body": {"objectKeys": [keys.file]}},
    "board_contributors": lambda api, keys: {"params": {"objectKeys": keys.file}},
    "set_board_cover": lambda api, keys: {"body": {"objectKey": keys.file}},
    "edit_board": lambda api, keys: {"body": {"boardName": "Another name", "boardDescription": ""}},
    "invite_to_board": lambda api, keys: {"body": {"emailId": "somebody@example.org", "memberType": "V"}},
    "create_board_link": lambda api, keys: {"body": {"memberType": "V"}},
    "set_board_role": lambda api, keys: {"body": {"memberType": "V"}},
    "add_board_comment": lambda api, keys: {"body": {"text": "Where was this?", "objectKey": keys.file}},
    "edit_board_comment": lambda api, keys: {"body": {"text": "Very nice"}},
    "accept_invitation": lambda api, keys: {"body": {"boardKey": keys.people.invited}},
    "decline_invitation": lambda api, keys: {"body": {"boardKey": keys.people.to_decline}},
    "add_tag": lambda api, keys: {"body": {"tagName": "beach", "objectKeys": [keys.file]}},
    "remove_tag": lambda api, keys: {"body": {"tagId": keys.people.tag, "objectKeys": [keys.file]}},
    "rename_tag": lambda api, keys: {"body": {"tagName": "ocean"}},
    "timeline_objects": lambda api, keys: {"params": {"year": "2026", "month": "5"}},
    "add_contact": lambda api, keys: {"body": {"displayName": "Grace", "phones": [{"number": "1", "type": "work"}]}},
    "edit_contact": lambda api, keys: {"body": {"displayName": "Ada Byron"}},
    "remove_contacts": lambda api, keys: {"body": {"contactIds": [keys.people.contact]}},
    "import_contacts": lambda api, keys: {"body": {"vcards": _CARD}},
}
PARTLY = {"add_to_board", "remove_from_board", "add_tag", "remove_tag", "remove_contacts"}
"""Calls that answer 200 and tell in `unprocessed` what is not there."""

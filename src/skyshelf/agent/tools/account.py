"""Whose account it is, and the people around it."""

from typing import Final

from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import (
    AccountSummary,
    BoardSummary,
    ContactSummary,
    account_summary,
    board_summary,
    contact_summary,
)
from skyshelf.agent.tool import Answer, Arguments, Limit, Tool

CONTACTS_DEFAULT: Final = 1000


class Nothing(Arguments, frozen=True, kw_only=True):
    """No arguments."""


async def _account_info(ctx: ToolContext, _given: Nothing) -> Answer:
    return Answer(result=account_summary(await ctx.client.profile()))


async def _list_boards(ctx: ToolContext, _given: Nothing) -> Answer:
    credentials = ctx.client.credentials
    user_id = credentials.user_id if credentials else ""
    boards = [board_summary(each, user_id) async for each in ctx.client.boards()]
    return Answer(result=boards, count=len(boards))


class ContactsWanted(Arguments, frozen=True, kw_only=True):
    """How many contacts."""

    limit: Limit = CONTACTS_DEFAULT


async def _get_contacts(ctx: ToolContext, given: ContactsWanted) -> Answer:
    shown: list[ContactSummary] = []
    count = 0
    async for each in ctx.client.contacts():
        count += 1
        if count <= given.limit:
            shown.append(contact_summary(each))
    return Answer(result=shown, count=count)


ACCOUNT_INFO: Final = Tool(
    name="account_info",
    words="Tell whose account this is, the key of its root folder, its devices, and how much storage is used and free.",
    arguments=Nothing,
    result=AccountSummary,
    run=_account_info,
    read_only=True,
    idempotent=True,
)
LIST_BOARDS: Final = Tool(
    name="list_boards",
    words="List the boards (shared albums) that the user is a member of, with their counts of files and people.",
    arguments=Nothing,
    result=list[BoardSummary],
    run=_list_boards,
    read_only=True,
    idempotent=True,
)
GET_CONTACTS: Final = Tool(
    name="get_contacts",
    words="List the people in the address book with their e-mail addresses and telephone numbers.",
    arguments=ContactsWanted,
    result=list[ContactSummary],
    run=_get_contacts,
    read_only=True,
    idempotent=True,
)

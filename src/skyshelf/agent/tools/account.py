"""The account, its boards and its contacts."""

from typing import Final

from skyshelf.agent.call import Arguments, Limit, ToolResult
from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import (
    AccountSummary,
    BoardSummary,
    ContactSummary,
    account_summary,
    board_summary,
    contact_summary,
)
from skyshelf.agent.tool import Tool

CONTACTS_DEFAULT: Final = 1000


class NoArguments(Arguments, frozen=True, kw_only=True):
    """No arguments."""


async def _account_info(ctx: ToolContext, _given: NoArguments) -> ToolResult:
    return ToolResult(result=account_summary(await ctx.client.account.profile()))


async def _list_boards(ctx: ToolContext, _given: NoArguments) -> ToolResult:
    credentials = ctx.client.credentials
    user_id = credentials.user_id if credentials else ""
    boards = [board_summary(board, user_id) async for board in ctx.client.boards.list()]
    return ToolResult(result=boards, count=len(boards))


class GetContactsArguments(Arguments, frozen=True, kw_only=True):
    """How many contacts."""

    limit: Limit = CONTACTS_DEFAULT


async def _get_contacts(ctx: ToolContext, given: GetContactsArguments) -> ToolResult:
    contacts: list[ContactSummary] = []
    count = 0
    async for contact in ctx.client.contacts.list():
        count += 1
        if count <= given.limit:
            contacts.append(contact_summary(contact))
    return ToolResult(result=contacts, count=count)


ACCOUNT_INFO: Final = Tool(
    name="account_info",
    summary="Show the account's owner, root folder key, devices, and how much storage is used and free.",
    arguments=NoArguments,
    result=AccountSummary,
    run=_account_info,
    read_only=True,
    idempotent=True,
)
LIST_BOARDS: Final = Tool(
    name="list_boards",
    summary="List the boards (shared albums) the user is a member of, with the number of files and members of each.",
    arguments=NoArguments,
    result=list[BoardSummary],
    run=_list_boards,
    read_only=True,
    idempotent=True,
)
GET_CONTACTS: Final = Tool(
    name="get_contacts",
    summary="List the contacts in the address book with their email addresses and phone numbers.",
    arguments=GetContactsArguments,
    result=list[ContactSummary],
    run=_get_contacts,
    read_only=True,
    idempotent=True,
)

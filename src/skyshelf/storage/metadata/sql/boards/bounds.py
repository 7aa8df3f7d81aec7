"""Bounds on boards and their members."""

from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.statements import Params, Sql, raw
from skyshelf.wire.limits import BOARD_INVITATIONS_MAX, BOARD_LINKS_MAX, BOARD_MEMBERS_MAX, BOARDS_MAX


def refuse_more_boards(sql: Sql, account_id: int) -> None:
    of_account = "FROM board_members WHERE account_id = :account"
    refuse_beyond(sql, of_account, {"account": account_id}, most=BOARDS_MAX, what="boards of one account: leave some")


def refuse_more_members(sql: Sql, account_id: int, board_key: str) -> None:
    """Nothing for somebody who is a member already."""
    params: Params = {"board": raw(board_key), "account": account_id}
    if sql.one("SELECT 1 FROM board_members WHERE board_key = :board AND account_id = :account", params):
        return
    refuse_more_boards(sql, account_id)
    of_board = "FROM board_members WHERE board_key = :board"
    refuse_beyond(sql, of_board, {"board": raw(board_key)}, most=BOARD_MEMBERS_MAX, what="members of one board")


def refuse_more_invitations(sql: Sql, board_key: str, email_folded: str) -> None:
    """Nothing for an address that is invited already."""
    refuse_beyond(
        sql,
        "FROM board_invitations WHERE board_key = :board AND email_folded <> :email",
        {"board": raw(board_key), "email": email_folded},
        most=BOARD_INVITATIONS_MAX,
        what="invitations to one board: revoke some",
    )


def refuse_more_links(sql: Sql, board_key: str) -> None:
    of_board = "FROM board_links WHERE board_key = :board"
    refuse_beyond(
        sql, of_board, {"board": raw(board_key)}, most=BOARD_LINKS_MAX, what="links to one board: revoke some"
    )

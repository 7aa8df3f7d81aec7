"""`skyshelf boards publish`: public links to boards."""

import click

from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.sharing_records import LinkRecord
from skyshelf.cli.base.targets import KEY
from skyshelf.cli.commands.boards.names import board_key
from skyshelf.cli.commands.shares import asked_password, limits, link_record, max_uploads_option


@click.command(
    "publish",
    cls=ClientCommand,
    record=LinkRecord,
    example=(
        "skyshelf boards publish Summer --expires 30d",
        "skyshelf boards publish Wedding --guests-add --password --max-files 500",
    ),
)
@click.argument("board")
@click.option("--name", help="Name of the link in your list; by default the board's.")
@click.option("--guests-add", is_flag=True, help="Let visitors add photos and videos too.")
@max_uploads_option("Number of files that visitors can add in all.")
@limits
def boards_publish(
    *,
    session: CommandSession,
    board: str,
    name: str | None,
    guests_add: bool,
    max_files: int | None,
    expires: int | None,
    ask: bool,
    password_stdin: bool,
    max_downloads: int | None,
) -> None:
    """Create a public link to your board.

    Anyone who has the link sees the board as a gallery, without an account. Prints only the link, ready for a script;
    `skyshelf shares ls` lists it, and `skyshelf shares revoke` ends it.
    """
    password = asked_password(ask, password_stdin)
    link = session.client.shares.publish_board(
        board_key(session, board),
        name=name or _name_of(session, board),
        rights="add" if guests_add else "view",
        expires=expires,
        password=password,
        max_downloads=max_downloads,
        max_uploads=max_files,
    )
    session.out.record(link_record(link), [link.share_url or ""])


def _name_of(session: CommandSession, board: str) -> str:
    if not board.startswith(KEY):
        return board
    found = session.client.boards.get(board_key(session, board)).board
    return (found and found.board_name) or board


COMMANDS = (boards_publish,)

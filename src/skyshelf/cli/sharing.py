"""`skyshelf share` and `shares`: public links."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.records import ObjectRecord, ShareRecord, object_record
from skyshelf.cli.session import ClientCommand, Session
from skyshelf.cli.targets import locate_all
from skyshelf.client.objects import RemoteObject


@click.command(
    "share", cls=ClientCommand, record=ShareRecord, example="skyshelf share /Photos/beach.jpg /Photos/sea.jpg"
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--name", help="What the link is called; made from the time where none is given.")
def share(*, session: Session, paths: tuple[str, ...], name: str | None) -> None:
    """Make one public link to files and folders, and print it and nothing else."""
    found = locate_all(session.client, paths)
    link = session.client.share_link([each.object for each in found], name=name)
    record = ShareRecord(url=link.url, share_name=link.share_name, object_keys=link.object_keys.split(","))
    session.out.one(record, [link.url])


@click.command("shares", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf shares")
def shares(*, session: Session) -> None:
    """List what has a public link, newest link first."""

    def lines(found: Iterable[RemoteObject]) -> Iterator[str]:
        for one in found:
            yield session.out.name(one.name, is_folder=one.is_folder)

    session.out.many(session.client.shared_by_me(), object_record, lines)

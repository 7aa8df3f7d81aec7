"""`skyshelf open`: the web page of the server."""

import click

from skyshelf.cli.session import ClientCommand, Session


@click.command("open", cls=ClientCommand, example="skyshelf open")
@click.option("--print", "print_only", is_flag=True, help="Print the address instead.")
def open_page(*, session: Session, print_only: bool) -> None:
    """Open the web page of the server in a browser."""
    from skyshelf.client.settings import load_settings
    from skyshelf.wire.endpoint import Host

    settings = load_settings({"server": session.server}, profile=session.profile)
    url = settings.hosts.base(Host.ACCOUNT)
    if print_only or click.launch(url) != 0:
        session.out.lines([url])

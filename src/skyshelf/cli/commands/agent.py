"""`skyshelf agent`: the bridge as schemas, single calls, a stdio loop or an MCP server; its journal and undo."""

import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import click

from skyshelf.cli.base.errors import CommandFailed, UsageProblem
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import (
    EXISTING_FILE,
    EXISTING_FOLDER,
    FOLDER,
    SIZE,
    add_options,
    number_option,
    shown_option,
)
from skyshelf.wire.client_errors import EXIT_UNEXPECTED

if TYPE_CHECKING:
    from skyshelf.agent.bridge import Bridge
    from skyshelf.agent.dispatcher import Dispatcher
    from skyshelf.agent.mcp.confirmation import Consent
    from skyshelf.agent.schemas import SchemaFormat

TOKEN_VARIABLE: Final = "SKYSHELF_MCP_TOKEN"  # noqa: S105 - the name of a variable
TOKEN_CHARS_MIN: Final = 16
_MISSING: Final = "`skyshelf agent mcp` needs a library that is not installed: run pip install 'skyshelf[mcp]'"
_MCP_LIBRARY: Final = frozenset({"mcp", "mcp_types", "uvicorn", "anyio", "pydantic", "starlette"})


@contextmanager
def _require_mcp_library() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _MCP_LIBRARY:
            raise
        raise UsageProblem(_MISSING) from None


def serve_over_stdio(dispatcher: "Dispatcher", open_answers: Callable[[], BinaryIO], consent: "Consent") -> int:
    """Serve MCP to the host that started the process, and return the exit code."""
    with _require_mcp_library():
        from skyshelf.agent.mcp.stdio import serve
    # A separate reader: Python would hang at exit on a standard input that a thread is still reading.
    lines = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    return serve(dispatcher, lines, open_answers(), consent=consent)


def serve_over_http(
    dispatcher: "Dispatcher",
    address: str,
    *,
    token_file: Path | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    consent: "Consent",
) -> None:
    """Serve MCP over HTTP to hosts with the token, until the process is stopped."""
    from skyshelf.client.hosts import is_loopback

    host, port = _split(address)
    if not is_loopback(host) and not hosts:
        raise UsageProblem(
            f"other machines can reach {host}: list the host names they use with --allow-host, "
            "and put a TLS proxy in front"
        )
    token, is_new = _token(token_file)
    with _require_mcp_library():
        from skyshelf.agent.mcp.http import PATH, listen, serve
    try:
        listener = listen(host, port)
    except OSError as error:
        raise CommandFailed(f"cannot listen on {address}: {error.strerror}; choose another port") from None

    def ready() -> None:
        where = f"[{host}]" if ":" in host and not host.startswith("[") else host
        click.echo(f"Serving MCP at http://{where}:{listener.getsockname()[1]}{PATH}", err=True)
        if is_new:
            click.echo(f"Token (not shown again): {token}", err=True)

    serve(dispatcher, listener, token=token, hosts=hosts, origins=origins, consent=consent, ready=ready)


def _split(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise click.BadParameter("use a port, or host and port, such as 8700 or 127.0.0.1:8700", param_hint="--http")
    return host.strip("[]") or "127.0.0.1", int(port)


def _token(file: Path | None) -> tuple[str, bool]:
    """The token, and whether it was just generated."""
    if file is not None:
        try:
            given = file.read_text("utf-8").strip()
        except (OSError, UnicodeError):
            raise UsageProblem(f"cannot read a token from {file}: name a readable text file") from None
    else:
        given = os.environ.get(TOKEN_VARIABLE, "").strip()
        if not given:
            return secrets.token_urlsafe(32), True
    if len(given) < TOKEN_CHARS_MIN or not given.isascii() or not given.isprintable() or " " in given:
        raise UsageProblem(
            f"the token is too weak: use at least {TOKEN_CHARS_MIN} letters and digits, or none to have one generated"
        )
    return given, False


_profile_option = click.option("--profile", metavar="NAME", help="Use this profile; `skyshelf profiles` lists them.")
_bridge_options = add_options(
    click.option("--read-only", is_flag=True, help="Refuse all tools that change anything."),
    click.option("--dry-run", is_flag=True, help="Change and download nothing; say what each call would do."),
    number_option("--max-objects", 0, default=1000, help="Number of objects that the session may change."),
    number_option("--max-deletions", 0, default=100, help="Number of objects that the session may move to the trash."),
    number_option("--max-renames", 0, default=100, help="Number of renames before the user has to agree to more."),
    shown_option("--max-bytes", type=SIZE, default="10GiB", help="Size that the session may download."),
    shown_option(
        "--tools",
        "tool_set",
        type=click.Choice(["standard", "extended"]),
        default="standard",
        help="The 16 tools, or also those that read and write texts, upload, move, copy, tag and look back.",
    ),
    click.option("--upload-root", type=EXISTING_FOLDER, help="Allow uploads, from below this folder only."),
    click.option("--session", metavar="ID", help="Continue this session, with what is left of its budget."),
    click.option(
        "--download-root",
        type=FOLDER,
        help="Allow downloads only below this folder.  [default: SKYSHELF_DOWNLOAD_ROOT, or the current folder]",
    ),
    _profile_option,
)


@click.group
def agent() -> None:
    """Give a program or an AI model access to your account through 16 tools."""


@agent.command(epilog=examples("skyshelf agent schema --format anthropic"))
@shown_option(
    "--format",
    "form",
    type=click.Choice(["openai", "anthropic"]),
    default="openai",
    help="Whose schema format to print.",
)
@shown_option(
    "--tools",
    "tool_set",
    type=click.Choice(["standard", "extended"]),
    default="standard",
    help="The 16 tools, or also the further ones.",
)
def schema(form: "SchemaFormat", tool_set: str) -> None:
    """Print the tools as function-calling schemas. Needs no login."""
    from msgspec import json

    from skyshelf.agent.registry import EXTENDED, TOOLS
    from skyshelf.agent.schemas import all_schemas

    tools = (EXTENDED if tool_set == "extended" else TOOLS).values()
    click.echo(json.format(json.encode(all_schemas(form, tools)), indent=2))


@agent.command(epilog=examples("""skyshelf agent call '{"tool": "list_trash", "arguments": {"limit": 5}}'"""))
@click.argument("request", metavar="JSON")
@_bridge_options
@click.pass_context
def call(context: click.Context, /, request: str, **options: Any) -> None:
    """Call one tool, and print the response envelope.

    JSON is a call such as '{"tool": "account_info", "arguments": {}}'; - reads it from standard input.
    """
    from skyshelf.agent.bridge import encode_envelope
    from skyshelf.agent.errors import exit_code

    text: str | bytes = sys.stdin.buffer.read() if request == "-" else request
    with _bridge(**options) as bridge:
        envelope = bridge.call_text(text)
    click.echo(encode_envelope(envelope))
    context.exit(exit_code(envelope))


@agent.command("serve", epilog=examples("echo ping | skyshelf agent serve --read-only"))
@_bridge_options
@click.pass_context
def serve_lines(context: click.Context, /, **options: Any) -> None:
    """Answer calls from standard input, one JSON document per line.

    The lines `schema`, `ping` and `quit` are understood too.
    """
    from skyshelf.agent.bridge import serve_lines as serve

    answers = _private_stdout()
    with _bridge(**options) as bridge:
        code = serve(bridge, sys.stdin.buffer, answers)
    context.exit(code)


@agent.command("mcp", epilog=examples("skyshelf agent mcp --read-only", "skyshelf agent mcp --http 8700"))
@_bridge_options
@click.option(
    "--http",
    "address",
    metavar="[HOST:]PORT",
    help="Serve over HTTP; only on this machine, unless HOST is another address.",
)
@click.option(
    "--token-file",
    type=EXISTING_FILE,
    help="Read the HTTP server's token from this file.  [default: SKYSHELF_MCP_TOKEN, or a new one, which is printed]",
)
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="Accept requests for this host name.")
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="ORIGIN", help="Accept requests from pages of this origin."
)
@click.option("--must-ask", is_flag=True, help="Refuse guarded tools if the host cannot ask its user.")
@click.option("--trust-confirm", is_flag=True, help="Accept `confirm: true` even if the host can ask its user.")
@click.pass_context
def serve_mcp(
    context: click.Context,
    /,
    *,
    address: str | None,
    token_file: Path | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    must_ask: bool,
    trust_confirm: bool,
    **options: Any,
) -> None:
    """Serve the tools over the Model Context Protocol, on stdio or HTTP."""
    if must_ask and trust_confirm:
        raise click.UsageError("use either --must-ask or --trust-confirm, not both")
    consent: Consent = "must-ask" if must_ask else "trust-confirm" if trust_confirm else "ask"
    dispatcher = _dispatcher(**options)
    if address is None:
        if token_file or hosts or origins:
            raise click.UsageError("--token-file, --allow-host and --allow-origin require --http")
        context.exit(serve_over_stdio(dispatcher, _private_stdout, consent))
    serve_over_http(dispatcher, address, token_file=token_file, hosts=hosts, origins=origins, consent=consent)


@agent.command("journal", epilog=examples("skyshelf agent journal --limit 5"))
@number_option("--limit", 1, default=20, help="Number of changes to list.")
@click.option("--session", metavar="ID", help="List only the changes of one session.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document per line.")
def show_journal(limit: int, session: str | None, as_json: bool) -> None:
    """List the changes made by tools, newest last.

    Each line starts with the id for `skyshelf agent undo`, and names the session, which can be undone as a whole.
    """
    from msgspec import json, to_builtins

    from skyshelf.agent.journal import Journal
    from skyshelf.agent.redaction import clean_texts
    from skyshelf.cli.base.errors import report_errors
    from skyshelf.client.errors import SkyshelfError

    with report_errors(SkyshelfError, debug=False):
        known = Journal.from_environment().entries()
    entries = [entry for entry in known if session in {None, entry.session}][-limit:]
    for entry in entries:
        if as_json:
            click.echo(json.encode(clean_texts(to_builtins(entry))))
        else:
            arguments = json.encode(clean_texts(entry.arguments)).decode()
            click.echo(
                f"{entry.id}  {entry.time}  {entry.state:7}  {entry.session or '-'}  {entry.tool}  {arguments[:200]}"
            )


@agent.command(
    "undo", epilog=examples("skyshelf agent undo 19a2b3c4d5e-1f2e3d", "skyshelf agent undo agent-0123456789abcdef")
)
@click.argument("identifier", metavar="ID")
@_profile_option
@click.pass_context
def undo_change(context: click.Context, identifier: str, profile: str | None) -> None:
    """Undo one change of the journal, or a whole session.

    The response envelope is printed. What others have changed since is left; then the exit code is 1, and the same
    command goes on with what is left.
    """
    from skyshelf.agent.bridge import encode_envelope
    from skyshelf.agent.errors import exit_code
    from skyshelf.agent.journal import Journal
    from skyshelf.agent.undo import undo

    with _bridge(profile=profile) as bridge:
        envelope = undo(bridge, Journal.from_environment(), identifier)
    click.echo(encode_envelope(envelope))
    result = envelope.get("result")
    is_whole = not (isinstance(result, dict) and result.get("left"))
    context.exit(exit_code(envelope) if is_whole else EXIT_UNEXPECTED)


def _private_stdout() -> BinaryIO:
    """Standard output for envelopes only: everything else that is printed goes to standard error."""
    sys.stdout.flush()
    private = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(private, "wb")


def _bridge(**options: Any) -> "Bridge":
    from skyshelf.agent.bridge import Bridge

    return Bridge(_dispatcher(**options))


def _dispatcher(
    *,
    profile: str | None,
    read_only: bool = False,
    download_root: Path | None = None,
    upload_root: Path | None = None,
    tool_set: str = "standard",
    session: str | None = None,
    **budget: int,
) -> "Dispatcher":
    from functools import partial

    from skyshelf.agent.changeset import Budget, Changeset
    from skyshelf.agent.dispatcher import Dispatcher
    from skyshelf.agent.download_root import DownloadRoot
    from skyshelf.agent.journal import Journal
    from skyshelf.agent.registry import EXTENDED, TOOLS
    from skyshelf.agent.upload_root import UploadRoot
    from skyshelf.client.async_client import AsyncClient

    root = DownloadRoot(download_root) if download_root else None
    limits = {name.removeprefix("max_"): value for name, value in budget.items() if name != "dry_run"}
    try:
        changeset = Changeset(Budget(**limits), dry_run=bool(budget.get("dry_run")), session=session)
    except ValueError as error:
        raise click.BadParameter(f"{error}; `skyshelf agent journal` shows it", param_hint="--session") from None
    open_client = partial(AsyncClient, profile=profile, agent_session=changeset.id)
    journal = Journal.from_environment()
    return Dispatcher(
        open_client,
        downloads=root,
        uploads=UploadRoot(upload_root) if upload_root else None,
        tools=EXTENDED if tool_set == "extended" else TOOLS,
        journal=journal,
        read_only=read_only,
        changeset=changeset,
    )

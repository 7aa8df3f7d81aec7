"""Checks before the server starts: can the stores be opened, are they up to date, and does an account exist?

They run in a separate process, because workers must not inherit connections and threads of a store.
"""

import multiprocessing
from multiprocessing.connection import Connection

import msgspec

from skyshelf.server.app import ServerSettings, open_context
from skyshelf.service.accounts.accounts import has_accounts
from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import StorageError


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    has_accounts: bool = False
    demo: tuple[str, str] | None = None
    """Email address and password of the demo account, if one was requested."""
    problem: str = ""
    """Why the server cannot start; empty if it can."""
    traceback: str = ""


def check_stores(settings: ServerSettings, *, demo: bool) -> Findings:
    """Check the stores in a separate process."""
    # The same way as the workers, so nothing is imported twice unnecessarily.
    context = (
        multiprocessing.get_context("fork")
        if multiprocessing.get_start_method() == "fork"
        else multiprocessing.get_context("spawn")
    )
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run_checks, args=(settings, demo, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        findings = msgspec.msgpack.decode(ours.recv_bytes(), type=Findings)
    except EOFError:
        findings = Findings(problem="the process that checks the stores ended unexpectedly")
    process.join()
    return findings


def _run_checks(settings: ServerSettings, demo: bool, pipe: Connection) -> None:
    pipe.send_bytes(msgspec.msgpack.encode(_findings(settings, demo=demo)))


def _findings(settings: ServerSettings, *, demo: bool) -> Findings:
    import traceback

    try:
        ctx = open_context(settings)
        try:
            ctx.blobs.check()
            login = _fill_demo(ctx) if demo else None
            return Findings(has_accounts=has_accounts(ctx), demo=login)
        finally:
            ctx.media.close()
            ctx.metadata.close()
            ctx.blobs.close()
    except (StorageError, OSError, ImportError) as problem:
        return Findings(problem=str(problem), traceback=traceback.format_exc())
    except Exception as problem:  # noqa: BLE001 - the operator gets one sentence for any error
        return Findings(problem=f"{type(problem).__name__}: {problem}", traceback=traceback.format_exc())


def _fill_demo(ctx: ServiceContext) -> tuple[str, str]:
    """Create the demo account; imported here because few servers need it."""
    from skyshelf.service.demo import fill

    account = fill(ctx)
    return account.email, account.password

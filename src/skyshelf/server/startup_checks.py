"""Before the server starts: are the stores there and of our version, and does anybody have an account?

All of it happens in a process of its own: connections and threads of a store must not be inherited by the workers.
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
    """E-mail address and password of the demo account, where one was asked for."""
    problem: str = ""
    """Why the server cannot start; nothing else counts then."""
    traceback: str = ""


def look(settings: ServerSettings, *, demo: bool) -> Findings:
    """What a process of its own found."""
    # As the workers themselves are started, so that nothing is imported twice where it need not be.
    context = (
        multiprocessing.get_context("fork")
        if multiprocessing.get_start_method() == "fork"
        else multiprocessing.get_context("spawn")
    )
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_look, args=(settings, demo, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        findings = msgspec.msgpack.decode(ours.recv_bytes(), type=Findings)
    except EOFError:
        findings = Findings(problem="the stores could not be looked at")
    process.join()
    return findings


def _look(settings: ServerSettings, demo: bool, answer: Connection) -> None:
    answer.send_bytes(msgspec.msgpack.encode(_findings(settings, demo=demo)))


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
    except Exception as problem:  # noqa: BLE001 - whatever it is, the operator gets one sentence
        return Findings(problem=f"{type(problem).__name__}: {problem}", traceback=traceback.format_exc())


def _fill_demo(ctx: ServiceContext) -> tuple[str, str]:
    """The demo is a module of its own, which few servers ever need."""
    from skyshelf.service.demo import fill

    account = fill(ctx)
    return account.email, account.password

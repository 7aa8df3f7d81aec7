"""Where requests are answered: on the event loop, or in threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.pipeline.access_log import AccessLog
from skyshelf.server.pipeline.request import ServerRequest

OWN = {"x-request-id", "date"}


@contextmanager
def in_threads(app: SkyshelfApp) -> Iterator[None]:
    """Nothing is answered on the event loop."""
    app.pipeline.reads.is_on = False
    try:
        yield
    finally:
        app.pipeline.reads.is_on = True


def noted_on_loop(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of requests that the event loop alone has answered, from now on."""
    found: list[str] = []
    note = AccessLog.note

    def noting(log: AccessLog, request: ServerRequest, status: int, sent: int) -> None:
        if request.is_on_loop:
            found.append(request.scope["path"])
        note(log, request, status, sent)

    monkeypatch.setattr(AccessLog, "note", noting)
    return found


def shown(answer: httpx2.Response) -> tuple[int, dict[str, str], bytes]:
    """Everything of an answer that must not depend on where it was made."""
    return answer.status_code, {k: v for k, v in answer.headers.items() if k not in OWN}, answer.content


def figures_of(app: SkyshelfApp) -> dict[str, Any]:
    """What admission counts, by kind."""
    return {one.kind: one for one in app.pipeline.admission.figures()}

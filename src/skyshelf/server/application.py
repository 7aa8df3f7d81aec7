"""The application that the HTTP server calls: what can be answered at once, and the framework for everything else."""

from collections.abc import Callable
from typing import Any, Final

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from skyshelf.server.events.streams import ChangeStreams
from skyshelf.server.fast_path import FastPath
from skyshelf.server.fast_uploads import FastUploads
from skyshelf.server.fast_webdav import FastWebdav
from skyshelf.server.http.offload import Offload
from skyshelf.server.http.prefix import PathPrefix
from skyshelf.server.http.router import PrefixRouter
from skyshelf.server.remembered_answers import ANSWERS, Answered
from skyshelf.server.remote_fast_path import RemoteFastPath
from skyshelf.storage.watching import Parts, collecting
from skyshelf.wire.endpoints.uploads import UPLOAD

_LOOKED_AT: Final = "skyshelf.looked_at"


class SkyshelfApp(Starlette):
    """Starlette with an outermost layer, so even the framework's own responses get a request id and a log line."""

    def __init__(
        self,
        *args: Any,
        around: Callable[[ASGIApp], ASGIApp],
        change_streams: ChangeStreams,
        fast_path: FastPath | None,
        fast_uploads: FastUploads | None,
        fast_webdav: FastWebdav | None,
        offload: Offload | None,
        prefix: PathPrefix | None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.fast_path = fast_path
        self.fast_uploads = fast_uploads
        self.fast_webdav = fast_webdav
        self._offload = offload
        self._prefix = prefix
        self.change_streams = change_streams
        self.router = PrefixRouter(self.routes, lifespan=options["lifespan"])
        self._around = around

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answered | None:
        """The response to a request without a body, if it can be given in this moment; perhaps with an open file."""
        if self._prefix is not None:
            self._prefix.remove(scope)
        if self._offload is not None:
            self._offload.mark(scope)
        scope[_LOOKED_AT] = True
        fast = self.fast_path
        if fast is None or isinstance(fast, RemoteFastPath):
            return None
        answered = fast.answer(scope, files=files)
        if answered is None and self.fast_webdav is not None:
            answered = self.fast_webdav.answer_now(scope, files=files)
        return answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            answered = None if _LOOKED_AT in scope else self.answer_now(scope)
            if answered is None and isinstance(self.fast_path, RemoteFastPath):
                answered = await self.fast_path.answer_soon(scope, files=_takes_answers(scope))
            if answered is not None and _takes_answers(scope):
                await send({"type": ANSWERS, "answered": answered})
                return
            if answered is not None:
                await send({"type": "http.response.start", "status": answered.status, "headers": answered.headers})
                await send({"type": "http.response.body", "body": answered.body})
                return
            rest: Receive | None = receive
            if self.fast_uploads is not None and scope["path"] == UPLOAD.path and scope["method"] == UPLOAD.method:
                rest = await self.fast_uploads.answer(scope, receive, send)
            elif self.fast_webdav is not None and scope["method"] in FastWebdav.METHODS:
                rest = await self.fast_webdav.answer(scope, receive, send)
            if rest is None:
                return
            receive = rest
        await super().__call__(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        return self._around(super().build_middleware_stack())


def _takes_answers(scope: Scope) -> bool:
    return ANSWERS in scope.get("extensions", ()) and scope["http_version"] == "1.1"


class TracedApp(SkyshelfApp):
    """The same where requests are traced: what is called before the framework is noted, too."""

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answered | None:
        with collecting(Parts(traced=True)):
            return super().answer_now(scope, files=files)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with collecting(Parts(traced=True)):
            await super().__call__(scope, receive, send)

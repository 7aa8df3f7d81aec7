"""Quirks of servers and networks that fail: once, which a client survives, or always, which it reports."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.foreign.messages import DROPPED, STALLED, Asked, Reply, refused
from tests.foreign.quirk import Certificate, Must, Quirk, Touches

PAGE = Reply(200, b"<!DOCTYPE html><html><title>Welcome to our hotel</title></html>", {"Content-Type": "text/html"})

LINKS = "/share/ulinks"
"""Has a row of its own where the answer to a change is lost."""

BATCHES = {"/nms/metadata/1.0", "/nms/metadata/restore"}


class Fault(Quirk):
    """An answer in place of the right one: the first time a call is made, or always. Nothing lags."""

    lag = 0.02

    def __init__(
        self,
        name: str,
        reply: Reply | Callable[[Reply], Reply],
        *,
        once: bool = False,
        after: bool = False,
        touches: Touches = "everything",
        must: Must | None = None,
        kind: str | None = None,
    ) -> None:
        self.name = name + (", once" if once else "")
        self.touches = touches
        self.must = must or ("right" if once else "error")
        self.kind = kind
        self._reply = reply
        self._once = once
        self._after = after
        self._seen: set[tuple[str, str]] = set()

    def instead(self, asked: Asked) -> Reply | None:
        if self._after or isinstance(self._reply, Reply) is False or not self._strikes(asked):
            return None
        assert isinstance(self._reply, Reply)
        return self._reply

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        if not self._after and isinstance(self._reply, Reply):
            return reply
        if reply.status >= 300 or not self._strikes(asked):
            return reply
        return self._reply if isinstance(self._reply, Reply) else self._reply(reply)

    def _strikes(self, asked: Asked) -> bool:
        comes_after = self._after or not isinstance(self._reply, Reply)
        is_lost_link = self._once and comes_after and asked.path == LINKS
        concerned = {
            "everything": asked.is_of_the_interface and not is_lost_link,
            "writes": asked.is_of_the_interface and asked.is_write and not is_lost_link,
            "batches": asked.path in BATCHES,
            "links": asked.path == LINKS,
            "downloads": asked.path.startswith("/download/files/"),
            "extensions": not asked.is_of_the_interface,
        }.get(self.touches, False)
        call = (asked.method, asked.path)
        if not concerned or (self._once and call in self._seen):
            return False
        self._seen.add(call)
        return True


def _truncated(reply: Reply) -> Reply:
    """The announced length is right, and the connection ends before it."""
    return replace(reply, sent=len(reply.content()) // 2)


def _shortened(reply: Reply) -> Reply:
    """A whole answer with half the bytes."""
    half = reply.content()[: len(reply.content()) // 2]
    return replace(reply, body=half, headers={"Content-Type": "application/json; charset=UTF-8", **reply.headers})


def _corrupt(reply: Reply) -> Reply:
    """Send other bytes of the same length."""
    content = bytearray(reply.content())
    content[len(content) // 2] ^= 1
    return replace(reply, body=bytes(content))


def _too_long(reply: Reply) -> Reply:
    return replace(reply, body=reply.content() + b"more")


def _claims_less(reply: Reply) -> Reply:
    return replace(reply, claimed=max(0, len(reply.content()) - 3))


def _throttled(after: str) -> Reply:
    return Reply(429, {"code": "SLOW", "message": "slow down"}, {"Retry-After": after})


class Silence(Fault):
    """No answer at all; a client that waits is told to wait for a moment only."""

    read_timeout = 0.02

    def __init__(self) -> None:
        super().__init__("no answer", STALLED)


class Untrusted(Quirk):
    """A certificate that is not valid: final, with its reason."""

    must: Must = "error"
    word = "certificate"

    def __init__(self, certificate: Certificate) -> None:
        self.name = f"certificate {certificate}"
        self.certificate = certificate


class LostLink(Fault):
    """The answer to a new link is lost, once. What is shared is listed, and links are not: nobody knows."""

    word = "unknown"

    def __init__(self, name: str, reply: Reply | Callable[[Reply], Reply]) -> None:
        super().__init__(name, reply, once=True, after=True, touches="links", must="error")


class KeptCode(Fault):
    """A refusal whose message is no text; its code must not be lost over it."""

    code = "KEPT"

    def __init__(self, kind: str, message: Any) -> None:
        super().__init__(f"message that is {kind}", refused(400, self.code, message), kind="InvalidRequestError")


class Unprocessed(Quirk):
    """Every entry of a batch is refused with status 200, and nothing but its key."""

    name = "unprocessed entries"
    touches: Touches = "batches"
    must: Must = "error"

    def instead(self, asked: Asked) -> Reply | None:
        body = asked.json()
        if asked.path not in BATCHES:
            return None
        keys = body["objectKeys"] if "objectKeys" in body else [one["object"]["objectKey"] for one in body["objects"]]
        return Reply(200, {"objects": [], "unprocessed": self.refusals(keys)})

    def refusals(self, keys: list[str]) -> list[dict[str, Any]]:
        return [{"object": {"objectKey": key}} for key in keys]


class UnprocessedAtTheEnd(Unprocessed):
    """Unprocessed objects with an unknown code, and keys in the other case."""

    name = "unprocessed with a code"

    def refusals(self, keys: list[str]) -> list[dict[str, Any]]:
        return [{"operation": "?", "object": {"objectKey": key.lower(), "errorCode": "ZZ0001"}} for key in keys]


class SaysNothing(Fault):
    """A success without a word, also where the interface shows what it has to say."""

    may = frozenset({"/amiko/cab/contacts", "/nms/metadata/restore", "/nms/folders"})
    """Where the interface allows it."""

    def _strikes(self, asked: Asked) -> bool:
        is_allowed = asked.path in self.may or asked.path.endswith("/unjoin")
        return not is_allowed and super()._strikes(asked)


class OneFolder(Quirk):
    """The listings of one folder are answered with another reply, or with status 200 and a body of another kind."""

    name = "one folder says nothing"
    must: Must = "error"

    def __init__(self, folder_key: str, body: Any) -> None:
        self._folder_key = folder_key
        self._reply = body if isinstance(body, Reply) else Reply(200, body)

    def instead(self, asked: Asked) -> Reply | None:
        return self._reply if asked.query.get("folderKey", "").upper() == self._folder_key else None


FAULTS: tuple[Quirk, ...] = (
    Fault("500", Reply(500, b"oops"), once=True),
    Fault("500", Reply(500, b"oops"), kind="ServerError"),
    Fault("503 as a web page", Reply(503, b"<html>maintenance</html>", {"Content-Type": "text/html"}), once=True),
    Fault("dropped connection", DROPPED, once=True),
    Fault("dropped connection", DROPPED, kind="NetworkError"),
    Fault("lost answer of a change", DROPPED, once=True, after=True, touches="writes"),
    Fault("500 after a change", Reply(500, b"oops"), once=True, after=True, touches="writes"),
    LostLink("lost answer of a link", DROPPED),
    LostLink("500 after a link", Reply(500, b"oops")),
    LostLink("truncated answer of a link", _truncated),
    Fault("500 instead of a link", Reply(500, b"oops"), once=True, touches="links"),
    Silence(),
    Untrusted("unsigned"),
    Untrusted("for another name"),
    Untrusted("expired"),
    Fault("truncated answer", _truncated, once=True),
    Fault("truncated answer", _truncated, must="either"),
    Fault("wrong Content-Length", _claims_less, must="either"),
    Fault("half an answer", _shortened, must="either"),
    Fault("web page with 200", PAGE),
    Fault("empty 200", Reply(200), after=True, must="either"),
    Fault("200 with an error", Reply(200, {"code": "X1", "message": "bad"})),
    Fault("200 with an error and no code", Reply(200, {"error": "x"})),
    SaysNothing("200 with nothing", Reply(200, {}), must="either"),
    Fault("401", refused(401, "TEJGA0401"), kind="AuthenticationError"),
    Fault("403", refused(403, "NO"), kind="ForbiddenError"),
    Fault("409", refused(409, "TAKEN"), kind="ConflictError"),
    Fault("413", refused(413, "LARGE"), kind="PayloadTooLargeError"),
    Fault("404 as a web page", Reply(404, b"<html>nothing</html>")),
    Fault("redirect", Reply(302, b"", {"Location": "http://127.0.0.1:9/elsewhere"})),
    Fault("429, a moment", _throttled("0"), once=True),
    Fault("429, ten minutes", _throttled("600"), kind="RateLimitError"),
    Fault("429, garbage", _throttled("soon"), once=True),
    Fault("429, a date", _throttled("Mon, 01 Jan 2024 00:00:00 GMT"), once=True),
    KeptCode("an object", {"en": "no"}),
    KeptCode("a number", 7),
    KeptCode("null", None),
    KeptCode("a list", ["no"]),
    Unprocessed(),
    UnprocessedAtTheEnd(),
    Fault("corrupt bytes", _corrupt, touches="downloads"),
    Fault("corrupt bytes", _corrupt, once=True, touches="downloads", must="either"),
    Fault("file cut short", _truncated, touches="downloads"),
    Fault("shorter file", _shortened, touches="downloads"),
    Fault("longer file", _too_long, touches="downloads"),
    Fault("web page for a file", PAGE, touches="downloads"),
    Fault("JSON for a file", Reply(200, {"message": "not now"}), touches="downloads"),
    *(
        Fault(f"extensions answer {status}", refused(status, "NO"), touches="extensions", must="right")
        for status in (400, 401, 403, 404, 405, 429, 500, 501)
    ),
    Fault("extensions are a web page", PAGE, touches="extensions", must="right"),
    Fault("extensions drop the connection", DROPPED, touches="extensions", must="right"),
)

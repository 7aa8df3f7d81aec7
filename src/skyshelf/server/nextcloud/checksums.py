"""Checksums on request: PATCH with X-Recalculate-Hash, by which rclone compares files."""

from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.storing import Digests
from skyshelf.server.http.admission.kinds import CONTENTS
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads
from skyshelf.service.files.locks import HeldLocks
from skyshelf.wire import error_codes as codes

_KINDS: Final = {"md5": "MD5", "sha1": "SHA1", "sha256": "SHA256", "adler32": "ADLER32"}


async def patch(call: DavCall) -> Response:
    kind = _KINDS.get(call.headers.get("x-recalculate-hash", "").strip().lower())
    if kind is None:
        raise ServiceError(codes.INVALID_REQUEST, "Name md5, sha1, sha256 or adler32 in X-Recalculate-Hash")
    lease = await call.threads.admission.enter(CONTENTS)
    digest = await call.threads.body(lambda: _digest(call, kind), lease)
    return Response(status_code=204, headers={"oc-checksum": f"{kind}:{digest}", "cache-control": "no-store"})


def _digest(call: DavCall, kind: str) -> str:
    with call.ctx.metadata.read() as unit:
        stored = call.find(unit)
        call.check_conditions(unit, HeldLocks(unit, call.account_id, call.ctx.clock.now()), is_read=True)
    if stored.md5 is None or stored.sha256 is None:
        raise ServiceError(codes.FILE_EXPECTED)
    known = {"MD5": stored.md5, "SHA256": stored.sha256}
    if kind in known:
        return known[kind]
    original = downloads.original(call.ctx, call.caller, stored.object_key)
    digests = Digests({kind: ""})
    for _ in digests.reading(iter(call.ctx.blobs.read(original.location))):
        pass
    return digests.found()[kind]


PATCH: Final = Method(handle=patch, writes=False)

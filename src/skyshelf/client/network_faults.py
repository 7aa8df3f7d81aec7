"""What a fault of the network is called in our words, and whether the request can have arrived.

The system's own texts are left out: they quote hosts, addresses and whole URLs.
"""

import os
import ssl
from socket import gaierror
from typing import Final

from skyshelf.client.errors import NetworkError, SkyshelfError, UntrustedServerError
from skyshelf.client.http_faults import (
    ClosedHereError,
    DamagedAnswerError,
    HttpFaultError,
    NeverSentError,
    TunnelRefusedError,
)
from skyshelf.client.requests import PlannedRequest

FAULTS: Final = (HttpFaultError, OSError)
"""Everything that is raised when the network or the other side fails; a TimeoutError and those of TLS are OSErrors."""


def network_error(request: PlannedRequest, wrong: Exception) -> SkyshelfError:
    """The error to raise for a fault."""
    cause = wrong.__cause__ if isinstance(wrong, NeverSentError) else wrong
    if isinstance(cause, ssl.SSLCertVerificationError):
        return UntrustedServerError(
            f"the server's certificate is not trusted: {_reason(cause)}; nothing was sent. Where it is your own "
            "server, name the file of its authority: ca_file=…, or the variable SSL_CERT_FILE",
            method=request.method,
            path=request.path,
            may_have_happened=False,
        )
    sentence, reason = _sentence(wrong), _reason(cause, is_first=isinstance(wrong, NeverSentError))
    return NetworkError(
        f"{sentence}: {reason}" if reason else sentence,
        method=request.method,
        path=request.path,
        may_have_happened=not isinstance(wrong, NeverSentError),
    )


def _sentence(wrong: Exception) -> str:
    if isinstance(wrong, TunnelRefusedError):
        return f"the proxy refused the connection with {wrong.status}"
    if isinstance(wrong, NeverSentError):
        speaks = "" if not isinstance(wrong.__cause__, ssl.SSLError) else ": it does not speak TLS as it should"
        return f"the server could not be reached{speaks}"
    if isinstance(wrong, TimeoutError):
        return "the server did not answer in time"
    if isinstance(wrong, DamagedAnswerError):
        return "the answer arrived damaged, or not whole"
    return "the client was closed meanwhile" if isinstance(wrong, ClosedHereError) else "the connection was lost"


def _reason(wrong: object, *, is_first: bool = False) -> str | None:
    if isinstance(wrong, ssl.SSLCertVerificationError):
        return wrong.verify_message
    if isinstance(wrong, ssl.SSLError):
        return (wrong.reason or "TLS failed").replace("_", " ").lower()
    if isinstance(wrong, gaierror):
        return "its name is not known"
    if isinstance(wrong, OSError) and wrong.errno:
        return os.strerror(wrong.errno)
    if isinstance(wrong, TimeoutError) and is_first:
        return "nothing was heard of it in time"
    return None

"""What can go wrong between a request and its answer, beside the faults that the system has names for."""

import os
import ssl
from socket import gaierror
from typing import Final

from skyshelf.client.engine.requests import PlannedRequest
from skyshelf.client.errors import NetworkError, SkyshelfError, UntrustedServerError


class HttpFaultError(Exception):
    """The network or the other side failed."""


class NeverSentError(HttpFaultError):
    """Nothing of the request has left this machine; the fault that kept it is the cause."""


class TunnelRefusedError(NeverSentError):
    """The proxy on the way did not open a tunnel."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the proxy answered {status}")
        self.status = status


class DamagedAnswerError(HttpFaultError):
    """The answer is not HTTP, or it is not whole."""


class ClosedHereError(HttpFaultError):
    """The client was closed while a request was on its way."""


# What a fault of the network is called in our words, and whether the request can have arrived.

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

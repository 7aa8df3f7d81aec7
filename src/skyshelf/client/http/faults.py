"""What can go wrong between a request and its response, and the error that is raised for it."""

import os
import ssl
from socket import gaierror
from typing import Final

from skyshelf.client.errors import NetworkError, SkyshelfError, UntrustedServerError
from skyshelf.client.http.messages import PlannedRequest


class HttpFaultError(Exception):
    """The network or the other side failed."""


class NeverSentError(HttpFaultError):
    """Nothing of the request has left this machine; the cause is chained."""


class TunnelRefusedError(NeverSentError):
    """The proxy did not open a tunnel."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the proxy answered {status}")
        self.status = status


class DamagedResponseError(HttpFaultError):
    """The response is not HTTP, or is incomplete."""


class ClosedHereError(HttpFaultError):
    """The client was closed while a request was in flight."""


FAULTS: Final = (HttpFaultError, OSError)
"""Everything that is raised when the network or the other side fails; timeouts and TLS errors are OSErrors."""


def network_error(request: PlannedRequest, fault: Exception) -> SkyshelfError:
    """Return the error to raise for a fault; it says whether the request can have arrived."""
    was_sent = not isinstance(fault, NeverSentError)
    cause = fault if was_sent else fault.__cause__
    kind = NetworkError
    if isinstance(cause, ssl.SSLCertVerificationError):
        kind, was_sent = UntrustedServerError, False
        message = (
            f"the server's certificate is not trusted: {cause.verify_message}; nothing was sent. If it is your own "
            "server, name its authority's file: ca_file=…, or the variable SSL_CERT_FILE"
        )
    else:
        message = ": ".join(filter(None, (_sentence(fault), _reason(cause, was_sent=was_sent))))
    return kind(message, method=request.method, path=request.path, may_have_happened=was_sent)


def _sentence(fault: Exception) -> str:
    if isinstance(fault, TunnelRefusedError):
        return f"the proxy refused the connection with {fault.status}"
    if isinstance(fault, NeverSentError):
        is_tls = isinstance(fault.__cause__, ssl.SSLError)
        return (
            "the server could not be reached: the TLS handshake failed" if is_tls else "the server could not be reached"
        )
    if isinstance(fault, TimeoutError):
        return "the server did not respond in time"
    if isinstance(fault, DamagedResponseError):
        return "the response is damaged or incomplete"
    return (
        "the client was closed during the request" if isinstance(fault, ClosedHereError) else "the connection was lost"
    )


def _reason(cause: object, *, was_sent: bool) -> str | None:
    if isinstance(cause, ssl.SSLError):
        return (getattr(cause, "reason", None) or str(cause)).replace("_", " ").lower()
    if isinstance(cause, gaierror):
        return "its name cannot be resolved"
    if isinstance(cause, OSError) and cause.errno:
        return os.strerror(cause.errno)
    if isinstance(cause, TimeoutError) and not was_sent:
        return "the connection timed out"
    return None

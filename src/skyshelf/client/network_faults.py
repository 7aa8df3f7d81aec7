"""What a fault of the network is called in our words, and whether the request can have arrived.

The library's own texts are left out: they quote hosts, addresses and whole URLs. Only this module and its neighbours
of the transport import the library, and only when the first request is sent.
"""

import asyncio
import os
import ssl
from socket import gaierror
from typing import Final

import aiohttp

from skyshelf.client.errors import ConfigurationError, NetworkError, SkyshelfError, UntrustedServerError
from skyshelf.client.requests import PlannedRequest

FAULTS: Final = (aiohttp.ClientError, TimeoutError, asyncio.TimeoutError, OSError, RuntimeError)
"""Everything that the library raises when the network or the other side fails; RuntimeError when it was closed here."""

_NEVER_LEFT: Final = (
    aiohttp.ClientConnectorError,
    aiohttp.ClientConnectionResetError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.ClientHttpProxyError,
)


def network_error(request: PlannedRequest, wrong: Exception) -> SkyshelfError:
    """The error to raise for a fault."""
    if isinstance(wrong, aiohttp.InvalidURL):
        return ConfigurationError(f"{request.method} {request.path} cannot be sent: the URL is not valid")
    certificate = getattr(wrong, "certificate_error", None) or getattr(wrong, "os_error", None)
    if isinstance(certificate, ssl.SSLCertVerificationError | ssl.CertificateError):
        return UntrustedServerError(
            f"the server's certificate is not trusted: {_reason(certificate)}; nothing was sent. Where it is your own "
            "server, name the file of its authority: ca_file=…, or the variable SSL_CERT_FILE",
            method=request.method,
            path=request.path,
            may_have_happened=False,
        )
    never_left = isinstance(wrong, _NEVER_LEFT)
    sentence = _sentence(wrong)
    reason = _reason(getattr(wrong, "os_error", None) or wrong)
    return NetworkError(
        f"{sentence}: {reason}" if reason else sentence,
        method=request.method,
        path=request.path,
        may_have_happened=not never_left,
    )


def _sentence(wrong: Exception) -> str:
    if isinstance(wrong, aiohttp.ClientHttpProxyError):
        return f"the proxy refused the connection with {wrong.status}"
    if isinstance(wrong, aiohttp.ClientConnectorSSLError):
        return "the server could not be reached: it does not speak TLS as it should"
    if isinstance(wrong, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return "the server could not be reached"
    if isinstance(wrong, TimeoutError | asyncio.TimeoutError):
        return "the server did not answer in time"
    if isinstance(wrong, aiohttp.ClientPayloadError | aiohttp.ClientResponseError):
        return "the answer arrived damaged, or not whole"
    return "the client was closed meanwhile" if isinstance(wrong, RuntimeError) else "the connection was lost"


def _reason(wrong: object) -> str | None:
    if isinstance(wrong, ssl.SSLCertVerificationError):
        return wrong.verify_message
    if isinstance(wrong, ssl.SSLError):
        return (wrong.reason or "TLS failed").replace("_", " ").lower()
    if isinstance(wrong, gaierror):
        return "its name is not known"
    if isinstance(wrong, OSError) and wrong.errno:
        return os.strerror(wrong.errno)
    return None

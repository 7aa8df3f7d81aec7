"""What can go wrong between a request and its answer, beside the faults that the system has names for."""


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

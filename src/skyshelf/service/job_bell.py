"""Who waits for work of this process, and how they are told that there is some."""

import threading


class JobBell:
    """Rung after a job is put that somebody waits for. Other processes do not hear it, and look by themselves."""

    def __init__(self) -> None:
        self._listeners: list[threading.Event] = []

    def tell(self, listener: threading.Event) -> None:
        """Set this event whenever it rings, from now on."""
        self._listeners.append(listener)

    def ring(self) -> None:
        """There is work; to be called after the commit, since whoever comes before finds nothing."""
        for listener in self._listeners:
            listener.set()

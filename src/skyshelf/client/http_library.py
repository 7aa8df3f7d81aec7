"""Loading the HTTP library, which must outlive the thread that loads it.

pyreqwest keeps something of the thread that imports it first: once that thread has ended, its next use crashes the
whole process. Threads of event loops end with their client, so that a thread which never ends loads the library, unless
the main thread does.
"""

import sys
import threading
from importlib import import_module
from typing import Final

_lock = threading.Lock()
_LIBRARY: Final = "pyreqwest.client"


def load_http_library() -> None:
    """Make sure that the library is loaded, and stays usable."""
    if _LIBRARY in sys.modules:
        return
    with _lock:
        if _LIBRARY in sys.modules:
            return
        if threading.current_thread() is threading.main_thread():
            _load()
            return
        loaded = threading.Event()
        threading.Thread(target=_load_and_stay, args=(loaded,), name="skyshelf-http", daemon=True).start()
        loaded.wait()


def _load() -> None:
    for module in (_LIBRARY, "pyreqwest.exceptions"):
        import_module(module)


def _load_and_stay(loaded: threading.Event) -> None:
    try:
        _load()
    finally:
        # Where it could not be loaded, whoever asked will find out by its own import.
        loaded.set()
    threading.Event().wait()

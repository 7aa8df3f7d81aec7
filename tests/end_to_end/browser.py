"""The system's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright
from tests.real_parts.programs import CHROMIUM, program

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Names that no resolver knows, for pages that are not on this machine as far as the browser can see.
    "--host-resolver-rules=MAP *.test 127.0.0.1",
)


@contextmanager
def chromium(*, whole: bool = False) -> Iterator[Browser]:
    """Start a browser, or the whole one that people use."""
    windowed = next(filter(None, map(shutil.which, CHROMIUM[1:])), None) if whole else None
    path = os.environ.get("SKYSHELF_CHROMIUM") or windowed or program("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()

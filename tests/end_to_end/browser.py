"""The system's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

_WINDOWLESS = "chromium-headless-shell"
"""Chromium without windows and what belongs to them: the same engine for a third of the processor time."""
_WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium(*, whole: bool = False) -> Iterator[Browser]:
    """A browser, or the whole one that people use; where there is none, the test fails and says how to get one."""
    names = _WHOLE if whole else (_WINDOWLESS, *_WHOLE)
    path = os.environ.get("SKYSHELF_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.fail(
            "This test needs Chromium: install it (on Debian: apt-get install chromium-headless-shell, or chromium), or"
            " name one with SKYSHELF_CHROMIUM=/path/to/chromium."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()

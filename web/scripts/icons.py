"""Draws the PNG icons of the web client from public/icons/icon.svg with Chromium: `python web/scripts/icons.py`.

An installed application asks for PNGs, and for one that stays whole when the system cuts a shape out of it.
"""

import re
import shutil
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

ICONS: Final = Path(__file__).parent.parent / "public" / "icons"
# A system may cut off everything outside of a circle of four fifths of the width.
SAFE: Final = 0.72


def main() -> None:
    """Draw all of them."""
    drawing = (ICONS / "icon.svg").read_text(encoding="utf-8")
    ground = re.search(r'fill="(#\w+)"', drawing)
    assert ground
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, size, part in (("icon-192", 192, 1.0), ("icon-512", 512, 1.0), ("maskable-512", 512, SAFE)):
            page = browser.new_page(viewport={"width": size, "height": size})
            background = "transparent" if part == 1 else ground[1]
            sized = drawing.replace("<svg ", f'<svg width="{size * part}" height="{size * part}" ', 1)
            page.set_content(
                f'<body style="margin:0;height:100vh;display:grid;place-items:center;background:{background}">{sized}'
            )
            page.screenshot(path=ICONS / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()

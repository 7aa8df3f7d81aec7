"""`./dev bench web`: the web client's first load, its largest paint on a slow connection, a large folder."""

import argparse
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page
from tests.end_to_end.browser import chromium
from tests.end_to_end.filling import Filler
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.server.running import opened as stores_of
from tests.web.visiting import DESKTOP, PHONE, log_in, open_account

from benchmarks.tables import print_table, short

FOLDER = "Large"
# A mid-range phone on slow 4G, the usual profile for such figures.
CPU_SLOWDOWN = 4
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
_WATCH_PAINTS = """globalThis.largestPaint = 0;
new PerformanceObserver((list) => { for (const one of list.getEntries()) globalThis.largestPaint = one.startTime; })
  .observe({ type: 'largest-contentful-paint', buffered: true });"""
# From the double click to the frame in which rows of the folder are painted.
_OPEN_FOLDER = """(count) => new Promise((resolve) => {
  const began = performance.now();
  document.querySelector('[role=listbox] [role=option]').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  const look = () => {
    const row = document.querySelector('[role=listbox] [role=option]');
    if (row && Number(row.getAttribute('aria-setsize')) === count) {
      requestAnimationFrame(() => resolve(performance.now() - began));
    } else requestAnimationFrame(look);
  };
  look();
})"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench web", description=__doc__)
    parser.add_argument("--files", type=int, default=2_000, help="how many the large folder has")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured; the median counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="skyshelf-bench-") as name, chromium(whole=True) as browser:
        server = RunningServer(Path(name) / "data")
        server.start()
        try:
            with stores_of(server.data) as ctx, open_account(server, ctx, "bench") as api:
                filler = Filler(api.ctx, api.account)
                filler.files(options.files, filler.folder(FOLDER))
                rows = list(measured(browser, server, api, options.files, options.rounds))
        finally:
            server.close()
    print_table("The web client in Chromium, medians", ["what", "measured", "budget"], rows, name="budgets")


def measured(browser: Browser, server: RunningServer, api: Api, files: int, rounds: int) -> Iterator[list[str]]:
    scripts = first_load(browser, server, api)
    yield ["compressed script of the first load, KB", short(scripts / 1000), "150"]
    for name, account in (("the login", None), ("the files", api)):
        paint = median(rounds, partial(largest_paint, browser, server, account))
        yield [f"largest paint of {name}, slow 4G and 4 times slower CPU, ms", short(paint), "1,500"]
    opened = median(rounds, lambda: folder_opened(browser, server, api, files))
    yield [f"a folder of {files:,}, click to rows, ms", short(opened), "300"]


def median(rounds: int, once: Callable[[], float]) -> float:
    return statistics.median(once() for _ in range(rounds))


def first_load(browser: Browser, server: RunningServer, api: Api) -> float:
    """The bytes of all scripts on the line, from an empty cache until the files are shown."""
    with visiting(browser, server) as context:
        page, devtools = opened(context)
        kinds: dict[str, str] = {}
        sizes: dict[str, float] = {}
        devtools.on("Network.responseReceived", lambda told: kinds.update({told["requestId"]: told["type"]}))
        devtools.on(
            "Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]})
        )
        devtools.send("Network.enable")
        page.goto("/")
        log_in(page, api)
        page.locator("[role=option]").first.wait_for()
        return sum(size for request, size in sizes.items() if kinds.get(request) == "Script")


def largest_paint(browser: Browser, server: RunningServer, account: Api | None) -> float:
    """Milliseconds on a throttled phone with an empty cache; signed in if an account is given."""
    with visiting(browser, server, phone=True) as context:
        if account:
            page, _ = opened(context)
            page.goto("/")
            log_in(page, account)
            page.close()
        page, devtools = opened(context)
        page.add_init_script(_WATCH_PAINTS)
        devtools.send("Network.enable")
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        devtools.send("Network.emulateNetworkConditions", LINE)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        page.goto("/")
        page.locator("[role=option]" if account else "input[type=password]").first.wait_for()
        # Paints are reported with a delay; an input would end the observation.
        page.wait_for_timeout(1000)
        return float(page.evaluate("() => globalThis.largestPaint"))


def folder_opened(browser: Browser, server: RunningServer, api: Api, files: int) -> float:
    with visiting(browser, server) as context:
        page, _ = opened(context)
        page.goto("/")
        log_in(page, api)
        page.get_by_role("option", name=FOLDER).wait_for()
        return float(page.evaluate(_OPEN_FOLDER, files))


@contextmanager
def visiting(browser: Browser, server: RunningServer, *, phone: bool = False) -> Iterator[BrowserContext]:
    """A browser that was never here."""
    context = browser.new_context(
        viewport=PHONE if phone else DESKTOP, base_url=server.url, locale="en-GB", service_workers="block"
    )
    context.set_default_timeout(60_000)
    try:
        yield context
    finally:
        context.close()


def opened(context: BrowserContext) -> tuple[Page, CDPSession]:
    page = context.new_page()
    return page, context.new_cdp_session(page)


if __name__ == "__main__":
    main()

"""Accessibility checks with axe."""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page
from tests.web.visiting import PHONE

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES: dict[str, object] = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS: dict[str, object] = {"type": "rule", "values": ["color-contrast"]}
# Wait for animations, whose intermediate colours do not count. With reduced motion, those that begin later are over
# before the next frame.
_STILL = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  for (let running; (running = document.getAnimations()).length; await frame()) {
    await Promise.all(running.map((one) => one.finished.catch(() => {})));
  }
}"""
_RUN = """async ([within, only]) => {
  const place = within ? { include: [within] } : document;
  const found = await axe.run(place, { runOnly: only, resultTypes: ['violations'] });
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}
    ${node.failureSummary.replaceAll('\\n', ' ')}`));
}"""


def findings(page: Page, within: str | None = None) -> list[str]:
    """Problems on the page or a part of it, in light mode, and on a desktop of colours in dark mode."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = []
    looks: list[tuple[Literal["light", "dark"], dict[str, object]]] = [("light", RULES)]
    if page.viewport_size != PHONE:
        # Colours do not depend on the size, and each look takes its time.
        looks.append(("dark", COLOURS))
    for scheme, only in looks:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate(_STILL)
        found += [f"{scheme}: {one}" for one in page.evaluate(_RUN, [within, only])]
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    return found


def assert_nothing(wrong: dict[str, list[str]]) -> None:
    told = [f"{place}: {finding}" for place, found in wrong.items() for finding in found]
    assert not told, "\n".join(told)

"""Accessibility checks with axe."""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page
from tests.web.visiting import PHONE

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES: dict[str, object] = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS: dict[str, object] = {"type": "rule", "values": ["color-contrast"]}
# Wait for animations, whose intermediate colours do not count. With reduced motion, those that begin later are over
# before the next frame. Nothing is waited for without end: an animation that repeats for ever is over only once its
# element is gone, and a page that is not drawn has no frames.
_STILL = """async (isNew) => {
  const within = (done) => Promise.race([done, new Promise((over) => setTimeout(over, 1000))]);
  const frame = () => within(new Promise((done) => requestAnimationFrame(done)));
  if (isNew) await frame();
  for (let turn = 0, running; turn < 30 && (running = document.getAnimations()).length; turn++) {
    await within(Promise.all(running.map((one) => one.finished.catch(() => {}))));
    await frame();
  }
}"""
_RUN = """async ([within, only, rules]) => {
  const place = within ? { include: [within] } : document;
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error('axe did not come to its end')), 120_000));
  const found = await Promise.race([axe.run(place, { runOnly: only, rules, resultTypes: ['violations'] }), late]);
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}
    ${node.failureSummary.replaceAll('\\n', ' ')}`));
}"""


def findings(page: Page, within: str | None = None) -> list[str]:
    """Problems on the page or a part of it; on a desktop of colours too, in light and in dark mode."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = []
    # Colours do not depend on the size, and take longer to judge than everything else.
    has_colours = page.viewport_size != PHONE
    looks: list[tuple[Literal["light", "dark"], dict[str, object]]] = [("light", RULES)]
    if has_colours:
        looks.append(("dark", COLOURS))
    for scheme, only in looks:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # Something new may begin to move with the next frame; other colours are a matter of style sheets alone.
        page.evaluate(_STILL, scheme == "light")
        rules = {"color-contrast": {"enabled": has_colours}}
        found += [f"{scheme}: {one}" for one in page.evaluate(_RUN, [within, only, rules])]
    # What opens next need not be waited for: motion stays reduced.
    page.emulate_media(color_scheme="light")
    return found


def assert_nothing(wrong: dict[str, list[str]]) -> None:
    told = [f"{place}: {finding}" for place, found in wrong.items() for finding in found]
    assert not told, "\n".join(told)

"""The structure of the code, from its own imports: a picture of packages and arrows, and a page with every module."""

import ast
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

import grimp

from tools.generate.markdown import page, table

SOURCE: Final = Path(__file__).parents[2] / "src" / "skyshelf"

_COLUMN, _GUTTER, _ROW, _TOP = 370, 116, 150, 50
_BOX_HEIGHT: Final = 92
_LANE: Final = 14


class _Box(NamedTuple):
    """The position of a package in the picture: its row, its column, and how many columns it spans."""

    row: int
    column: int
    columns: int = 1

    @property
    def left(self) -> int:
        return _GUTTER + self.column * (_COLUMN + _GUTTER)

    @property
    def width(self) -> int:
        return self.columns * _COLUMN + (self.columns - 1) * _GUTTER

    @property
    def top(self) -> int:
        return _TOP + self.row * _ROW

    @property
    def bottom(self) -> int:
        return self.top + _BOX_HEIGHT


# From the top layer of the contract in pyproject.toml down; the server side on the left, the client side on the right.
_BOXES: Final = {
    "testing": _Box(0, 0),
    "cli": _Box(0, 1),
    "server": _Box(1, 0),
    "agent": _Box(1, 1),
    "desktop": _Box(2, 1),
    "service": _Box(3, 0),
    "client": _Box(3, 1),
    "backup": _Box(4, 1),
    "storage": _Box(5, 0),
    "wire": _Box(6, 0, 2),
}


def packages_picture() -> str:
    """Draw the packages as boxes with their sub-packages, and an arrow for each import between packages."""
    order = list(_BOXES)
    arrows = sorted(_arrows(), key=lambda pair: (order.index(pair[0]), order.index(pair[1])))
    width = _GUTTER + 2 * (_COLUMN + _GUTTER)
    height = max(box.bottom for box in _BOXES.values()) + 30
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif">',
        "<title>Packages of Skyshelf and what they import</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{_GUTTER}" y="28" font-size="15" fill="#57606a">An arrow points to what is imported.</text>',
    ]
    lanes: Counter[int] = Counter()
    for number, (importer, imported) in enumerate(arrows):
        lines.append(_arrow(importer, imported, lanes, number))
    lines.extend(_box(name, box) for name, box in _BOXES.items())
    return "\n".join([*lines, "</svg>", ""])


def _arrow(importer: str, imported: str, lanes: Counter[int], number: int) -> str:
    """Draw an arrow: straight down if no box is in between, otherwise through a gutter."""
    source, target = _BOXES[importer], _BOXES[imported]
    between = (box for box in _BOXES.values() if source.row < box.row < target.row and box.column == source.column)
    is_below = target.column <= source.column < target.column + target.columns and not any(between)
    if is_below:
        x = source.left + source.width // 2
        path = f"M{x} {source.bottom} V{target.top}"
    else:
        # The middle gutter if the arrow changes sides, otherwise the outer one on the importer's side.
        gutter = 1 if target.column != source.column and target.columns == 1 else 2 * source.column
        lane = gutter * (_COLUMN + _GUTTER) + 22 + lanes[gutter] * _LANE
        lanes[gutter] += 1
        goes_left = lane < source.left
        start = source.left if goes_left else source.left + source.width
        comes_from_left = lane < target.left
        end = target.left if comes_from_left else target.left + target.width
        source_y, target_y = source.top + 22 + 7 * (number % 9), target.top + 14 + 9 * (number % 8)
        path = f"M{start} {source_y} H{lane} V{target_y} H{end}"
    return f'<path d="{path}" fill="none" stroke="#57606a" stroke-width="1.3" marker-end="url(#head)"/>'


def _box(name: str, box: _Box) -> str:
    folder = SOURCE / name
    parts = sorted(path.name for path in folder.iterdir() if (path / "__init__.py").is_file())
    rows = [f"{part}/" for part in parts]
    shown = [" ".join(rows[: (len(rows) + 1) // 2]), " ".join(rows[(len(rows) + 1) // 2 :])]
    return (
        f'<rect x="{box.left}" y="{box.top}" width="{box.width}" height="{_BOX_HEIGHT}" rx="8" fill="#f6f8fa" '
        'stroke="#8c959f"/>'
        f'<text x="{box.left + 14}" y="{box.top + 26}" font-size="17" font-weight="600" fill="#1f2328">{name}</text>'
        + "".join(
            f'<text x="{box.left + 14}" y="{box.top + 52 + 20 * row}" font-size="12.5" fill="#1f2328">'
            f"{escape(text)}</text>"
            for row, text in enumerate(shown)
        )
    )


def _arrows() -> set[tuple[str, str]]:
    """Return the pairs of packages of which the first imports the second."""
    graph = grimp.build_graph("skyshelf", cache_dir=None)
    found = {
        (_package(module), _package(imported))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    }
    found = {(importer, imported) for importer, imported in found if importer and imported and importer != imported}
    unknown = {name for pair in found for name in pair} - _BOXES.keys()
    assert not unknown, f"give {unknown} a place in the picture"
    return found


def _package(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def packages_page() -> str:
    """Render every module with the first sentence of its docstring, package by package."""
    parts = ["# Modules", "[Architecture](../architecture.md) explains how the modules fit together."]
    for package in _BOXES:
        for folder in (SOURCE / package, *_folders(SOURCE / package)):
            name = folder.relative_to(SOURCE).as_posix()
            about = _first_sentence(folder / "__init__.py")
            rows = [
                (f"`{path.name}`", _first_sentence(path))
                for path in sorted(folder.glob("*.py"))
                if path.stem != "__init__"
            ]
            if not rows:
                continue
            parts += [f"## {name}/", about, table(("module", ""), rows)]
    return page("src/skyshelf", *parts)


def _folders(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("__init__.py")):
        if path.parent != folder:
            yield path.parent


def _first_sentence(path: Path) -> str:
    """Return the first sentence of a module's docstring on one line."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    sentence, end, _ = paragraph.partition(". ")
    return sentence + end.strip()

"""Writes the block of names for type checkers in `skyshelf/client/__init__.py`."""

import ast
import re
import sys
from pathlib import Path
from subprocess import run
from typing import Final

from tools.generate.sync_client import CLIENT

EXPORTS: Final = CLIENT / "__init__.py"
_BLOCK: Final = re.compile(r"(?<=# Generated from _MODULES by `\./dev docs`\.\n).*?(?=\n\n_MODULES)", re.DOTALL)


def exported_names() -> dict[str, str]:
    """Return the module of every exported name: those of the table in `skyshelf/client/__init__.py`, and the errors."""
    table = next(
        node.value
        for node in ast.parse(EXPORTS.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "_MODULES"
    )
    modules: dict[str, tuple[str, ...]] = ast.literal_eval(table)
    errors = ast.parse((CLIENT / "errors.py").read_text(encoding="utf-8"))
    names = tuple(node.name for node in errors.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_"))
    return {name: module for module, exported in {**modules, "errors": names}.items() for name in exported}


def exports_source() -> str:
    """Render `skyshelf/client/__init__.py` with the names that its table and errors.py define."""
    source = EXPORTS.read_text(encoding="utf-8")
    lines = [
        f"    from skyshelf.client.{module} import {name} as {name}"
        for name, module in exported_names().items()
        if module != "errors"
    ]
    lines.append("    from skyshelf.client.errors import *  # noqa: F403 - every error")
    block = "if TYPE_CHECKING:\n" + "\n".join(sorted(lines))
    assert _BLOCK.search(source), "skyshelf/client/__init__.py has lost its generated block"
    return _formatted(_BLOCK.sub(lambda _: block, source))


def _formatted(source: str) -> str:
    ruff = str(Path(sys.executable).with_name("ruff"))
    return run(
        [ruff, "format", "--quiet", "--stdin-filename", str(EXPORTS), "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

"""Every generated file and the function that renders it.

`python -m tools.generate` writes all of them, or only those that are named. With `--check` it writes nothing, names the
committed files that are stale, and exits with 1 if there are any. To add a file, add a line to COMMITTED or BUILT.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

COMMITTED: Final = {
    "docs/openapi.json": "tools.generate.reference:openapi_file",
    "docs/pictures/packages.svg": "tools.generate.packages:packages_picture",
    "packaging/monitoring/dashboard.json": "tools.generate.monitoring:dashboard",
    "src/skyshelf/cli/base/help.json": "tools.generate.cli:cli_help",
    "src/skyshelf/client/__init__.py": "tools.generate.client_exports:exports_source",
}
"""Files in the repository, which `./dev lint` checks."""

BUILT: Final = {
    # First: the page of the SDK needs it.
    "src/skyshelf/client/sync_client.py": "tools.generate.sync_client:sync_client_source",
    "docs/reference/admission.md": "tools.generate.admission:admission_page",
    "docs/reference/agent-tools.md": "tools.generate.agent_tools:agent_tools_page",
    "docs/reference/cli.md": "tools.generate.cli:cli_page",
    "docs/reference/endpoints.md": "tools.generate.reference:endpoints_page",
    "docs/reference/errors.md": "tools.generate.reference:errors_page",
    "docs/reference/limits.md": "tools.generate.reference:limits_page",
    "docs/reference/metrics.md": "tools.generate.monitoring:metrics_page",
    "docs/reference/modules.md": "tools.generate.packages:packages_page",
    "docs/reference/objects.md": "tools.generate.reference:objects_page",
    "docs/reference/rules.md": "tools.generate.rules:rules_page",
    "docs/reference/sdk.md": "tools.generate.sdk:sdk_page",
    "docs/reference/settings.md": "tools.generate.settings:settings_page",
}
"""Files that git ignores: `./dev setup` builds those that the code needs, `./dev docs` the pages."""

PAGES: Final = tuple(name for name in BUILT if name.startswith("docs/"))
"""The built files that the site shows."""


def render(name: str) -> str:
    """Render one file. Generators are imported only when they are used, since some need what others build."""
    module, _, function = {**COMMITTED, **BUILT}[name].partition(":")
    return str(getattr(import_module(module), function)())


def stale(root: Path = ROOT) -> list[str]:
    """Return the committed files that are missing or out of date."""
    return [
        name
        for name in COMMITTED
        if not (root / name).is_file() or (root / name).read_text(encoding="utf-8") != render(name)
    ]


def write(names: Sequence[str] = (), root: Path = ROOT) -> None:
    """Write the named files, or all of them: what the code needs first. An unchanged file keeps its time."""
    for name in names or (*BUILT, *COMMITTED):
        path, text = root / name, render(name)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Write or check the files; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description="Generate files from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a committed file is stale")
    parser.add_argument("file", nargs="*", metavar="FILE", help="the files to write; all of them if none is given")
    given = parser.parse_args(arguments)
    if unknown := set(given.file) - {*COMMITTED, *BUILT}:
        parser.error(f"not a generated file: {', '.join(sorted(unknown))}")
    if not given.check:
        write(given.file, root)
        return 0
    found = stale(root)
    for name in found:
        sys.stderr.write(f"{name} is stale: ./dev docs writes it\n")
    return 1 if found else 0

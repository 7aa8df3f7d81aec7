"""Charts as Helm renders them, and manifests as Kubernetes accepts them, without a cluster.

Helm is its own Go library (of version 4) in a wheel, so templates, functions and schemas are those of the program. The
schemas of Kubernetes are those of its API, read by a validator of manifests. Both have an environment of their own.
"""

import functools
import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]
from tests.real_parts.locked_environment import python_with

_PROCESS = Path(__file__).with_name("kubernetes_process.py")


class Rendered(NamedTuple):
    """What Helm makes of some values."""

    error: str
    templates: Mapping[str, str]
    problems: Sequence[str]

    def manifests(self) -> list[dict[str, Any]]:
        texts = [text for name, text in self.templates.items() if name.endswith(".yaml")]
        return [one for text in texts for one in _documents(text)]

    def of_kind(self, *kinds: str) -> list[dict[str, Any]]:
        return [one for one in self.manifests() if one["kind"] in kinds]


@functools.cache
def _documents(text: str) -> list[dict[str, Any]]:
    """Parse a template's text once: many values give the same."""
    return [one for one in yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) if one]


def lint_and_render(chart: Path, values: Sequence[Mapping[str, Any]], folder: Path) -> tuple[Any, list[Rendered]]:
    """Return what Helm's lint says with the first of the values, and what each of them becomes."""
    given = folder / "values.json"
    given.write_text(json.dumps({"chart": str(chart), "values": values}))
    command = [str(python_with(Path(__file__).with_suffix(".txt"))), "-P", str(_PROCESS), str(given)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    answer = json.loads(said.stdout)
    return answer["lint"], [
        Rendered(one.get("error", ""), one.get("templates", {}), one.get("problems", [])) for one in answer["rendered"]
    ]

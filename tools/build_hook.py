"""The build of packages: it builds the synchronous client, and refuses to go on without the web client."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = "src/skyshelf/server/pages/web_client/built/index.html"
SYNC_CLIENT = "tools/generate/sync_client.py"


class PackageBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatch calls it before it makes a wheel, an sdist or an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del build_data
        # By its path: a build in isolation has neither this folder nor our tools on its import path.
        runpy.run_path(str(Path(self.root) / SYNC_CLIENT), run_name="__main__")
        # An editable installation comes first: the web client is built into it afterwards.
        if version != "editable" and not (Path(self.root) / BUILT).is_file():
            raise SystemExit(
                f"{BUILT} is not there: ./dev setup builds the web client, which belongs into every package"
            )

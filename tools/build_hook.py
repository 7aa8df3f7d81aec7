"""The build of packages: no wheel and no sdist without the web client."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = "src/skyshelf/server/pages/web_client/built/index.html"


class WebClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatch calls it before it makes anything."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del build_data
        # An editable installation comes first: the web client is built into it afterwards.
        if version != "editable" and not (Path(self.root) / BUILT).is_file():
            raise SystemExit(
                f"{BUILT} is not there: ./dev setup builds the web client, which belongs into every package"
            )

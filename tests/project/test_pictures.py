"""The pictures of the terminal: one of each scene, of commands that are there, and calling nobody."""

import re
import shlex

import pytest
from tests.cli.command_tree import all_commands
from tools.generate.terminal_pictures import PICTURES, SCENES

from skyshelf.cli.main import COMMANDS


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_drawn_as_it_is_written(scene: str) -> None:
    drawn = (PICTURES / f"{scene}.svg").read_text(encoding="utf-8")
    words = re.sub(r"<[^>]+>|&#160;|\s", "", drawn).replace("&#x27;", "'").replace("&amp;", "&")
    for step in SCENES[scene][1]:
        assert re.sub(r"\s", "", step.typed) in words, f"{step.typed} is not in {scene}.svg: ./dev docs --pictures"


@pytest.mark.parametrize("scene", SCENES)
def test_every_command_of_a_scene_exists(scene: str) -> None:
    for step in SCENES[scene][1]:
        first, *rest = shlex.split(step.typed)
        if first == "skyshelf":
            assert rest[0] in COMMANDS
            known = {option for title, one in all_commands().items() if title.split()[0] == rest[0] for option in
                     (name for parameter in one.params for name in parameter.opts)}  # fmt: skip
            assert {word for word in rest if word.startswith("--")} <= known


def test_a_picture_loads_nothing_from_other_hosts() -> None:
    for path in sorted(PICTURES.glob("*.svg")):
        drawn = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert set(re.findall(r"https?://[\w.:-]*", drawn)) <= {"http://127.0.0.1:8600"}

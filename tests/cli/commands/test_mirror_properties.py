"""Whatever two trees look like: a mirror puts into the trash exactly what its dry run said, and nothing else."""

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.typing_commands import Typist
from tests.examples import examples

from skyshelf.cli.commands.put import MirrorRecord
from skyshelf.cli.main import main
from skyshelf.client.sync_client import Client

NAMES = ["a", "b", "Ä", "c.txt"]
CONTENTS = [b"", b"one", b"two", b"three"]
Tree = dict[tuple[str, ...], bytes]

trees: st.SearchStrategy[Tree] = st.dictionaries(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map(tuple), st.sampled_from(CONTENTS), max_size=8
).map(lambda tree: {path: content for path, content in tree.items() if not _is_a_folder(path, tree)})
numbers = itertools.count()


def _is_a_folder(path: tuple[str, ...], tree: Tree) -> bool:
    return any(other[: len(path)] == path for other in tree if other != path)


@pytest.fixture
def client(typist: Typist, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A client in this process, and the environment for commands that run in it."""
    for name in ("XDG_CONFIG_HOME", "SKYSHELF_RETRY_WAIT"):
        monkeypatch.setenv(name, typist.environment[name])
    with Client(**typist.person.settings) as client:
        yield client


def fill(folder: Path, tree: Tree) -> None:
    folder.mkdir()
    for path, content in tree.items():
        folder.joinpath(*path[:-1]).mkdir(parents=True, exist_ok=True)
        folder.joinpath(*path).write_bytes(content)


def mirror(*arguments: str) -> tuple[int, MirrorRecord | None]:
    """The exit code, and the record where there is one."""
    shown = CliRunner().invoke(main, ["mirror", *arguments, "--delete", "--quiet", "--json"])
    record = msgspec.json.decode(shown.stdout, type=MirrorRecord) if shown.stdout else None
    return shown.exit_code, record


def paths_below(client: Client, top: str) -> dict[str, bool]:
    """Everything below a folder of the server, and whether it is a file."""
    return {top + one.path: one.object.is_file for one in client.walk(top)}


@pytest.mark.whole
@settings(max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(remote=trees, local=trees, linked=st.booleans(), most=st.integers(0, 9))
def test_delete_never_trashes_more_than_the_dry_run_said(
    client: Client, tmp_path: Path, remote: Tree, local: Tree, linked: bool, most: int
) -> None:
    number = next(numbers)
    top, here = f"/there {number}", tmp_path / str(number)
    fill(here, remote)
    client.upload_all(here, client.create_path(top))
    shutil.rmtree(here)
    fill(here, local)
    if linked and not (here / "a").exists():
        # A link is not followed: what the server has under its name, or below it, is not gone.
        (here / "a").symlink_to(tmp_path)
    before = paths_below(client, top)
    in_trash = {one.key for one in client.trash.list()}
    code, would = mirror(str(here), top, "--dry-run", "--max-delete", str(most))
    assert code == 0
    assert would is not None
    assert paths_below(client, top) == before
    said = {path for path in before if any(path == one or path.startswith(one + "/") for one in would.trash)}
    if linked and (here / "a").is_symlink():
        assert not any(path == f"{top}/a" or path.startswith(f"{top}/a/") for path in said)
    code, did = mirror(str(here), top, "--max-delete", str(most))
    after = paths_below(client, top)
    lost = before.keys() - after.keys()
    assert lost <= said
    trashed = [one for one in client.trash.list() if one.key not in in_trash]
    if sum(before[path] for path in said) > most:
        assert (code, did, after) == (7, None, before)
    elif code == 0:
        assert did is not None
        assert did.trash == would.trash
        assert lost == said
        assert sorted(one.name for one in trashed) == sorted(path.rpartition("/")[2] for path in would.trash)
        assert {path for path, is_file in after.items() if is_file} >= {"/".join((top, *path)) for path in local}
    else:
        # A file here where a folder is there, or the other way round: it cannot be uploaded, and nothing is trashed.
        assert lost == set()
        assert trashed == []

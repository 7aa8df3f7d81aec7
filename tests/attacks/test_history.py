"""Changes that mean nothing, contents that are deleted at once, accounts under a hold: the past stays, the disk too."""

import time
from itertools import repeat

import pytest
from tests.attacks.attacked import Attacked
from tests.attacks.test_space import stored
from tests.attacks.test_tree import batch, put_files
from tests.attacks.test_webdav import app_of
from tests.conformance.metadata.making import new_file
from tests.server.api import Api, error_of
from tests.server.uploading import upload

from skyshelf.service.accounts import holds
from skyshelf.wire.limits import DEAD_PROPERTIES_OF_ACCOUNT_BYTES_MAX, HISTORY_TIMES_QUOTA

MIB = 1024 * 1024
FILES = 480
ROUNDS = 12
PROBES = 40
QUOTA = MIB
SIZE = 200 * 1024
UPLOADS = 40


def give_up(attacker: Api, key: str) -> int:
    """Trash a file and empty the trash; the status of the answer."""
    batch(attacker, "TRASH", [key], repeat({"status": "T"}))
    return attacker.post("/x/v1/trash/empty").status_code


def past(attacker: Api, at: int) -> list[str]:
    answer = attacker.get(f"/x/v1/history/folders/{attacker.root_key}", params={"at": at})
    assert answer.status_code == 200, answer.text
    return sorted(one["objectName"] for one in answer.json()["objects"])


def newest(attacker: Api) -> int:
    with attacker.ctx.metadata.read() as unit:
        return unit.history.bounds(attacker.account.account_id).newest


def test_changes_that_mean_nothing_push_nothing_out_of_history(attacked: Attacked) -> None:
    attacker = attacked.account()
    kept = attacker.file("kept.txt")
    at = kept.created_at
    time.sleep(0.01)
    assert give_up(attacker, kept.object_key) == 200
    keys = put_files(attacker, [new_file(attacker.root_key, f"{number}.txt") for number in range(FILES)])
    before = newest(attacker)
    with attacked.while_others_work(probes=PROBES):
        for _ in range(ROUNDS):
            batch(attacker, "SETFAV", keys, repeat({}))
            batch(attacker, "UNSETFAV", keys, repeat({}))
        written = newest(attacker)
        assert written == before + 2 * ROUNDS * FILES
        # What one call changes and changes back is no change.
        entries = [
            {"operation": operation, "correlationId": f"{operation} {key}", "object": {"objectKey": key}}
            for key in keys
            for operation in ("SETFAV", "UNSETFAV")
        ]
        attacker.put("/nms/metadata/1.0", json={"objects": entries})
        assert newest(attacker) == written
    assert past(attacker, at) == ["kept.txt"]
    answer = attacker.get(f"/download/history/{kept.object_key}", params={"at": at})
    assert (answer.status_code, answer.content) == (200, b"some bytes")


@pytest.mark.parametrize("is_held", [False, True], ids=["free", "held"])
def test_contents_that_are_deleted_at_once_fill_no_disk(attacked: Attacked, is_held: bool) -> None:
    """What history keeps beside the quota is bounded, and a hold, which keeps everything, changes nothing of that."""
    attacker = attacked.account(quota=QUOTA)
    if is_held:
        holds.hold(attacked.ctx, attacker.account, "a test")
    statuses: set[int] = set()
    with attacked.while_others_work(probes=PROBES):
        before = stored(attacked)
        for number in range(UPLOADS):
            answer = upload(attacker, f"{number}.bin", number.to_bytes(2, "big") * (SIZE // 2))
            statuses.add(answer.status_code)
            if answer.status_code == 201:
                assert give_up(attacker, answer.json()["objectKey"]) == 200
            else:
                assert error_of(answer)[1] in {"SKY4007", "SKY4008"}, answer.text
        # The bystander has stored some bytes, too.
        assert stored(attacked) - before <= (1 + HISTORY_TIMES_QUOTA) * QUOTA + MIB
    assert len(statuses) == 2


def test_a_flood_of_new_properties_stops_at_the_bound(attacked: Attacked) -> None:
    attacker = attacked.account()
    dav = app_of(attacked, attacker)
    names = [f"{number}.txt" for number in range(60)]
    put_files(attacker, [new_file(attacker.root_key, name) for name in names])
    value = "v" * 60_000
    seen = set()
    with attacked.while_others_work(probes=PROBES):
        for name in names:
            props = "".join(f"<x:p{number}>{value}</x:p{number}>" for number in range(4))
            seen.add(dav.proppatch(name, f"<D:set><D:prop>{props}</D:prop></D:set>").status_code)
    with attacked.ctx.metadata.read() as unit:
        [used] = [one for one in unit.usage.kept(attacker.account.account_id, 0) if one.kind == "propertyBytes"]
    assert used.used <= DEAD_PROPERTIES_OF_ACCOUNT_BYTES_MAX
    assert seen <= {207, 507, 413}, seen

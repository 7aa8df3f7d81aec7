"""A real server on a small file system that is full to the last byte, and what it and its operator can still do."""

import pytest
from tests.operating.full_disks import Full, admin, eventually, over_the_network_again
from tests.real_parts.small_disks import MIB
from tests.server.api import PASSWORD, log_in, new_account
from tests.server.echoes import batch, echo_of, entry
from tests.server.running import opened
from tests.server.uploading import upload


@pytest.mark.whole
def test_filled_by_another_program_it_works_without_a_byte_also_after_a_restart_and_recovers(full: Full) -> None:
    keys = [key for number in range(12) if (key := full.upload(f"{number}.bin"))]
    full.disk.fill()
    full.assert_people_can_work()
    # What the ballast gave back, the other program cannot take.
    for key in keys[:2]:
        full.disk.fill()
        full.delete(key)
    full.assert_people_can_work()
    # Strangers write, too: their attempts are counted, and people with wrong passwords wait.
    for number in range(10):
        wrong = full.api.client.post("/x/v1/login", json={"emailId": f"{number}@example.org", "password": PASSWORD})
        assert wrong.status_code in (401, 429), wrong.text
    full.server.kill()
    full.disk.fill()
    full.server.start()
    full.assert_people_can_work()
    full.disk.fill()
    full.delete(*keys[2:8])
    # Nobody does anything more: what was deleted goes, and makes room.
    full.forget_the_wait()
    eventually(lambda: full.upload("after.bin"))
    assert full.space() == "ready"
    full.assert_nothing_was_lost()
    full.disk.clear()
    eventually(full.ctx.metadata.ballast().is_there)  # type: ignore[union-attr]


def test_it_starts_on_a_disk_without_a_byte_after_it_was_stopped(full: Full) -> None:
    key = full.upload("a.bin")
    assert key
    full.upload("b.bin")
    full.ctx.metadata.close()
    assert full.server.stop() == 0
    assert not list(full.server.data.glob("*-wal"))
    full.disk.fill()
    ls = admin(full, "quarantine", "ls")
    assert (ls.returncode, ls.stdout) == (0, "Nothing is in quarantine.\n")
    full.server.start()
    full.disk.fill()
    with opened(full.server.data) as full.ctx, over_the_network_again(full):
        full.assert_people_can_work()
        full.delete(key)
        full.assert_nothing_was_lost()


@pytest.mark.whole
def test_one_command_makes_room_where_the_server_is_not_running(full: Full) -> None:
    full.delete(*[key for number in range(8) if (key := full.upload(f"{number}.bin"))])
    full.upload("kept.bin")
    full.forget_the_wait()
    # The collector puts them into quarantine; they stay there while there is space.
    full.ctx.metadata.write(lambda unit: unit.outbox.put("collect-unreferenced-blobs", "", b"", 0))
    eventually(lambda: "released: 8 contents" in admin(full, "quarantine", "ls").stdout)
    full.ctx.metadata.close()
    assert full.server.stop() == 0
    full.disk.fill()
    emptied = admin(full, "quarantine", "empty", "--reason", "the disk is full", "--yes")
    assert emptied.returncode == 0, emptied
    assert emptied.stdout == "Deleted 8 contents (8 MiB) for good.\n"
    assert full.disk.free > 4 * MIB
    full.server.start()
    with opened(full.server.data) as full.ctx, over_the_network_again(full):
        assert full.upload("more.bin")
        full.assert_nothing_was_lost()


@pytest.mark.whole
def test_an_account_that_uploads_and_deletes_is_refused_and_others_are_not_locked_out(full: Full) -> None:
    full.disk.leave(12 * MIB)
    rounds = 0
    while (key := full.upload(f"{rounds}.bin")) is not None:
        rounds += 1
        if rounds > 1:
            full.delete(key)
    assert rounds < 12
    echo = echo_of(full.api, next(iter(full.kept)))
    for _ in range(3):
        left = full.disk.free
        refused = batch(full.api, *[entry(kind, echo) for kind in ["SETFAV", "UNSETFAV"] * 50])["unprocessed"]
        assert {one["object"]["errorCode"] for one in refused} <= {"SKY5002"}
        assert len(refused) in (0, 100)
        assert full.disk.free > left - MIB
    assert log_in(full.api.client, full.api.account.email).status_code == 200
    full.forget_the_wait()
    eventually(lambda: full.upload("after.bin"))
    full.assert_nothing_was_lost()


def test_a_backup_to_the_same_disk_fails_with_a_sentence_and_leaves_the_space(full: Full) -> None:
    for number in range(8):
        assert full.upload(f"{number}.bin", 2 * MIB)
    full.disk.leave(6 * MIB)
    before = full.disk.free
    failed = admin(full, "backup", str(full.disk.place / "backup"))
    assert failed.returncode == 2
    assert "\nskyshelf: " in failed.stderr
    assert "Traceback" not in failed.stderr
    assert "choose another disk" in failed.stderr
    assert full.disk.free > before - 2 * MIB
    assert upload(full.api, "more.bin", b"x").status_code == 201
    full.disk.fill()
    full.assert_people_can_work()
    assert admin(full, "backup", str(full.disk.place / "backup")).returncode == 2
    full.disk.clear()
    assert admin(full, "backup", str(full.disk.place / "backup")).returncode == 0
    full.assert_nothing_was_lost()


def test_commands_of_operators_work_or_say_what_to_do_without_a_byte(full: Full) -> None:
    full.upload("a.bin")
    new_account(full.ctx, "eve@example.org")
    full.disk.fill()
    for command in (
        ("doctor",),
        ("quarantine", "ls"),
        ("quarantine", "empty", "--reason", "full", "--yes"),
        ("settings",),
        ("user", "ls"),
        ("upgrade", "--check"),
        ("user", "disable", "eve@example.org"),
    ):
        ran = admin(full, *command)
        assert (ran.returncode, "Traceback" in ran.stderr) == (0, False), (command, ran.stderr)
        full.disk.fill()
    full.ctx.metadata.close()
    assert full.server.stop() == 0
    assert admin(full, "upgrade", "--dry-run").returncode == 0


@pytest.mark.whole
def test_a_rewind_on_a_disk_that_becomes_full_ends_when_there_is_space(full: Full) -> None:
    parent = full.api.folder("many").object_key
    keys = [full.api.file(f"{number}.txt", parent_key=parent).object_key for number in range(300)]
    moment = full.ctx.clock.now()
    eventually(lambda: full.ctx.clock.now() > moment)
    full.api.trash(*keys)
    started = full.api.post("/x/v1/rewind", json={"to": moment})
    full.server.kill()
    full.disk.fill()
    assert started.status_code == 200, started.text
    path = f"/x/v1/rewind/{started.json()['rewindKey']}"
    full.server.start()
    assert log_in(full.api.client, full.api.account.email).status_code == 200
    full.disk.fill()
    assert full.api.get(path).json()["state"] in ("planning", "running", "done")
    full.disk.clear()
    eventually(lambda: full.api.get(path).json()["state"] == "done")
    with full.ctx.metadata.read() as unit:
        assert len(unit.tree.children(full.api.account.account_id, parent)) == 300
    full.assert_nothing_was_lost()

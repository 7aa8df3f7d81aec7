"""`skyshelf alarms`: paused devices, what is decided about them, and the limit."""

from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD

from skyshelf.cli.commands.alarms import AlarmLimitRecord, AlarmRecord
from skyshelf.cli.commands.rewind import RewindRecord
from skyshelf.wire.limits import ALARM_LIMIT_DEFAULT, ALARM_LIMIT_MIN

PAUSED = 16


def test_a_device_that_deletes_too_much_is_paused_until_the_password_allows_it(typist: Typist) -> None:
    typist.done("alarms", "limit", str(ALARM_LIMIT_MIN))
    names = [f"/{number}" for number in range(ALARM_LIMIT_MIN + 1)]
    typist.drive.add_folders([name[1:] for name in names])
    assert typist.records(AlarmRecord, "alarms", "list") == []
    typist.done("rm", *names[:-1])
    code, said = typist.refused("rm", names[-1])
    assert "paused" in said
    assert code != 0
    assert typist.refused("trash", "empty", "--yes")[0] == PAUSED
    assert typist.refused("mkdir", "/still")[0] == PAUSED

    [alarm] = typist.records(AlarmRecord, "alarms", "list")
    assert (alarm.state, alarm.is_this_one, alarm.deleted) == ("open", True, ALARM_LIMIT_MIN)
    assert f"{ALARM_LIMIT_MIN} deleted" in typist.done("alarms", "list")
    device = alarm.device_key or ""
    [rewound] = typist.records(RewindRecord, "alarms", "rewind", device, "--yes")
    assert (rewound.state, rewound.restored) == ("done", ALARM_LIMIT_MIN)
    assert "0/" in typist.done("ls")
    assert typist.refused("alarms", "allow", "nobody")[0] == 6
    assert typist.refused("alarms", "allow", device, "--password-stdin", stdin="wrong")[0] == 5
    typist.done("alarms", "allow", device, "--password-stdin", stdin=PASSWORD)
    typist.done("rm", names[-1])
    assert typist.records(AlarmRecord, "alarms", "list") == []
    assert [one.state for one in typist.records(AlarmRecord, "alarms", "list", "--all")] == ["allowed"]


def test_a_higher_limit_takes_the_password(typist: Typist) -> None:
    assert typist.record(AlarmLimitRecord, "alarms", "limit").limit == ALARM_LIMIT_DEFAULT
    assert typist.refused("alarms", "limit", "5000", "--password-stdin", stdin="wrong")[0] == 5
    typist.done("alarms", "limit", "5000", "--password-stdin", stdin=PASSWORD)
    assert typist.record(AlarmLimitRecord, "alarms", "limit") == AlarmLimitRecord(limit=5000, is_own=True)
    assert "off" in typist.done("alarms", "limit", "0", "--password-stdin", stdin=PASSWORD)
    assert typist.record(AlarmLimitRecord, "alarms", "limit", "--default", "--password-stdin", stdin=PASSWORD) == (
        AlarmLimitRecord(limit=ALARM_LIMIT_DEFAULT, is_own=False)
    )

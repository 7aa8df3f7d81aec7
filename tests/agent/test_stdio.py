"""The stdio loop, as a process."""

import io
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agent.entry_points import SKYSHELF, environment_of
from tests.agent.test_dispatcher import CALLS, COMPLETE, JSON, NAMES, error_of, unreachable
from tests.client.serving import Person
from tests.examples import examples

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.bridge import serve_lines as serve
from skyshelf.agent.dispatcher import Dispatcher


def agent(
    *arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [SKYSHELF, "agent", *arguments], input=stdin, capture_output=True, timeout=60, env=environment, check=False
    )


def read_envelopes(lines: bytes) -> list[dict[str, Any]]:
    assert lines == b"" or lines.endswith(b"\n")
    return [json.loads(line) for line in lines.splitlines()]


def test_every_line_has_one_answer_in_order_and_the_loop_outlives_bad_ones(person: Person, root: Path) -> None:
    lines = [
        b"ping",
        b"schema",
        b"",
        b"\xff\xff",
        b"nonsense",
        b'{"tool": "fly"}',
        b"[" * 50_000,
        b'"' + b"x" * (10 << 20) + b'"',
        b'{"tool": "move_to_trash", "arguments": {"confirm": "true"}}',
        b'{"tool": "account_info", "arguments": {}}\r',
        b"  ping  ",
    ]
    done = agent("serve", stdin=b"\n".join(lines), environment=environment_of(person, root))
    assert done.returncode == 0
    assert done.stderr == b""
    answers = read_envelopes(done.stdout)
    assert answers[0] == {"ok": True, "result": "pong"}
    assert answers[1]["count"] == len(answers[1]["result"]) == 16
    assert [each["function"]["name"] for each in answers[1]["result"]] == NAMES
    assert [error_of(each) for each in answers[2:9]] == [
        *["InvalidJSON"] * 3,
        "UnknownTool",
        *["InvalidJSON"] * 2,
        "confirmation_required",
    ]
    assert answers[9]["result"]["name"] == "Ada Byron"
    assert answers[10] == {"ok": True, "result": "pong"}
    assert len(answers) == len(lines)


def test_quit_and_the_end_of_input_end_it_with_success() -> None:
    assert (agent("serve").returncode, agent("serve").stdout) == (0, b"")
    done = agent("serve", stdin=b"ping\nquit\nping\n")
    assert done.returncode == 0
    assert read_envelopes(done.stdout) == [{"ok": True, "result": "pong"}]


def test_an_answer_is_flushed_before_the_next_line_is_read() -> None:
    with subprocess.Popen([SKYSHELF, "agent", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(b"ping\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["result"] == "pong"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stdout.read() == b""


def test_nothing_but_envelopes_reaches_standard_output() -> None:
    script = (
        "import os\nfrom skyshelf.agent.dispatcher import Dispatcher\n"
        "async def noisy(self, text):\n"
        "    print('noise')\n    os.write(1, b'more noise')\n    return {'ok': True, 'result': None}\n"
        "Dispatcher.call_text = noisy\nfrom skyshelf.cli.commands.agent import agent\nagent(['serve'])"
    )
    done = subprocess.run([sys.executable, "-c", script], input=b"{}\n", capture_output=True, timeout=60, check=False)
    assert done.stdout == b'{"ok":true,"result":null}\n'
    assert b"more noise" in done.stderr


def test_a_closed_reader_ends_the_loop() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with Bridge(Dispatcher(unreachable)) as bridge, os.fdopen(writing, "wb", buffering=0) as answers:
        assert serve(bridge, io.BytesIO(b"ping\nping\n"), answers) == 0


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ('{"tool": "account_info", "arguments": {}}', 0),
        ('{"tool": "list_files", "arguments": {"folder_key": "%s"}}' % ("F" * 32), 6),
        ('{"tool": "share_link", "arguments": {}}', 2),
        ("nonsense", 2),
    ],
)
def test_one_call_ends_with_the_code_of_its_envelope(request_: str, code: int, person: Person, root: Path) -> None:
    environment = environment_of(person, root)
    done = agent("call", request_, environment=environment)
    assert done.returncode == code
    (envelope,) = read_envelopes(done.stdout)
    assert envelope["ok"] is (code == 0)
    piped = agent("call", "-", stdin=request_.encode(), environment=environment)
    assert (piped.returncode, piped.stdout) == (done.returncode, done.stdout)


def test_an_expired_session_ends_one_call_with_its_code(person: Person, root: Path) -> None:
    environment = {**environment_of(person, root), "SKYSHELF_AUTH_TOKEN": "ZXhwaXJlZCNBVEsjdG9rZW4="}
    done = agent("call", '{"tool": "account_info"}', environment=environment)
    assert done.returncode == 4
    assert error_of(read_envelopes(done.stdout)[0]) == "AuthenticationError"


LINES = st.lists(
    st.binary(max_size=40)
    | st.sampled_from([b"ping", b"schema", b"Quit", b"", b"null", b"{}", b'{"tool":1}', b"\x00", b"quit now"])
    | (JSON | CALLS).map(lambda value: json.dumps(value).encode()),
    max_size=30,
)
_loop = Bridge(Dispatcher(unreachable))


def check_answers(sent: list[bytes]) -> None:
    """One well-formed envelope per line."""
    answers = io.BytesIO()
    assert serve(_loop, io.BytesIO(b"".join(line + b"\n" for line in sent)), answers) == 0
    envelopes = read_envelopes(answers.getvalue())
    assert len(envelopes) == len(sent)
    for envelope in envelopes:
        if envelope["ok"] is True:
            assert envelope.keys() <= {"ok", "result", "count"}
        else:
            error_of(envelope)


def speakable(line: bytes) -> bytes:
    """The line without line breaks, and not `quit`."""
    line = line.replace(b"\n", b" ")
    return b"" if line.strip() == b"quit" else line


@settings(max_examples=examples(20), deadline=None)
@given(LINES)
def test_any_lines_have_one_envelope_each(lines: list[bytes]) -> None:
    check_answers([speakable(line) for line in lines])


WHOLE = [*(json.dumps({"tool": name, "arguments": COMPLETE.get(name, {})}).encode() for name in NAMES), b"ping"]
ODDS = [
    b"",
    b'"',
    b"{",
    b"}",
    b"\\",
    b"\xff",
    b"null",
    b",",
    b"1e999",
    b"\x00",
    b'"confirm":',
    b"true",
    b"[",
    b"\xed\xa0\x80",
]


def damaged(chance: random.Random) -> bytes:
    """A call damaged in up to three places."""
    line = bytearray(chance.choice(WHOLE))
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(line) + 1)
        line[place : place + chance.randrange(3)] = chance.choice([*ODDS, chance.randbytes(2)])
    return speakable(bytes(line))


@pytest.mark.whole
@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 2**64))
def test_twenty_thousand_damaged_calls_have_one_envelope_each(seed: int) -> None:
    """A thousand lines per example; Hypothesis chooses the seed and reports the failing one."""
    chance = random.Random(seed)
    check_answers([damaged(chance) for _ in range(1000)])

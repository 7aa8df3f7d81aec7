"""Space: nobody can write more than their quota by leaving uploads open, and a full disk can be emptied."""

import json
import socket
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from tests.attacks.attacked import Attacked, eventually
from tests.attacks.conftest import EMBEDDED, Starting
from tests.server.api import Api, log_in
from tests.server.running import RunningServer, over_the_network
from tests.server.uploading import described, names_in, upload

from skyshelf.wire.limits import CONTACTS_MAX

MIB = 1024 * 1024
QUOTA = 2 * MIB
UPLOADS = 60
SIZE = QUOTA - 100 * 1024
SENT = SIZE - 64 * 1024
PATIENCE = 20


def with_a_length(api: Api, number: int) -> bytes:
    """Everything up to the file's bytes: its size is announced twice."""
    metadata = json.dumps(described(api, f"{number}.bin", bytes(SIZE)) | {"hash": "0" * 32}).encode()
    before = (
        b'--x\r\nContent-Disposition: form-data; name="metadataString"\r\n\r\n' + metadata + b"\r\n"
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    )
    length = len(before) + SIZE + len(b"\r\n--x--\r\n")
    return head(api, f"Content-Length: {length}") + before + bytes(SENT)


def without_a_length(api: Api, _: int) -> bytes:
    """The file comes before its metadata, and nobody knows how long it will be."""
    before = b'--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    pieces = [before, *[bytes(64 * 1024)] * (SENT // (64 * 1024))]
    framed = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    return head(api, "Transfer-Encoding: chunked") + framed


def head(api: Api, length: str) -> bytes:
    headers = {**api.headers, "Content-Type": "multipart/form-data; boundary=x", "Host": "localhost"}
    lines = [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(["POST /upload/files HTTP/1.1", *lines, length, "", ""]).encode()


def stored(attacked: Attacked) -> int:
    blobs = attacked.ctx.blobs
    return sum(one.size for one in blobs.list()) + sum(one.size for one in blobs.list_uploads())


@pytest.mark.parametrize("kind", [with_a_length, without_a_length])
def test_open_uploads_write_no_more_than_the_quota(attacked: Attacked, kind: Callable[[Api, int], bytes]) -> None:
    attacker = attacked.account(quota=QUOTA)
    most = 0
    with attacked.while_others_work(probes=40):
        before = stored(attacked)
        sockets = [attacked.connect(timeout=1) for _ in range(UPLOADS)]
        for number, raw in enumerate(sockets):
            with suppress(OSError):
                raw.sendall(kind(attacker, number))
        refused, ends = 0, time.monotonic() + PATIENCE
        waiting = set(sockets)
        while time.monotonic() < ends and refused < UPLOADS - 2:
            most = max(most, stored(attacked) - before)
            for raw in list(waiting):
                if answer := first_line(raw):
                    waiting.discard(raw)
                    refused += 1
                    assert answer.split()[1] in (b"413", b"429", b"503"), answer
        most = max(most, stored(attacked) - before)
        # Of what is allowed, one upload fits; the others are refused while it is open.
        assert refused >= UPLOADS - 2
        assert most <= QUOTA + MIB, f"{most / MIB:.1f} MiB"
        for raw in sockets:
            raw.close()
    # What was reserved is free again.
    eventually(lambda: upload(attacker, "after.bin", bytes(SIZE)).status_code == 201, PATIENCE)


def first_line(raw: socket.socket) -> bytes:
    raw.settimeout(0.05)
    try:
        return raw.recv(100) or b"HTTP/1.1 503 closed"
    except TimeoutError:
        return b""
    except OSError:
        return b"HTTP/1.1 503 reset"


# A database server and a bucket do not say how much is left; tests/service/test_disk_reserve.py is about them.
@pytest.mark.parametrize("attacked_backend", [EMBEDDED])
def test_below_the_reserve_uploads_are_refused_and_deleting_works(start_attacked: Starting) -> None:
    attacked = start_attacked("--reserve-space", "4000TiB")
    api = attacked.account()
    kept, gone = api.file("kept.txt"), api.file("gone.txt")
    refused = upload(api, "more.txt", b"bytes")
    assert (refused.status_code, refused.json()["code"]) == (507, "SKY5002")
    assert sorted(names_in(api)) == ["gone.txt", "kept.txt"]
    echo = {"objectKey": gone.object_key, "objectName": "gone.txt", "sourceName": "DRIVE", "status": "T"}
    trashed = api.put(
        "/nms/metadata/1.0", json={"objects": [{"operation": "TRASH", "correlationId": "1", "object": echo}]}
    )
    assert trashed.json()["unprocessed"] == []
    assert api.post("/x/v1/trash/empty").status_code == 200
    assert log_in(api.client, api.account.email).status_code == 200
    assert api.get(f"/download/files/{kept.object_key}").content == b"some bytes"
    ready = api.client.get("/readyz")
    assert (ready.status_code, ready.json()["space"]) == (200, "at the reserve: uploads are refused")
    attacked.server.stop()
    again = RunningServer(attacked.server.data)
    try:
        again.start()
        with over_the_network(again, attacked.ctx, api.account) as api:
            assert api.client.get("/readyz").json()["space"] == "ready"
            assert upload(api, "more.txt", b"bytes").status_code == 201
    finally:
        again.close()


def test_vcards_and_links_fill_no_database(attacked: Attacked) -> None:
    """11.5 MB of cards took 97 MB of the database, at any quota; now the number and the bytes are bounded."""
    attacker = attacked.account(quota=0)
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{name}\r\n{mails}END:VCARD\r\n"
    mails = "".join(f"EMAIL:{at}@example.org\r\n" for at in range(20))
    cards = "".join(card.format(name=f"{at} {'x' * 200}", mails=mails) for at in range(1000))
    with attacked.while_others_work(probes=40):
        answers = [attacker.post("/x/v1/contacts/import", json={"vcards": cards}) for _ in range(11)]
        refused = answers[-1]
        assert (refused.status_code, refused.json()["code"]) == (413, "SKY4008"), refused.text
        assert answers[0].status_code < 300
        assert "at most" in refused.json()["message"]
        nonces = {attacker.post("/security/getokenforcookie", json={"jwt": attacker.login["jwt"]}).status_code}
        assert nonces == {200}
    with attacked.ctx.metadata.read() as unit:
        assert len(unit.contacts.page(attacker.account.account_id, limit=20_000)) <= CONTACTS_MAX

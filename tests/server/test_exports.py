"""Exports of an account: who may begin one, who may download its parts, and what the owner learns of it."""

import hashlib
import io
import zipfile

import pytest
from tests.server import second_factors
from tests.server.api import PASSWORD, Api
from tests.server.good_calls import furnish, paused_device

from skyshelf.service import rotation
from skyshelf.service.exporting.exports import LIFETIME_MS
from skyshelf.service.secret_table import BY_NAME

DAY_MS = 86_400_000


def begun(api: Api, **more: object) -> dict[str, object]:
    answer = api.post("/x/v1/account/export", json={"password": PASSWORD, **more})
    assert answer.status_code == 201, answer.text
    given: dict[str, object] = answer.json()
    return given


def parts(api: Api, export: object) -> list[dict[str, object]]:
    answer = api.get("/x/v1/account/export/parts", params={"export": str(export)})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, object]] = answer.json()["parts"]
    return found


def part_of(api: Api) -> str:
    (only,) = parts(api, begun(api)["export"])
    return str(only["part"])


def test_a_part_is_a_zip_file_of_everything_with_checksums(api: Api) -> None:
    furnish(api)
    answer = api.get("/download/export", params={"part": part_of(api)})
    assert answer.status_code == 200
    assert "skyshelf-" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        listed = [line.partition("  ") for line in archive.read("SHA256SUMS-0001.txt").decode().splitlines()]
        sums = {name: digest for digest, _, name in listed}
        for info in archive.infolist():
            if not info.is_dir() and info.filename != "SHA256SUMS-0001.txt":
                assert hashlib.sha256(archive.read(info)).hexdigest() == sums.pop(info.filename)
        assert archive.read("files/a text.txt") == b"its second version"
        assert archive.read("versions/files/a text.txt/1.txt") == b"its first version"
        assert b"Nice" in archive.read("albums.jsonl")
    assert not sums


def test_an_open_session_alone_begins_nothing(api: Api) -> None:
    assert api.post("/x/v1/account/export", json={}).status_code == 400
    wrong = api.post("/x/v1/account/export", json={"password": "a wrong password"})
    assert (wrong.status_code, api.post("/x/v1/account/export").status_code) == (403, 400)
    events = [one["kind"] for one in api.get("/x/v1/account/events").json()["events"]]
    assert "account.exported" not in events
    assert "password.failed" in events


def test_the_second_factor_is_asked_for(api: Api) -> None:
    phone, _ = second_factors.turned_on(api, steps=0)
    assert api.post("/x/v1/account/export", json={"password": PASSWORD}).status_code == 403
    assert begun(api, code=phone.code(+1))["export"]


def test_the_owner_finds_it_among_the_events_and_gets_a_message(api: Api) -> None:
    begun(api)
    event = api.get("/x/v1/account/events").json()["events"][0]
    assert (event["kind"], event["by"]) == ("account.exported", "you")
    assert event["deviceKey"] == api.login["deviceKey"].lower()


def test_parts_of_another_account_forged_ones_and_old_ones_do_not_exist(api: Api, other_api: Api) -> None:
    given = begun(api)
    export, part = str(given["export"]), part_of(api)
    for path, name, ticket in (("/x/v1/account/export/parts", "export", export), ("/download/export", "part", part)):
        assert api.get(path, params={name: ticket}).status_code == 200
        body, _, mac = ticket.partition(".")
        turned = "A" if mac[0] != "A" else "B"
        for wrong in (
            f"{body}.{turned}{mac[1:]}",
            body,
            "nothing",
            f"A{body}.{mac}",
            part if name == "export" else export,
        ):
            assert api.get(path, params={name: wrong}).json()["code"] == "SKY3040", wrong
        assert other_api.get(path, params={name: ticket}).json()["code"] == "SKY3040"
    assert given["expiryDate"] == api.ctx.clock.now() + LIFETIME_MS
    api.ctx.clock.advance(LIFETIME_MS)  # type: ignore[attr-defined]
    assert api.get("/download/export", params={"part": part}).status_code == 404


def test_an_interrupted_part_is_resumed_with_the_same_bytes(api: Api) -> None:
    furnish(api)
    part = part_of(api)
    whole = api.get("/download/export", params={"part": part})
    rest = api.get(
        "/download/export",
        params={"part": part},
        headers={"range": "bytes=1000-", "if-range": whole.headers["etag"]},
    )
    assert (rest.status_code, rest.content) == (206, whole.content[1000:])
    changed = api.file("a new file.txt", b"since then")
    again = api.get(
        "/download/export", params={"part": part}, headers={"range": "bytes=1000-", "if-range": whole.headers["etag"]}
    )
    assert again.status_code == 200
    assert changed.name.encode() in again.content


def test_small_parts_have_every_object_once(api: Api) -> None:
    for number in range(4):
        api.file(f"{number}.bin", bytes([number]) * 700_000)
    found = parts(api, begun(api, partBytes=1024 * 1024)["export"])
    assert len(found) == 4
    names = []
    for one in found:
        answer = api.get("/download/export", params={"part": str(one["part"])})
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            names += [name for name in archive.namelist() if name.startswith("files/")]
    assert sorted(names) == [f"files/{number}.bin" for number in range(4)]
    too_small = api.post("/x/v1/account/export", json={"password": PASSWORD, "partBytes": 1024})
    assert too_small.status_code == 400


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_paused_device_begins_no_export(api: Api, is_paused: bool) -> None:
    if is_paused:
        paused_device(api, api.login["deviceKey"])
    answer = api.post("/x/v1/account/export", json={"password": PASSWORD})
    assert answer.status_code == (403 if is_paused else 201), answer.text


def test_a_rotated_secret_ends_exports_that_are_going_on(api: Api) -> None:
    export, part = begun(api)["export"], part_of(api)
    for _ in rotation.rotate(api.ctx, BY_NAME["exports"], force=False):
        pass
    assert api.get("/x/v1/account/export/parts", params={"export": str(export)}).status_code == 404
    assert api.get("/download/export", params={"part": part}).status_code == 404
    assert parts(api, begun(api)["export"])

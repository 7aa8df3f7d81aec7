"""How many statements each endpoint takes does not depend on how much an account, or its neighbour, holds.

`test_statement_counts.py` names the numbers of the listings; here is every call of the table.
"""

from msgspec.structs import replace
from tests.server.api import Api, HeldClock, logged_in, new_account
from tests.server.echoes import make_folders
from tests.server.good_calls import PIXEL, Keys, furnish, good_call, removing_last
from tests.server.second_factors import begin
from tests.server.test_statement_counts import ctx, statements  # noqa: F401 - the house that notes is a fixture

from skyshelf.service.accounts import app_passwords
from skyshelf.service.accounts.passkeys import party
from skyshelf.service.context import ServiceContext
from skyshelf.service.identity import logins
from skyshelf.wire.endpoints import BY_NAME

FEW, MANY = 3, 60


def grow(api: Api, keys: Keys, clock: HeldClock, count: int) -> None:
    """Much of everything: folders, files with versions, trash, shares, boards with things on them, tags, sessions."""
    account_id, write = api.account.account_id, api.ctx.metadata.write
    make_folders(api, count)
    api.trash(*make_folders(api, count, api.folder(f"to trash {count}").object_key))
    for number in range(count):
        clock.advance(1)
        file = api.file(f"{number}.jpg", b"%d" % number, keys.folder, app_code="dgl")
        api.file("a picture.png", PIXEL + b"version %d %d" % (count, number))
        now = clock.now()
        write(lambda unit, key=file.object_key, now=now: unit.board_items.add(account_id, keys.board, [key], now))  # type: ignore[misc]
    for number in range(count // 3):
        board = api.post("/boards", json={"boardName": f"Board {number}"})
        shared = {"objects": [{"objectKey": keys.folder}], "shareName": "x", "shareType": "L"}
        share = api.post("/share/ulinks", json=shared)
        assert (board.status_code, share.status_code) == (201, 201)


def statements_of_every_call(api: Api, ctx: ServiceContext, clock: HeldClock, count: int) -> dict[str, int]:  # noqa: F811
    """What each call takes in an account that holds as many of each thing."""
    one = logged_in(api.client, ctx, new_account(ctx, f"holds{count}@example.org"))
    keys = furnish(one)
    grow(one, keys, clock, count)

    def taken(name: str) -> int:
        call = good_call(name, one, keys)
        if name in {"listing", "default_view"}:
            call = replace(call, params={**call.params, "limit": "5000"})

        def send() -> None:
            answer = call.send(one)
            assert answer.status_code in BY_NAME[name].answers, (name, answer.text)

        return statements(one, send)

    return {name: taken(name) for name in removing_last(BY_NAME)}


def test_every_call_takes_as_many_statements_in_a_full_account_as_in_an_empty_one(
    api: Api,
    ctx: ServiceContext,  # noqa: F811
    clock: HeldClock,
) -> None:
    # The very first call makes the server's own secret, once.
    begin(api)
    ctx.secret(app_passwords.SETTING)
    ctx.secret(logins.SETTING)
    ctx.secret(party.SETTING)
    few, many = (statements_of_every_call(api, ctx, clock, count) for count in (FEW, MANY))
    # An export reads all there is, album by album, and completes the log of changes when it begins.
    for name in ("download_export", "begin_export"):
        few.pop(name)
        assert many.pop(name) <= 7 * MANY
    assert many == few
    # An upload looks for its folder, its room and its content, puts the file onto a board, notes
    # that in the board's activity and in history, and counts what is there, and changes of links by their counter.
    assert few.pop("upload") <= 34
    # A stream looks whether the session goes on, at the epoch, and here at a board with all that is on it.
    assert few.pop("change_stream") <= 25
    # A call that changes something asks first whether its device is paused: nothing that a paused device guesses
    # counts, and its body is not read. A version that is restored becomes the next one, as if it had been uploaded.
    assert few.pop("restore_version") <= 21
    # With both factors, an event, and the throttle is asked before the call waits for a thread that hashes passwords.
    # New codes are of the secret's newest generation, and former ones that nothing depends on go.
    assert max(few.pop("turn_off_second_factor"), few.pop("renew_recovery_codes")) <= 25
    # The same with a passkey, which is found, used and its challenge spent, and then ten recovery codes are made.
    assert few.pop("second_factor_by_passkey") <= 28
    # A device, a session and an event, after both throttles.
    assert few.pop("login") <= 21
    # Without the throttles, but with the identity, where the session came from, and a ticket that counts once.
    assert few.pop("login_by_provider") <= 22
    # The same, and then it makes a device, a session and a scope.
    assert few.pop("add_app_password") <= 26
    # A copy reads what it copies and where to, counts its space, and adds a folder, files and their properties.
    assert few.pop("copy") <= 31
    # What belongs to an album is read from five tables, counted and kept before it goes.
    assert max(few.pop("delete_board"), few.pop("leave_board")) <= 25
    # What it was is kept and counted.
    assert few.pop("edit_board_comment") <= 21
    # The answer is the state of the server, with what is known of its backups.
    assert few.pop("admin_release_brake") <= 22
    # Each object of a link is looked up together with the others, and the change of the link is noted and counted.
    assert few.pop("add_share") <= 21
    # Each kind of what an account may store is counted on its own.
    assert few.pop("storage_use") <= 30
    assert {name: count for name, count in few.items() if count > 20} == {}, "a call that takes more is worth a look"


def test_a_share_of_many_objects_takes_as_many_statements_as_one_of_few(api: Api) -> None:
    keys = make_folders(api, 200)

    def share(some: list[str]) -> None:
        body = {"objects": [{"objectKey": key} for key in some], "shareName": "x", "shareType": "L"}
        assert api.post("/share/ulinks", json=body).status_code == 201

    share(keys[:1])  # the very first makes the server's own secret, once
    few = statements(api, lambda: share(keys[:2]))
    assert statements(api, lambda: share(keys)) == few


def test_a_folder_is_created_with_as_many_statements_deep_down_as_at_the_top(api: Api) -> None:
    def create(parent: str) -> str:
        body = {"objectName": "new", "parentObjectKey": parent, "sourceName": "DRIVE"}
        answer = api.post("/nms/folders", json=body)
        assert answer.status_code == 201
        key: str = answer.json()["objectKey"]
        return key

    at_the_top = statements(api, lambda: create(api.root_key))
    deep = api.root_key
    for number in range(40):
        deep = api.folder(f"level {number}", deep).object_key
    # One more for what all the folders above have below them now.
    assert statements(api, lambda: create(deep)) == at_the_top + 1

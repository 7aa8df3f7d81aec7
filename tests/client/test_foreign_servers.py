"""Servers of others, odd and hostile ones: nothing is cut in silence, and nothing is followed."""

import logging
import traceback
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from msgspec import json
from tests.client.foreign import Answering, Asked, Foreign, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import (
    AmbiguousNameError,
    BrokenListingError,
    InvalidRequestError,
    NetworkError,
    NotOfferedError,
    ObjectNotFoundError,
    RateLimitError,
    RedirectRefusedError,
    ServerError,
    UnexpectedAnswerError,
)
from skyshelf.client.objects.outcomes import UnprocessedError

ROOT = "f" * 32
TOKEN = "S3CR3T-T0KEN"
DEVICE = "S3CR3T-D3VICE"


def key(number: int) -> str:
    return f"{number:032x}"


def shown(number: int, name: str | None = None, kind: str = "FE", **fields: Any) -> dict[str, Any]:
    return {
        "objectKey": key(number),
        "parentObjectKey": ROOT,
        "objectName": name or f"file{number:05d}",
        "objectType": kind,
        "sourceName": "repocopy",
        **fields,
    }


def drive(**answers: Answering) -> Answering:
    """Responses by the last part of the path; the profile is built in."""

    def answering(asked: Asked) -> Reply:
        name = asked.path.rsplit("/", 1)[-1].replace(".", "_")
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        found = answers.get(name) or answers.get(f"_{name}")
        return found(asked) if found else Reply(404, b"<html>nothing here</html>")

    return answering


def listing(files: list[dict[str, Any]], *, clamp: int = 10_000, refuse: int | None = None) -> Answering:
    """A listing with pages, which cuts the limit down in silence, or refuses a large one."""

    def answering(asked: Asked) -> Reply:
        limit = int(asked.query["limit"])
        if refuse is not None and limit > refuse:
            return Reply(400, {"code": "E", "message": "limit"})
        size = min(limit, clamp)
        start = int(asked.query.get("page", "0")) * size
        objects = files if asked.query["type"] == "f" else []
        return Reply(200, {"objects": objects[start : start + size]})

    return answering


@pytest.fixture
def serve() -> Iterator["Serve"]:
    from contextlib import ExitStack

    with ExitStack() as opened:

        def start(answering: Answering, **settings: Any) -> tuple[Foreign, AsyncClient]:
            foreign = opened.enter_context(foreign_server(answering))
            client = AsyncClient(
                foreign.url,
                auth_token=TOKEN,
                user_id="USER",
                device_key=DEVICE,
                retry_wait=0.001,
                retries=3,
                **settings,
            )
            return foreign, client

        yield start


Serve = Callable[..., tuple[Foreign, AsyncClient]]


@pytest.mark.parametrize("clamp", [7, 50, 199, 1000, 10_000])
@pytest.mark.parametrize("count", [0, 1, 50, 51, 100, 1001])
async def test_a_server_that_cuts_the_page_size_in_silence_loses_nothing(serve: Serve, clamp: int, count: int) -> None:
    _, client = serve(drive(metadata=listing([shown(number) for number in range(count)], clamp=clamp)))
    async with client:
        for _ in range(2):
            assert [each.key async for each in client.list_folder(kind="f")] == [key(number) for number in range(count)]


async def test_a_short_page_is_followed_by_one_look_and_never_by_a_probe(serve: Serve) -> None:
    foreign, client = serve(drive(metadata=listing([shown(number) for number in range(50)], refuse=5000)))
    async with client:
        root = await client.root_key()
        for _ in range(10):
            assert len([each async for each in client.list_folder(root, kind="f")]) == 50
    assert foreign.paths().count("GET /nms/metadata") == 20
    assert {one.query["limit"] for one in foreign.asked if one.path == "/nms/metadata"} == {"2000"}


async def test_a_page_that_comes_again_and_again_is_an_error_and_no_endless_loop(serve: Serve) -> None:
    same = [shown(number) for number in range(10)]
    _, client = serve(drive(metadata=lambda asked: Reply(200, {"objects": same if asked.query["type"] == "f" else []})))
    async with client:
        with pytest.raises(BrokenListingError, match="keeps sending the same page"):
            [each async for each in client.list_folder(page_size=10)]
        # Where the page cannot have been cut, the server just does not know pages.
        assert len([each async for each in client.list_folder(page_size=11)]) == 10
        assert len([each async for each in client.list_folder(page_size=9)]) == 10


async def test_pages_that_go_in_circles_are_noticed(serve: Serve) -> None:
    def circle(asked: Asked) -> Reply:
        start = int(asked.query["page"]) % 3 * 10
        return Reply(200, {"objects": [shown(number) for number in range(start, start + 10)]})

    _, client = serve(drive(metadata=circle))
    async with client:
        with pytest.raises(BrokenListingError):
            [each async for each in client.list_folder(kind="f", page_size=10)]


async def test_objects_that_move_to_the_next_page_are_listed_once(serve: Serve) -> None:
    pages = [[0, 1, 2], [2, 3, 4], [5]]

    def moving(asked: Asked) -> Reply:
        number = int(asked.query["page"])
        return Reply(200, {"objects": [shown(one) for one in (pages[number] if number < 3 else [])]})

    _, client = serve(drive(metadata=moving))
    async with client:
        found = [each.key async for each in client.list_folder(kind="f", page_size=3)]
    assert found == [key(number) for number in range(6)]


async def test_where_the_legacy_listing_is_missing_the_other_one_is_used_and_never_cut(serve: Serve) -> None:
    files = [shown(number) for number in range(2500)]

    def view(asked: Asked) -> Reply:
        found = files if asked.query["type"] == "f" else []
        return Reply(200, {"objects": found[: int(asked.query["limit"])]})

    foreign, client = serve(drive(v1=view))
    async with client:
        assert len([each async for each in client.list_folder()]) == 2500
        asked = len(foreign.asked)
        files += [shown(number) for number in range(2500, 5000)]
        with pytest.raises(BrokenListingError, match="without pages"):
            [each async for each in client.list_folder()]
        assert all("defaultview" in one.path for one in foreign.asked[asked:])


async def test_a_folder_that_neither_listing_knows_is_not_found(serve: Serve) -> None:
    _, client = serve(drive())
    async with client:
        with pytest.raises(ObjectNotFoundError) as caught:
            [each async for each in client.list_folder()]
    assert caught.value.path == "/nms/metadata"


async def test_objects_that_share_a_name_are_distinguished_by_key(serve: Serve) -> None:
    files = [shown(1, "same"), shown(2, "same"), shown(3, "Same"), shown(4, "a/b"), shown(5, "..")]
    _, client = serve(drive(metadata=listing(files)))
    async with client:
        with pytest.raises(AmbiguousNameError) as caught:
            await client.get("/same")
        assert caught.value.keys == (key(1), key(2))
        assert (await client.get("/Same")).key == key(3)
        assert (await client.get("/..")).key == key(5)
        assert [one.object.key async for one in client.walk()] == [key(number) for number in range(1, 6)]
        with pytest.raises(AmbiguousNameError):
            await client.get("/SAME", ignore_case=True)


@pytest.mark.whole
async def test_a_walk_of_many_folders_lists_another_server_by_kind(serve: Serve) -> None:
    """Whatever such a server answers without a kind: nothing, only one of them, or an error."""
    folders = [shown(number, f"folder {number:02}", "FR") for number in range(1, 31)]

    def by_kind(asked: Asked) -> Reply:
        is_root = asked.query["folderKey"].lower() == ROOT.lower() and asked.query["page"] == "0"
        return Reply(200, {"objects": folders if is_root and asked.query.get("type") == "w" else []})

    foreign, client = serve(drive(metadata=by_kind))
    async with client:
        assert [one.object.name async for one in client.walk()] == [one["objectName"] for one in folders]
    assert all("type" in asked.query for asked in foreign.asked if asked.path == "/nms/metadata")
    assert sum(asked.path.startswith("/x/") for asked in foreign.asked) == 1


async def test_a_folder_inside_itself_does_not_make_a_walk_endless(serve: Serve) -> None:
    def looped(asked: Asked) -> Reply:
        first = asked.query["page"] == "0" and asked.query["type"] == "w"
        here = {"parentObjectKey": asked.query["folderKey"]}
        return Reply(
            200, {"objects": [shown(1, "loop", "FR", **here), shown(2, "other", "FR", **here)] if first else []}
        )

    _, client = serve(drive(metadata=looped))
    async with client:
        found = [one.path async for one in client.walk()]
    assert found == ["/loop", "/other", "/loop/loop", "/loop/other", "/other/loop", "/other/other"]


async def test_an_echo_holds_what_we_do_not_know_and_numbers_digit_by_digit(serve: Serve) -> None:
    file = b'{"objectKey":"%s","objectName":"a","sourceName":"UPA","x":[1e400,{"y":null}],"z":12345678901234567890123}'
    file %= key(7).encode()

    def files(asked: Asked) -> Reply:
        return Reply(
            200, b'{"objects":[%s]}' % (file if asked.query["type"] == "f" and asked.query["page"] == "0" else b"")
        )

    foreign, client = serve(
        drive(metadata=files, **{"_1_0": lambda asked: Reply(200, {"objects": [], "unprocessed": []})})
    )
    async with client:
        result = await client.move_to_trash(["/a"], on_error="return")
    assert not result.ok
    sent = foreign.asked[-1].body
    assert b'"x":[1e400,{"y":null}],"z":12345678901234567890123' in sent
    assert b'"status":"T"' in sent
    assert b'"correlationId":"USER"' in sent


@pytest.mark.parametrize(
    "unprocessed",
    [
        [{"operation": "TRASH", "object": {"objectKey": key(1), "errorCode": "E1", "errorMessage": "no"}}],
        [{"object": {"objectKey": key(1).upper()}}],
        [{"objectKey": key(1)}],
        [key(1)],
        [{"object": key(1)}],
        [{}],
        [None],
        [7],
    ],
)
@pytest.mark.parametrize("lists_done", [True, False])
async def test_any_entry_in_unprocessed_is_a_failure_whatever_its_form(
    serve: Serve, unprocessed: list[Any], lists_done: bool
) -> None:
    answer: dict[str, Any] = {"unprocessed": unprocessed}
    if lists_done:
        answer["objects"] = []
    _, client = serve(
        drive(
            metadata=listing([shown(1)]),
            **{"_1_0": lambda asked: Reply(200, answer)},
            restore=lambda _: Reply(200, answer),
        )
    )
    async with client:
        for result in (
            await client.move_to_trash(["/file00001"], on_error="return"),
            await client.restore([key(1)], on_error="return"),
        ):
            assert not result.ok
            with pytest.raises(InvalidRequestError):
                result.raise_for_failures()
        with pytest.raises(UnprocessedError):
            await client.rename("/file00001", "other")


@pytest.mark.parametrize("body", [b"", b"{}", b'{"objects":[]}', b'{"unprocessed":[]}', b'{"unprocessed":null}'])
async def test_a_restore_that_says_nothing_against_it_has_succeeded(serve: Serve, body: bytes) -> None:
    _, client = serve(drive(restore=lambda _: Reply(200, body)))
    async with client:
        assert (await client.restore([key(1), key(2)])).ok


async def test_a_refusal_that_has_nothing_but_a_code_names_the_code(serve: Serve) -> None:
    entry = {"operation": "TRASH", "object": {"objectKey": key(1), "errorCode": "E17"}}
    _, client = serve(
        drive(metadata=listing([shown(1)]), **{"_1_0": lambda _: Reply(200, {"objects": [], "unprocessed": [entry]})})
    )
    async with client:
        (outcome,) = await client.move_to_trash(["/file00001"], on_error="return")
    assert (outcome.ok, outcome.reason) == (False, "the server rejected it with E17 without a reason")


async def test_a_name_that_is_cut_within_a_character_hides_nothing_else(serve: Serve) -> None:
    """JSON can hold half a pair of surrogates; the name is shown with a mark in its place."""
    cut = b'{"objects": [%s]}' % b", ".join(
        b'{"objectKey": "%s", "objectName": "%s", "objectType": "FE", "sourceName": "UPA"}' % (key(n).encode(), name)
        for n, name in enumerate(
            [rb"whole \ud83d\ude00", rb"high \ud83d", rb"low \uDE00!", rb"text \\ud83d", rb"\ud83d\ud83d\ude00"]
        )
    )
    _, client = serve(
        drive(
            metadata=lambda asked: Reply(
                200, cut if (asked.query["type"], asked.query["page"]) == ("f", "0") else {"objects": []}
            ),
            **{"_1_0": lambda asked: Reply(200, {"objects": json.decode(asked.body)["objects"]})},
        )
    )
    async with client:
        found = [one async for one in client.list_folder("/")]
        assert [one.name for one in found] == [
            "whole \U0001f600",
            "high \ufffd",
            "low \ufffd!",
            "text \\ud83d",
            "\ufffd\U0001f600",
        ]
        assert (await client.move_to_trash([found[1]])).ok


@pytest.mark.parametrize("body", [b"", b"{}", b"null", b"created"])
async def test_a_folder_is_found_where_the_response_to_its_creation_says_nothing(serve: Serve, body: bytes) -> None:
    made: list[dict[str, Any]] = []

    def make(asked: Asked) -> Reply:
        made.append(shown(7, json.decode(asked.body)["objectName"], "FR"))
        return Reply(201, body)

    def show(asked: Asked) -> Reply:
        return Reply(200, {"objects": made if (asked.query["type"], asked.query["page"]) == ("w", "0") else []})

    _, client = serve(drive(metadata=show, folders=make))
    async with client:
        folder = await client.create_folder("new")
    assert (folder.key, folder.name, len(made)) == (key(7), "new", 1)


async def test_a_large_batch_is_split_and_a_later_failure_says_what_was_done(serve: Serve) -> None:
    calls: list[int] = []

    def batch(asked: Asked) -> Reply:
        import json

        entries = json.loads(asked.body)["objects"]
        calls.append(len(entries))
        return Reply(400, {"code": "NMSOM0135"}) if len(calls) == 2 else Reply(200, {"objects": entries})

    _, client = serve(drive(metadata=listing([shown(number) for number in range(4100)]), **{"_1_0": batch}))
    async with client:
        files = [each async for each in client.list_folder(kind="f")]
        result = await client.set_favorite(files, on_error="return")
    assert calls == [2000, 2000]
    assert len(result.succeeded) == 2000
    assert len(result.failed) == 2100
    assert {outcome.code for outcome in result.failed} == {"NMSOM0135"}


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_credentials_never_follow_a_redirect(serve: Serve, status: int) -> None:
    elsewhere, _ = serve(lambda _: Reply(200, {"userId": "evil"}))
    _, client = serve(lambda _: Reply(status, b"", {"Location": f"{elsewhere.url}/security/users?nonce=x"}))
    async with client:
        with pytest.raises(RedirectRefusedError, match=r"127\.0\.0\.1"):
            await client.account.profile()
    assert elsewhere.asked == []


async def test_throttling_and_faults_are_retried_three_times_and_then_raised(serve: Serve) -> None:
    answers = iter([Reply(503), Reply(None), Reply(429, b"", {"Retry-After": "0"}), Reply(200, {"userId": "U"})])
    foreign, client = serve(lambda _: next(answers))
    async with client:
        assert (await client.account.profile()).user_id == "U"
        assert len(foreign.asked) == 4
        for status, error in ((429, RateLimitError), (500, ServerError), (None, NetworkError)):
            del foreign.asked[:]
            foreign.answering = lambda _, status=status: Reply(status)  # type: ignore[misc]
            with pytest.raises(error):
                await client.account.profile()
            assert len(foreign.asked) == 4


@pytest.mark.parametrize("status", [None, 500, 502, 503, 504])
async def test_nothing_is_created_again_without_a_look_at_what_exists(serve: Serve, status: int | None) -> None:
    # A look comes when the listing may show what was made: the lag.
    foreign, client = serve(lambda _: Reply(status), lag=0.01)
    async with client:
        with pytest.raises((NetworkError, ServerError)):
            await client.shares.create([key(1)])
        with pytest.raises((NetworkError, ServerError)):
            await client.boards.create("x")
    paths = foreign.paths()
    # Without a look a board is not created at all; a server that cannot list links is asked again.
    assert paths.count("POST /boards") == 0
    assert paths.count("POST /share/ulinks") == (1 if status is None else 4)
    assert "GET /boards/sync/initial" in paths
    assert "GET /x/v1/shares" in paths


async def test_a_throttled_creation_certainly_did_not_happen_and_is_repeated(serve: Serve) -> None:
    answers = iter([Reply(429), Reply(201, {"shareURL": "https://x/l/?u=abc"})])
    _, client = serve(lambda _: next(answers))
    async with client:
        assert (await client.shares.create([key(1)])).token == "abc"


@pytest.mark.parametrize(
    "body", [b"", b"null", b"<html>", b"[]", b'{"objects":{}}', b'{"objects":[{}]}', b'{"objects":[1]}']
)
async def test_a_listing_that_is_none_is_an_error_and_not_an_empty_folder(serve: Serve, body: bytes) -> None:
    _, client = serve(drive(metadata=lambda _: Reply(200, body)))
    async with client:
        with pytest.raises(UnexpectedAnswerError):
            [each async for each in client.list_folder()]


async def test_fields_that_are_null_or_missing_do_no_harm(serve: Serve) -> None:
    odd = {"objectKey": key(1), "objectName": None, "sizeInBytes": None, "hash": None, "objectType": "XX"}
    _, client = serve(drive(metadata=listing([odd, {"objectKey": key(2)}])))
    async with client:
        first, second = [each async for each in client.list_folder(kind="f")]
        assert (first.name, first.size, first.md5, first.is_folder, first.is_file) == ("", None, None, False, False)
        assert second.extension == ""
        assert [one.object.key async for one in client.walk()] == [key(1), key(2)]


async def test_keys_go_back_in_the_spelling_in_which_they_came(serve: Serve) -> None:
    folder = "abcdef" + "0" * 26
    foreign, client = serve(
        drive(metadata=lambda _: Reply(200, {"objects": []}), folders=lambda _: Reply(201, shown(9, "x", "FR")))
    )
    async with client:
        [each async for each in client.list_folder(folder)]
        await client.create_folder("x", folder)
    assert {one.query["folderKey"] for one in foreign.asked if one.path == "/nms/metadata"} == {folder}
    assert folder.encode() in foreign.asked[-1].body


async def test_a_server_without_uploads_or_logins_says_so_in_one_sentence(serve: Serve, tmp_path: Any) -> None:
    (tmp_path / "a").write_bytes(b"x")
    _, client = serve(drive())
    from skyshelf.client.upload.file import UploadOptions

    async with client:
        for options in (UploadOptions(), UploadOptions(small=0)):
            with pytest.raises(NotOfferedError, match="cannot accept uploads"):
                await client.upload(tmp_path / "a", ROOT, options=options)
        with pytest.raises(NotOfferedError, match="copy the session from a browser"):
            await client.login("a@example.org", "pw")
        with pytest.raises(NotOfferedError, match="this server cannot log out"):
            await client.logout()


async def test_no_secret_shows_in_errors_logs_or_representations(
    serve: Serve, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    echoing = Reply(400, {"code": "E", "message": "no"})
    told: list[str] = []
    for reply in (
        echoing,
        Reply(None),
        Reply(500),
        Reply(302, b"", {"Location": "https://e.example.org/"}),
        Reply(200, b"x"),
    ):
        _, client = serve(lambda _, reply=reply: reply)
        async with client:
            told += [repr(client), repr(client.credentials), repr(client._engine), str(vars(client))]
            for call in (
                client.account.profile(),
                client.login("a@example.org", "P4SSW0RD"),
                client.account.cookie_nonce("J.W.T"),
            ):
                try:
                    await call
                except Exception as error:  # noqa: BLE001 - whatever it is, it must not tell
                    told += [str(error), repr(error), str(vars(error)), "".join(traceback.format_exception(error))]
    told += [caplog.text, *capfd.readouterr()]
    for secret in (TOKEN, DEVICE, "P4SSW0RD", "J.W.T"):
        assert not [text for text in told if secret in text]


async def test_a_server_without_an_extension_says_so_in_one_sentence(serve: Serve) -> None:
    key = "0" * 32
    _, client = serve(drive())
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "delete for good": lambda: client.trash.purge([key]),
        "delete for good over the API; it empties the trash itself": client.trash.empty,
        "restore a version": lambda: client.versions.restore(key, 1),
        "limit a link by time": lambda: client.shares.create([key], max_downloads=1),
        "change a link": lambda: client.shares.edit(key, name="x"),
        "list your links": lambda: client.shares.revoke("https://drive.example.org/l/?u=x"),
        "change the password over the API; try its web page": lambda: client.account.change_password("a", "b"),
        "change an account's names": lambda: client.account.edit_profile(first_name="Ada"),
        "list sessions": client.account.sessions,
        "report what takes up space": client.account.storage,
        "end another session; log out": lambda: client.account.end_session("00000000-0000-4000-8000-000000000000"),
        "end other sessions": client.account.end_other_sessions,
        "remove a device": lambda: client.account.remove_device("00000000-0000-4000-8000-000000000000"),
        "delete an account": lambda: client.account.delete("a"),
        "cancel the deletion of an account": client.account.cancel_deletion,
    }
    async with client:
        for what, call in calls.items():
            with pytest.raises(NotOfferedError, match=f"this server cannot {what}") as refused:
                await call()
            # Commands and tools show it to people, who call no methods.
            assert "`" not in refused.value.message

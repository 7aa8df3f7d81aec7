"""Batches: favourite, rename, move and trash; each entry applied or refused on its own."""

import pytest
from tests.server.api import Api, logged_in, new_account
from tests.server.echoes import batch, echo_of, entry, in_trash, listed, make_folders, names, refusals

from skyshelf.service.context import ServiceContext
from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))


def test_a_favourite_is_set_and_cleared(api: Api) -> None:
    key = api.file("a.txt").object_key
    for operation, expected in [("SETFAV", True), ("UNSETFAV", False)]:
        answer = batch(api, entry(operation, echo_of(api, key)))
        assert answer["objects"][0]["object"]["isFavorite"] is expected
        assert echo_of(api, key)["isFavorite"] is expected


def test_a_rename_takes_the_name_of_the_echo(api: Api) -> None:
    key = api.file("a.txt").object_key
    answer = batch(api, entry("RENAME", echo_of(api, key), objectName="b.txt"))
    assert answer["unprocessed"] == []
    assert names(listed(api)) == ["b.txt"]


def test_a_move_takes_the_parent_of_the_echo(api: Api) -> None:
    folder, file = api.folder("folder"), api.file("a.txt")
    answer = batch(api, entry("MOVE", echo_of(api, file.object_key), parentObjectKey=folder.object_key))
    assert answer["objects"][0]["object"]["parentObjectKey"] == folder.object_key
    assert names(listed(api)) == ["folder"]
    assert names(listed(api, folder.object_key)) == ["a.txt"]


def test_trash_with_status_t_in_the_echo_trashes(api: Api) -> None:
    file = api.file("a.txt")
    answer = batch(api, entry("TRASH", echo_of(api, file.object_key), status="T"))
    assert answer["objects"][0]["object"]["status"] == "T"
    assert listed(api) == []
    assert names(in_trash(api)) == ["a.txt"]


def test_trash_without_status_t_is_unprocessed(api: Api) -> None:
    file = api.file("a.txt")
    echo = echo_of(api, file.object_key)
    answer = batch(api, *(entry("TRASH", echo, status=status) for status in ["A", None, "", "t"]))
    assert refusals(answer) == [(file.object_key, "NMSOM0135")] * 4
    assert names(listed(api)) == ["a.txt"]


def test_a_processed_entry_has_the_operation_the_correlation_and_the_full_object(api: Api) -> None:
    file = api.file("a.txt")
    answer = batch(api, entry("SETFAV", echo_of(api, file.object_key)))
    assert answer == {
        "objects": [{"operation": "SETFAV", "correlationId": "a correlation", "object": echo_of(api, file.object_key)}],
        "unprocessed": [],
        "usedSpace": len(b"some bytes"),
        "isUploadAllowed": True,
    }


def test_an_unprocessed_entry_has_the_operation_the_correlation_and_why(api: Api) -> None:
    file = api.file("a.txt")
    answer = batch(api, entry("SETFAV", echo_of(api, file.object_key), objectName=None))
    assert answer["objects"] == []
    assert answer["unprocessed"] == [
        {
            "operation": "SETFAV",
            "correlationId": "a correlation",
            "object": {
                "objectKey": file.object_key,
                "errorCode": "TEJVF0001",
                "errorMessage": "constraint validation on objectName for value null",
            },
        }
    ]


@pytest.mark.parametrize("status", ["A", "T"])
def test_without_a_correlation_there_is_none_in_the_answer(api: Api, status: str) -> None:
    echo = echo_of(api, api.file("a.txt").object_key)
    answer = batch(api, {"operation": "TRASH", "object": echo | {"status": status}})
    (reported,) = answer["objects"] + answer["unprocessed"]
    assert "correlationId" not in reported


@pytest.mark.parametrize(("field", "code"), [("objectName", "TEJVF0001"), ("sourceName", "NMSOM0021")])
def test_an_echo_without_name_or_source_is_unprocessed(api: Api, field: str, code: str) -> None:
    file = api.file("a.txt")
    echo = echo_of(api, file.object_key) | {"status": "T"}
    absent = {name: value for name, value in echo.items() if name != field}
    for operation in ["SETFAV", "UNSETFAV", "RENAME", "MOVE", "TRASH"]:
        answer = batch(api, entry(operation, absent), entry(operation, echo, **{field: None}))
        assert refusals(answer) == [(file.object_key, code)] * 2
    assert names(listed(api)) == ["a.txt"]


def test_an_empty_source_counts_as_missing(api: Api) -> None:
    file = api.file("a.txt")
    answer = batch(api, entry("SETFAV", echo_of(api, file.object_key), sourceName=""))
    assert refusals(answer) == [(file.object_key, "NMSOM0021")]


def test_only_the_field_that_the_operation_names_is_taken_from_the_echo(api: Api) -> None:
    file, folder = api.file("a.txt"), api.folder("folder")
    before = echo_of(api, file.object_key)
    lies = {"objectName": "x", "parentObjectKey": folder.object_key, "sizeInBytes": 7, "isFavorite": False}
    batch(api, entry("SETFAV", before, **lies, hash="0", status="T", version=99, objectType="FR"))
    assert echo_of(api, file.object_key) == before | {"isFavorite": True}


def test_unknown_fields_of_any_shape_are_ignored(api: Api) -> None:
    file = api.file("a.txt")
    answer = batch(api, entry("SETFAV", echo_of(api, file.object_key), other={"deep": [1, {"er": None}]}, size="7"))
    assert len(answer["objects"]) == 1


def test_a_trash_shows_in_the_trash_and_leaves_the_space_used(api: Api) -> None:
    file = api.file("a.txt", b"12345")
    answer = batch(api, entry("TRASH", echo_of(api, file.object_key), status="T"))
    assert answer["usedSpace"] == 5


def test_a_full_account_learns_that_uploads_are_not_allowed(api: Api, ctx: ServiceContext) -> None:
    full = logged_in(api.client, ctx, new_account(ctx, "full@example.org", quota=5))
    file = full.file("a.txt", b"12345")
    answer = batch(full, entry("SETFAV", echo_of(full, file.object_key)))
    assert (answer["usedSpace"], answer["isUploadAllowed"]) == (5, False)


def test_entries_are_applied_in_their_order(api: Api) -> None:
    a, b = api.file("a"), api.file("b")
    echo_a, echo_b = echo_of(api, a.object_key), echo_of(api, b.object_key)
    answer = batch(
        api,
        entry("RENAME", echo_a, objectName="b"),  # taken still
        entry("RENAME", echo_b, objectName="c"),
        entry("RENAME", echo_a, objectName="b"),  # free by now
        entry("SETFAV", echo_a),
    )
    assert refusals(answer) == [(a.object_key, "SKY3010")]
    assert [(one["operation"], one["object"]["objectName"]) for one in answer["objects"]] == [
        ("RENAME", "c"),
        ("RENAME", "b"),
        ("SETFAV", "b"),
    ]
    assert names(listed(api)) == ["b", "c"]


def test_some_entries_fail_and_the_others_still_hold(api: Api, other_api: Api) -> None:
    file, foreign = api.file("a.txt"), other_api.file("theirs.txt")
    echo = echo_of(api, file.object_key)
    answer = batch(
        api,
        entry("SETFAV", echo, objectKey=UNKNOWN),
        entry("SETFAV", echo),
        entry("RENAME", echo, objectKey=foreign.object_key, objectName="mine"),
    )
    assert refusals(answer) == [(UNKNOWN, "SKY3000"), (foreign.object_key, "SKY3000")]
    messages = {one["object"]["errorMessage"] for one in answer["unprocessed"]}
    assert len(messages) == 1
    assert len(answer["objects"]) == 1
    assert names(listed(other_api)) == ["theirs.txt"]


def test_a_key_that_is_none_is_unprocessed_as_not_found(api: Api) -> None:
    echo = echo_of(api, api.file("a.txt").object_key)
    keys = ["", "nonsense", "0" * 31, "../../etc", "é" * 32, "\x00" * 32]
    answer = batch(api, *(entry("SETFAV", echo, objectKey=key) for key in keys))
    assert refusals(answer) == [(key, "SKY3000") for key in keys]


def test_keys_in_lower_case_are_accepted_and_answered_in_upper_case(api: Api) -> None:
    file, folder = api.file("a.txt"), api.folder("folder")
    echo = echo_of(api, file.object_key) | {"objectKey": file.object_key.lower()}
    answer = batch(
        api,
        entry("MOVE", echo, parentObjectKey=folder.object_key.lower()),
        entry("TRASH", echo, objectKey=UNKNOWN.lower(), status="T"),
    )
    moved = answer["objects"][0]["object"]
    assert (moved["objectKey"], moved["parentObjectKey"]) == (file.object_key, folder.object_key)
    assert refusals(answer) == [(UNKNOWN, "SKY3000")]


def test_what_already_holds_succeeds_again(api: Api) -> None:
    file, folder = api.file("a.txt"), api.folder("folder")
    echo = echo_of(api, file.object_key)
    entries = [
        entry("SETFAV", echo),
        entry("RENAME", echo, objectName="b.txt"),
        entry("MOVE", echo, parentObjectKey=folder.object_key),
        entry("TRASH", echo, status="T"),
    ]
    for one in entries:
        first, second = batch(api, one), batch(api, one)
        assert first == second
        assert (len(second["objects"]), second["unprocessed"]) == (1, [])


BAD_NAMES = ["", ".", "..", "a/b", "/", "a\x00b", "a\nb", "\x7f", "\x85", "a" * 256, "é" * 128, "😀" * 64]


def test_a_name_that_no_object_can_have_is_unprocessed(api: Api) -> None:
    file = api.file("a.txt")
    echo = echo_of(api, file.object_key)
    answer = batch(api, *(entry("RENAME", echo, objectName=name) for name in BAD_NAMES))
    assert refusals(answer) == [(file.object_key, "SKY1002")] * len(BAD_NAMES)
    assert names(listed(api)) == ["a.txt"]


GOOD_NAMES = ["a" * 255, "é" * 127, "😀" * 63, "...", " ", "日本語.txt", "a\\b", "\u202ex", "CON", "a:b*c?", "👩‍👩‍👧‍👦"]


def test_every_other_name_is_kept_as_it_is(api: Api) -> None:
    file = api.file("a.txt")
    for name in GOOD_NAMES:
        batch(api, entry("RENAME", echo_of(api, file.object_key), objectName=name))
        assert names(listed(api)) == [name]


def test_a_name_is_normalised(api: Api) -> None:
    file = api.file("a.txt")
    batch(api, entry("RENAME", echo_of(api, file.object_key), objectName="A\u030angstro\u0308m"))
    assert names(listed(api)) == ["\u00c5ngstr\u00f6m"]


def test_a_bad_name_in_the_echo_matters_to_a_rename_only(api: Api) -> None:
    file = api.file("a.txt")
    answer = batch(api, entry("SETFAV", echo_of(api, file.object_key), objectName="a/b"))
    assert answer["unprocessed"] == []


def test_a_taken_name_refuses_a_rename_and_a_move(api: Api) -> None:
    folder, a, b = api.folder("folder"), api.file("a"), api.file("b")
    api.folder("a", folder.object_key)
    answer = batch(
        api,
        entry("RENAME", echo_of(api, b.object_key), objectName="a"),
        entry("MOVE", echo_of(api, a.object_key), parentObjectKey=folder.object_key),
    )
    assert refusals(answer) == [(b.object_key, "SKY3010"), (a.object_key, "SKY3010")]
    assert names(listed(api)) == ["a", "b", "folder"]


def test_names_that_differ_in_case_are_two_names(api: Api) -> None:
    api.file("a")
    other = api.file("b")
    assert batch(api, entry("RENAME", echo_of(api, other.object_key), objectName="A"))["unprocessed"] == []


def test_the_root_cannot_be_renamed_moved_or_trashed(api: Api) -> None:
    folder = api.folder("folder")
    echo = echo_of(api, folder.object_key) | {"objectKey": api.root_key}
    answer = batch(
        api,
        entry("RENAME", echo, objectName="mine"),
        entry("MOVE", echo, parentObjectKey=folder.object_key),
        entry("TRASH", echo, status="T"),
    )
    assert refusals(answer) == [(api.root_key, "SKY3022")] * 3
    assert names(listed(api)) == ["folder"]


def test_a_folder_cannot_be_moved_into_itself_or_below_itself(api: Api) -> None:
    folder = api.folder("folder")
    below = api.folder("deeper", api.folder("below", folder.object_key).object_key)
    echo = echo_of(api, folder.object_key)
    answer = batch(
        api,
        entry("MOVE", echo, parentObjectKey=folder.object_key),
        entry("MOVE", echo, parentObjectKey=below.object_key),
    )
    assert refusals(answer) == [(folder.object_key, "SKY3023")] * 2


def test_a_move_needs_an_active_folder_of_the_same_account(api: Api, other_api: Api) -> None:
    file, target_file, trashed = api.file("a"), api.file("b"), api.folder("trashed")
    below = api.folder("below", trashed.object_key)
    api.trash(trashed.object_key)
    targets = [
        target_file.object_key,
        trashed.object_key,
        below.object_key,
        UNKNOWN,
        other_api.root_key,
        other_api.folder("theirs").object_key,
        "not a key",
        None,
    ]
    echo = echo_of(api, file.object_key)
    answer = batch(api, *(entry("MOVE", echo, parentObjectKey=target) for target in targets))
    assert refusals(answer) == [(file.object_key, "SKY3024")] * len(targets)
    assert echo_of(api, file.object_key)["parentObjectKey"] == api.root_key


def test_a_move_of_an_unknown_object_is_not_found_and_not_a_bad_target(api: Api) -> None:
    folder = api.folder("folder")
    answer = batch(
        api, entry("MOVE", echo_of(api, folder.object_key), objectKey=UNKNOWN, parentObjectKey=folder.object_key)
    )
    assert refusals(answer) == [(UNKNOWN, "SKY3000")]


def test_trashing_a_folder_hides_what_is_below_it_and_the_trash_lists_the_folder_alone(api: Api) -> None:
    folder = api.folder("folder")
    api.file("below", parent_key=folder.object_key)
    batch(api, entry("TRASH", echo_of(api, folder.object_key), status="T"))
    assert names(in_trash(api)) == ["folder"]
    assert api.get("/nms/metadata", params={"folderKey": folder.object_key}).status_code == 404


def test_two_thousand_entries_are_one_call(api: Api) -> None:
    make_folders(api, 2000)
    echoes = listed(api, limit=2000)
    answer = batch(api, *(entry("RENAME", echo, objectName=f"new {echo['objectName']}") for echo in echoes))
    assert [one["object"]["objectName"] for one in answer["objects"]] == [f"new {n:04d}" for n in range(2000)]
    assert answer["unprocessed"] == []
    answer = batch(api, *(entry("TRASH", echo, status="T") for echo in echoes))
    assert len(answer["objects"]) == 2000
    assert listed(api) == []

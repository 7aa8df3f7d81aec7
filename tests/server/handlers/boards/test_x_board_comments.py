"""What people say on boards."""

from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.good_calls import PIXEL
from tests.server.on_boards import (
    FORBIDDEN,
    UNKNOWN,
    add,
    call,
    comment,
    comments,
    create,
    join,
    take_off,
)


def test_comments_are_paged_edited_and_removed_by_who_may(
    api: Api, other_api: Api, carol: Api, clock: HeldClock
) -> None:
    board = create(api)
    join(api, board, other_api)
    join(api, board, carol, "V")
    made = []
    for number, author in enumerate((api, other_api, carol, other_api, api)):
        clock.advance(1)
        made.append(comment(author, board, str(number)))
    found, page = [], comments(carol, board, limit=2)
    while True:
        found += [one["text"] for one in page["comments"]]
        if "nextCursor" not in page:
            break
        page = comments(carol, board, limit=2, cursor=page["nextCursor"])
    assert found == ["4", "3", "2", "1", "0"]
    key = made[1]["commentKey"]
    edited = answer_of(call(other_api, "PUT", board, f"/comments/{key}", {"text": "one"}), "edit_board_comment")
    assert (edited["text"], edited["editedDate"], edited["createdDate"]) == ("one", clock.now(), made[1]["createdDate"])
    for who in (api, carol):
        assert error_of(call(who, "PUT", board, f"/comments/{key}", {"text": "not my words"})) == FORBIDDEN
    assert error_of(call(carol, "DELETE", board, f"/comments/{key}")) == FORBIDDEN
    for who in (other_api, api):
        gone = made.pop(3 if who is other_api else 2)["commentKey"]
        assert call(who, "DELETE", board, f"/comments/{gone}").status_code == 204
        assert error_of(call(who, "DELETE", board, f"/comments/{gone}")) == (404, "SKY3032")
    assert [one["text"] for one in comments(api, board)["comments"]] == ["4", "one", "0"]
    assert api.get(f"/boards/{board}").json()["board"]["commentsCount"] == 3


def test_bad_comments_are_refused(api: Api) -> None:
    board = create(api)
    for body in ({}, {"text": ""}, {"text": "x" * 4001}, {"text": "\x00"}, {"text": 5}):
        assert error_of(call(api, "POST", board, "/comments", body)) == (400, "SKY1000"), body
    assert error_of(call(api, "POST", board, "/comments", {"text": "x", "objectKey": UNKNOWN})) == (404, "SKY3000")
    for query in ({"limit": 0}, {"limit": 5001}):
        assert error_of(call(api, "GET", board, "/comments", **query)) == (400, "SKY1000"), query


def test_a_comment_loses_the_key_of_what_the_board_no_longer_shows(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    file = api.file("a.png", PIXEL).object_key
    add(api, board, file)
    made = comment(other_api, board, "This one", file)
    assert made["objectKey"] == file
    take_off(api, board, file)
    (left,) = comments(other_api, board)["comments"]
    assert left == {name: value for name, value in made.items() if name != "objectKey"}

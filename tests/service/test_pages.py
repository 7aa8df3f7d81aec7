"""Objects that are encoded already, in answers that are not: what comes out is what a client would expect."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.service.pages import encode_response, raw_objects
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.wire_cache import encode_object, wire_object
from skyshelf.wire.resources.boards import Board, BoardDetails, BoardObject
from skyshelf.wire.resources.feeds import ObjectFeed

ORIGIN = "https://drive.example.org:8600"
# Whatever JSON can carry, with what could be taken for a mark or for the end of a string among it.
hostile_text = st.text(
    st.sampled_from('"\\\x01{}[]:,/u01é😀\n') | st.characters(exclude_categories=["Cs"]), max_size=40
)


def _file(name: str, source_folder: str) -> StoredObject:
    return StoredObject(
        account_id=1,
        object_key="0" * 32,
        parent_key="1" * 32,
        is_folder=False,
        status="A",
        name=name,
        size=1,
        file_created_at=1,
        last_modified_at=1,
        sha256="0" * 64,
        md5="0" * 32,
        version=1,
        mime_type="image",
        mime_subtype="jpeg",
        source_name="DRIVE",
        source_folder=source_folder,
        app_code="",
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=1,
        updated_at=1,
        arrived_at=1,
        trashed_at=0,
        taken_at=None,
        taken_day=None,
    )


@given(st.lists(st.tuples(hostile_text, hostile_text), max_size=3), hostile_text)
def test_an_answer_holds_the_objects_as_they_are_whatever_they_are_called(
    files: list[tuple[str, str]], board_name: str
) -> None:
    stored = [_file(name, source_folder) for name, source_folder in files]
    board = Board(board_key="2" * 32, board_name=board_name, board_description=board_name)
    encoded = [encode_object(one) for one in stored]
    answer = encode_response(BoardDetails(board=board, objects=raw_objects(encoded)), ORIGIN)
    objects = [BoardObject(**msgspec.structs.asdict(wire_object(one, ORIGIN))) for one in stored]
    expected = BoardDetails(board=board, objects=objects)
    assert msgspec.json.decode(answer, type=BoardDetails) == expected


def test_no_objects_are_an_empty_array() -> None:
    assert encode_response(ObjectFeed(objects=raw_objects([])), ORIGIN) == b'{"objects":[]}'

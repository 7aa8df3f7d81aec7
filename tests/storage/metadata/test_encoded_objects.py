"""A page of objects as one piece of bytes: what it holds, and what it looks like as JSON."""

import json

import pytest

from skyshelf.storage.metadata.wire_cache import NO_OBJECTS, EncodedObjects


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_page_is_the_list_of_its_objects(count: int) -> None:
    objects = [json.dumps({"name": ",\n" * number}).encode() for number in range(count)]
    page = EncodedObjects.of(objects)
    assert (len(page), list(page), page == objects) == (count, objects, True)
    assert json.loads(page.json) == [{"name": ",\n" * number} for number in range(count)]
    if count:
        assert page.last == page[-1] == objects[-1]
        assert list(page.without_last()) == objects[:-1]
        assert json.loads(page.without_last().json) == json.loads(page.json)[:-1]


def test_an_empty_page_has_no_objects() -> None:
    assert (len(NO_OBJECTS), list(NO_OBJECTS), NO_OBJECTS.json) == (0, [], b"[]")

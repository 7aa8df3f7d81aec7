"""Objects as a server sent them."""

import gc
import weakref

from skyshelf.client.objects.remote_object import objects_in


def test_a_detached_copy_lets_its_page_go() -> None:
    class Page(bytearray):
        """Bytes that can be watched."""

    page = Page(b'{"objects":[{"objectKey":"A","n":1}]}')
    page_is_alive = weakref.ref(page)
    (found,) = objects_in(page)  # type: ignore[arg-type]  # a bytearray can be watched, bytes cannot
    copy = found.detached_copy()
    assert copy == found
    assert hash(copy) == hash(found)
    del page
    assert page_is_alive() is not None, "an object is expected to pin its page; otherwise no copy is needed"
    del found
    gc.collect()
    assert page_is_alive() is None
    assert copy.sent() == b'{"objectKey":"A","n":1}'

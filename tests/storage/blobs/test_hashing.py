"""Both digests in one pass, however the bytes are cut."""

import hashlib
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.storage.blobs.hashing import SIDE_BY_SIDE_FROM, ChunkHash, ContentHash, new_md5


def digests(data: bytes) -> tuple[str, str]:
    return hashlib.md5(data, usedforsecurity=False).hexdigest(), hashlib.sha256(data).hexdigest()


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_the_digests_are_those_of_the_joined_blocks(blocks: list[bytes]) -> None:
    content = ContentHash()
    for block in blocks:
        content.update(block)
    assert (content.md5, content.sha256) == digests(b"".join(blocks))
    assert content.size == len(b"".join(blocks))


def test_large_blocks_go_through_threads_to_the_same_digests() -> None:
    blocks = [os.urandom(SIDE_BY_SIDE_FROM + extra) for extra in (0, 1, 100_000)]
    content, other = ContentHash(), new_md5()
    for block in blocks:
        content.begin(block, other).wait()
    assert (content.md5, content.sha256) == digests(b"".join(blocks))
    assert other.hexdigest() == content.md5


def test_a_copy_goes_its_own_way() -> None:
    content = ContentHash()
    content.update(b"both")
    copy = content.copy()
    copy.update(b"copy")
    assert (content.md5, content.sha256, content.size) == (*digests(b"both"), 4)
    assert (copy.md5, copy.sha256, copy.size) == (*digests(b"bothcopy"), 8)


@pytest.mark.parametrize("before", [b"", b"before", None])
def test_a_chunk_has_its_own_md5_whatever_came_before(before: bytes | None) -> None:
    content = None
    if before is not None:
        content = ContentHash()
        content.update(before)
    chunk = ChunkHash(content)
    chunk.begin(b"one").wait()
    chunk.begin(b"two").wait()
    assert chunk.md5 == digests(b"onetwo")[0]
    if chunk.content is not None and before is not None:
        assert chunk.content.sha256 == digests(before + b"onetwo")[1]


FORKING = """
import os
from skyshelf.storage.blobs.hashing import SIDE_BY_SIDE_FROM, ContentHash
ContentHash().update(bytes(SIDE_BY_SIDE_FROM))
child = os.fork()
if child == 0:
    content = ContentHash()
    content.update(bytes(SIDE_BY_SIDE_FROM))
    os._exit(0 if len(content.md5) == 32 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_process_has_its_own_digest_threads() -> None:
    """The parent's are not there after a fork, and waiting for them would never end."""
    forked = [sys.executable, "-W", "ignore", "-c", FORKING]
    assert subprocess.run(forked, capture_output=True, text=True, timeout=30, check=True).stdout == "0\n"

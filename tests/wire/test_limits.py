"""The limits of the interface and of its completions, and that models use them."""

from typing import get_args, get_type_hints

from skyshelf.wire import limits
from skyshelf.wire.resources.downloads import ThumbnailQuery


def test_the_limits_of_the_interface() -> None:
    assert limits.LISTING_LIMIT_MAX >= 2000
    assert limits.BOARD_LIST_LIMIT_DEFAULT == 2000
    assert limits.BOARD_DETAILS_LIMIT_DEFAULT == 5000
    assert limits.CONTACTS_CHUNK_DEFAULT == 30
    assert (limits.CLIENT_RETRIES_DEFAULT, limits.CLIENT_RETRY_WAIT_SECONDS) == (3, 1.5)


def test_the_limits_of_the_completions() -> None:
    assert (limits.LISTING_LIMIT_MAX, limits.LISTING_LIMIT_DEFAULT) == (5000, 200)
    assert limits.BATCH_ENTRIES_MAX == 2000
    assert limits.NAME_BYTES_MAX == 255
    assert limits.NONCE_LIFETIME_MS == 10 * 60 * 1000
    assert limits.TRASH_RETENTION_DAYS == 30
    assert limits.VERSIONS_KEPT == 20
    assert limits.RECENT_OBJECTS_MAX == 50
    assert limits.CONTACTS_CHUNK_MAX == 1000
    assert limits.QUOTA_BYTES_DEFAULT == 100 * 2**30
    assert limits.UPLOAD_LIFETIME_MS == 7 * 24 * 60 * 60 * 1000
    assert limits.THUMBNAIL_SIZES == (256, 512, 1080)


def test_the_thumbnail_query_takes_exactly_the_sizes_that_are_made() -> None:
    assert get_args(get_type_hints(ThumbnailQuery)["size"]) == limits.THUMBNAIL_SIZES
    assert ThumbnailQuery().size == 512

"""The flows that everybody needs, once more where PostgreSQL and S3 keep everything.

The tests are those of the other modules, imported: here `running` and `house` are those of the scaled-out stack.
"""

from collections.abc import Iterator

import pytest
from tests.real_parts.servers import Stack, scaled_out
from tests.server.running import RunningServer
from tests.web.test_boards import friend, test_two_people_see_at_once_what_the_other_does
from tests.web.test_files import (
    test_a_wrong_password_is_said_and_the_address_stays,
    test_folders_open_and_the_way_back_is_shown,
    test_many_are_selected_and_moved_by_the_dialog,
    test_the_trash_gives_back,
)
from tests.web.test_first_visit import (
    test_photos_become_a_board_and_a_link_and_what_is_deleted_comes_back_without_a_word_of_help,
)
from tests.web.test_links import test_a_link_with_a_password_is_made_changed_and_taken_back
from tests.web.test_live_and_settings import (
    test_search_finds_and_filters,
    test_the_trash_is_emptied_after_a_question,
    test_two_browsers_see_each_other_work,
    test_what_happens_elsewhere_shows_up_without_a_reload,
)
from tests.web.test_photos import test_months_stand_newest_first_with_their_pictures
from tests.web.test_upload_interruptions import test_after_a_reload_it_goes_on_by_itself_and_says_so

from skyshelf.service.house import House

__all__ = [
    "friend",
    "test_a_link_with_a_password_is_made_changed_and_taken_back",
    "test_a_wrong_password_is_said_and_the_address_stays",
    "test_after_a_reload_it_goes_on_by_itself_and_says_so",
    "test_folders_open_and_the_way_back_is_shown",
    "test_many_are_selected_and_moved_by_the_dialog",
    "test_months_stand_newest_first_with_their_pictures",
    "test_photos_become_a_board_and_a_link_and_what_is_deleted_comes_back_without_a_word_of_help",
    "test_search_finds_and_filters",
    "test_the_trash_gives_back",
    "test_the_trash_is_emptied_after_a_question",
    "test_two_browsers_see_each_other_work",
    "test_two_people_see_at_once_what_the_other_does",
    "test_what_happens_elsewhere_shows_up_without_a_reload",
]


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with scaled_out(tmp_path_factory.mktemp("stack"), instances=1) as started:
        yield started


@pytest.fixture(scope="module")
def running(stack: Stack) -> RunningServer:
    return stack.servers[0]


@pytest.fixture(scope="module")
def house(stack: Stack) -> House:
    return stack.house

"""Shares without HTTP: tokens, what a share opens, and how its use is counted."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from tests.server.api import new_account
from tests.service.callers import caller_of

from skyshelf.service.context import Caller, House
from skyshelf.service.errors import Refused
from skyshelf.service.secrets import token_hash
from skyshelf.service.sharing.links import (
    count_visit,
    create_share,
    find_share,
    find_used_up_share,
    share_secret,
    share_url,
    take_download,
)
from skyshelf.service.sharing.visitor import FolderView, look
from skyshelf.storage.errors import Missing, ObjectMissing, StoreFull
from skyshelf.storage.metadata.contracts.shares import Share, ShareEdit
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.shares import SharedObject, ShareRequest

ORIGIN = "https://drive.example"


def caller(house: House, email: str = "ada@example.org") -> Caller:
    return caller_of(new_account(house, email))


def shared(house: House, owner: Caller, *object_keys: str) -> tuple[str, Share]:
    """The token and the share of a new link."""
    request = ShareRequest(objects=[SharedObject(object_key=key) for key in object_keys], share_name="holiday")
    token = create_share(house, owner, request, ORIGIN).token
    assert token is not None
    return token, find_share(house, token)


def test_a_link_is_built_on_the_origin(house: House) -> None:
    owner = caller(house)
    request = ShareRequest(objects=[SharedObject(object_key=owner.root_key)], share_name="all")
    url = create_share(house, owner, request, ORIGIN).share_url
    assert url is not None
    assert url.startswith(f"{ORIGIN}/l/?u=")


def test_a_token_is_found_by_its_digest_and_by_nothing_else(house: House) -> None:
    token, _ = shared(house, owner := caller(house), owner.root_key)
    for wrong in ("", token[:-1], token + "=", token.swapcase(), token_hash(token).hex(), "\ud800"):
        with pytest.raises(Refused) as refused:
            find_share(house, wrong)
        assert refused.value.error is codes.SHARE_NOT_FOUND


def test_the_link_can_be_shown_again_and_only_to_its_owner(house: House) -> None:
    owner, other = caller(house), caller(house, "grace@example.org")
    token, share = shared(house, owner, owner.root_key)
    assert share_url(house, owner, share.share_key, ORIGIN) == f"{ORIGIN}/l/?u={token}"
    with pytest.raises(Missing):
        share_url(house, other, share.share_key, ORIGIN)


def test_all_instances_agree_on_one_secret(house: House) -> None:
    houses = [msgspec.structs.replace(house) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(share_secret, houses))
    assert len(secrets) == 1
    assert len(secrets.pop()) == 32


def test_nothing_is_shared_when_one_object_is_missing(house: House) -> None:
    owner = caller(house)
    with pytest.raises(ObjectMissing):
        shared(house, owner, owner.root_key, "0" * 32)
    with house.metadata.read() as unit:
        assert unit.shares.page(owner.account_id, limit=10) == []


def test_visits_are_counted(house: House) -> None:
    token, share = shared(house, owner := caller(house), owner.root_key)
    count_visit(house, share)
    count_visit(house, share)
    assert find_share(house, token).visits == 2


def test_a_visit_that_cannot_be_counted_is_still_a_visit(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    token, share = shared(house, owner := caller(house), owner.root_key)

    def full(work: object) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(house.metadata, "write", full)
    count_visit(house, share)
    assert find_share(house, token).visits == 0


def test_of_many_downloads_at_once_no_more_succeed_than_the_owner_allows(house: House) -> None:
    token, share = shared(house, owner := caller(house), owner.root_key)
    house.metadata.write(lambda unit: unit.shares.edit(owner.account_id, share.share_key, ShareEdit(download_limit=3)))

    def attempt(_: int) -> bool:
        try:
            take_download(house, share)
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(12))) == 3
    assert find_used_up_share(house, token).downloads == 3
    with pytest.raises(Refused) as refused:
        take_download(house, share)
    assert refused.value.error is codes.SHARE_NOT_FOUND


def test_the_root_of_an_account_can_be_shared(house: House) -> None:
    owner = caller(house)
    folder = NewFolder(object_key=house.new_key(), parent_key=owner.root_key, name="Photos")
    house.metadata.write(lambda unit: unit.tree.add_folder(owner.account_id, folder, 1))
    _, share = shared(house, owner, owner.root_key)
    view = look(house, share, None, None)
    assert isinstance(view, FolderView)
    assert [entry.name for entry in view.entries] == ["Photos"]


def test_a_position_that_is_no_position_begins_at_the_beginning(house: House) -> None:
    owner = caller(house)
    folder = NewFolder(object_key=house.new_key(), parent_key=owner.root_key, name="Photos")
    house.metadata.write(lambda unit: unit.tree.add_folder(owner.account_id, folder, 1))
    _, share = shared(house, owner, owner.root_key)
    for after in ("nonsense", "0" * 32, owner.root_key):
        view = look(house, share, None, after)
        assert isinstance(view, FolderView)
        assert [entry.name for entry in view.entries] == ["Photos"]

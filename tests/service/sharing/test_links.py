"""Shares without HTTP: tokens, what a share opens, and how its use is counted."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from tests.server.api import new_account
from tests.service.callers import caller_of

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secret_table import SHARE_LINKS
from skyshelf.service.secrets import token_hash
from skyshelf.service.sharing.links import (
    count_visit,
    create_share,
    find_share,
    find_used_up_share,
    take_download,
)
from skyshelf.service.sharing.manage import own_share
from skyshelf.service.sharing.visitor import FolderView, share_view
from skyshelf.storage.errors import ObjectMissing, StoreFull
from skyshelf.storage.metadata.contracts.shares import Share, ShareEdit
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.shares import SharedObject, ShareRequest

ORIGIN = "https://drive.example"


def caller(ctx: ServiceContext, email: str = "ada@example.org") -> Caller:
    return caller_of(new_account(ctx, email))


def shared(ctx: ServiceContext, owner: Caller, *object_keys: str) -> tuple[str, Share]:
    """The token and the share of a new link."""
    request = ShareRequest(objects=[SharedObject(object_key=key) for key in object_keys], share_name="holiday")
    token = create_share(ctx, owner, request, ORIGIN).token
    assert token is not None
    return token, find_share(ctx, token)


def test_a_link_is_built_on_the_origin(ctx: ServiceContext) -> None:
    owner = caller(ctx)
    request = ShareRequest(objects=[SharedObject(object_key=owner.root_key)], share_name="all")
    url = create_share(ctx, owner, request, ORIGIN).share_url
    assert url is not None
    assert url.startswith(f"{ORIGIN}/l/?u=")


def test_a_token_is_found_by_its_digest_and_by_nothing_else(ctx: ServiceContext) -> None:
    token, _ = shared(ctx, owner := caller(ctx), owner.root_key)
    for wrong in ("", token[:-1], token + "=", token.swapcase(), token_hash(token).hex(), "\ud800"):
        with pytest.raises(ServiceError) as refused:
            find_share(ctx, wrong)
        assert refused.value.error is codes.SHARE_NOT_FOUND


def test_the_link_can_be_shown_again_and_only_to_its_owner(ctx: ServiceContext) -> None:
    owner, other = caller(ctx), caller(ctx, "grace@example.org")
    token, share = shared(ctx, owner, owner.root_key)
    assert own_share(ctx, owner, share.share_key, ORIGIN).share_url == f"{ORIGIN}/l/?u={token}"
    with pytest.raises(ServiceError) as rejected:
        own_share(ctx, other, share.share_key, ORIGIN)
    assert rejected.value.error is codes.SHARE_NOT_FOUND


def test_all_instances_agree_on_one_secret(ctx: ServiceContext) -> None:
    contexts = [msgspec.structs.replace(ctx) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda one: one.secret(SHARE_LINKS), contexts))
    assert len(secrets) == 1
    assert len(secrets.pop()) == 32


def test_nothing_is_shared_when_one_object_is_missing(ctx: ServiceContext) -> None:
    owner = caller(ctx)
    with pytest.raises(ObjectMissing):
        shared(ctx, owner, owner.root_key, "0" * 32)
    with ctx.metadata.read() as unit:
        assert unit.shares.page(owner.account_id, limit=10) == []


def test_visits_are_counted(ctx: ServiceContext) -> None:
    token, share = shared(ctx, owner := caller(ctx), owner.root_key)
    count_visit(ctx, share)
    count_visit(ctx, share)
    assert find_share(ctx, token).visits == 2


def test_a_visit_that_cannot_be_counted_is_still_a_visit(ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch) -> None:
    token, share = shared(ctx, owner := caller(ctx), owner.root_key)

    def full(work: object) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(ctx.metadata, "write", full)
    count_visit(ctx, share)
    assert find_share(ctx, token).visits == 0


def test_of_many_downloads_at_once_no_more_succeed_than_the_owner_allows(ctx: ServiceContext) -> None:
    token, share = shared(ctx, owner := caller(ctx), owner.root_key)
    ctx.metadata.write(lambda unit: unit.shares.edit(owner.account_id, share.share_key, ShareEdit(download_limit=3)))

    def attempt(_: int) -> bool:
        try:
            take_download(ctx, share)
        except ServiceError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(12))) == 3
    assert find_used_up_share(ctx, token).downloads == 3
    with pytest.raises(ServiceError) as refused:
        take_download(ctx, share)
    assert refused.value.error is codes.SHARE_NOT_FOUND


def test_the_root_of_an_account_can_be_shared(ctx: ServiceContext) -> None:
    owner = caller(ctx)
    folder = NewFolder(object_key=ctx.new_key(), parent_key=owner.root_key, name="Photos")
    ctx.metadata.write(lambda unit: unit.tree.add_folder(owner.account_id, folder, 1))
    _, share = shared(ctx, owner, owner.root_key)
    view = share_view(ctx, share, None, None)
    assert isinstance(view, FolderView)
    assert [entry.name for entry in view.entries] == ["Photos"]


def test_a_position_that_is_no_position_begins_at_the_beginning(ctx: ServiceContext) -> None:
    owner = caller(ctx)
    folder = NewFolder(object_key=ctx.new_key(), parent_key=owner.root_key, name="Photos")
    ctx.metadata.write(lambda unit: unit.tree.add_folder(owner.account_id, folder, 1))
    _, share = shared(ctx, owner, owner.root_key)
    for after in ("nonsense", "0" * 32, owner.root_key):
        view = share_view(ctx, share, None, after)
        assert isinstance(view, FolderView)
        assert [entry.name for entry in view.entries] == ["Photos"]

"""Promotions, and what clients should know about the server."""

from tests.server.api import Api, HeldClock, error_of

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Promotion

GIB = 1 << 30
DAY = 86_400_000


def give(ctx: ServiceContext, name: str, space: int, start_at: int, end_at: int, account_id: int | None = None) -> str:
    key = ctx.new_key()
    promotion = Promotion(
        promotion_key=key, account_id=account_id, name=name, space=space, start_at=start_at, end_at=end_at
    )
    ctx.metadata.write(lambda unit: unit.promotions.add(promotion))
    return key


def test_without_promotions_both_lists_are_empty(api: Api) -> None:
    answer = api.get("/security/users/promotions")
    assert answer.status_code == 200
    assert answer.json() == {"activePromotions": [], "expiredPromotions": []}


def test_a_promotion_counts_while_it_runs_and_is_reported_afterwards(
    api: Api, ctx: ServiceContext, clock: HeldClock
) -> None:
    now = clock.now()
    key = give(ctx, "Spring", 5 * GIB, now, now + DAY, api.account.account_id)
    reported = {"promotionId": key, "name": "Spring", "quota": 5 * GIB, "startDate": now, "endDate": now + DAY}
    assert api.get("/security/users/promotions").json() == {"activePromotions": [reported], "expiredPromotions": []}
    quota = api.get("/security/users").json()["quota"]
    assert (quota["totalPromotionalQuota"], quota["totalAllocatedQuota"]) == (5 * GIB, 105 * GIB)
    clock.advance(days=1)
    assert api.get("/security/users/promotions").json() == {"activePromotions": [], "expiredPromotions": [reported]}
    assert api.get("/security/users").json()["quota"]["totalPromotionalQuota"] == 0


def test_a_promotion_that_has_not_begun_is_not_reported(api: Api, ctx: ServiceContext, clock: HeldClock) -> None:
    give(ctx, "Later", GIB, clock.now() + 1, clock.now() + DAY)
    assert api.get("/security/users/promotions").json() == {"activePromotions": [], "expiredPromotions": []}


def test_a_promotion_without_an_account_is_for_everyone_and_others_are_for_their_account(
    api: Api, other_api: Api, ctx: ServiceContext, clock: HeldClock
) -> None:
    give(ctx, "For all", GIB, clock.now(), clock.now() + DAY)
    give(ctx, "For Grace", GIB, clock.now(), clock.now() + DAY, other_api.account.account_id)
    active = api.get("/security/users/promotions").json()["activePromotions"]
    assert [one["name"] for one in active] == ["For all"]


def test_the_settings_contain_the_servers_limits(api: Api) -> None:
    rules = api.ctx.rules
    assert api.get("/app/settings", params={"os": "web"}).json() == {
        "maxFileSize": rules.max_file_size,
        "chunkSize": rules.chunk_size,
        "backup": {
            "photos": True,
            "videos": True,
            "audio": True,
            "documents": True,
            "contacts": True,
            "overWifiOnly": True,
        },
        "trashRetentionDays": 30,
        "versionsKept": 20,
    }


def test_settings_of_another_kind_of_client_are_refused(api: Api) -> None:
    assert api.get("/app/settings").status_code == 200
    assert error_of(api.get("/app/settings", params={"os": "toaster"})) == (400, "SKY1000")

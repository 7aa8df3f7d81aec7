"""The profile: who is logged in, what the account may hold and holds, and its devices."""

from tests.server.api import Api, HeldClock, logged_in, new_account
from tests.server.in_process import TestClient

from skyshelf.service.accounts.own_account import masked
from skyshelf.service.context import ServiceContext

GIB = 1 << 30


def test_a_new_account_has_a_hundred_gibibytes_and_uses_none(api: Api) -> None:
    answer = api.get("/security/users")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json; charset=UTF-8"
    assert answer.json()["quota"] == {
        "allocatedSpace": 100 * GIB,
        "usedSpace": 0,
        "totalAllocatedQuota": 100 * GIB,
        "totalUsedQuota": 0,
        "documentUsage": 0,
        "photoUsage": 0,
        "videoUsage": 0,
        "audioUsage": 0,
        "paidPlanQuota": 0,
        "defaultStorageSpace": 100 * GIB,
        "totalPromotionalQuota": 0,
    }


def test_the_profile_names_the_user_and_the_root_folder(api: Api) -> None:
    profile = api.get("/security/users").json()
    assert {name: profile[name] for name in profile.keys() - {"quota", "devices"}} == {
        "userId": api.account.account_key,
        "authProviderId": 1,
        "emailId": "ada@example.org",
        "firstName": "Ada",
        "lastName": "Byron",
        "status": "A",
        "rootFolderKey": api.root_key,
        "isMobileNumVerified": False,
        "isEmailIdVerified": True,
        "mobileNumber": "",
    }


def test_usage_is_reported_by_category(api: Api) -> None:
    api.file("a.jpg", b"1" * 10)
    api.file("b.mp4", b"2" * 200)
    api.file("c.mp3", b"3" * 3000)
    api.file("d.txt", b"4" * 40_000)
    quota = api.get("/security/users").json()["quota"]
    usage = [quota[name] for name in ("photoUsage", "videoUsage", "audioUsage", "documentUsage", "totalUsedQuota")]
    assert usage == [10, 200, 3000, 40_000, 43_210]


def test_the_devices_are_those_that_logged_in(client: TestClient, ctx: ServiceContext, clock: HeldClock) -> None:
    account = new_account(ctx, "ada@example.org")
    logged_in(client, ctx, account, deviceName="Work", platformType="Firefox")
    clock.advance(seconds=1)
    api = logged_in(client, ctx, account)
    devices = api.get("/security/users").json()["devices"]
    assert [(one["deviceName"], one["platformType"], one["deviceType"]) for one in devices] == [
        ("Work", "Firefox", "W"),
        ("Browser", "Web", "W"),
    ]
    assert devices[1]["deviceKey"] == api.login["deviceKey"]


def test_a_profile_shows_nothing_of_another_account(api: Api, other_api: Api) -> None:
    other_api.file("secret.txt")
    profile = api.get("/security/users").json()
    assert profile["quota"]["usedSpace"] == 0
    assert len(profile["devices"]) == 1


def test_mobile_numbers_are_masked() -> None:
    assert masked("+911234567890") == "*********7890"
    assert masked("1234567") == "*******"
    assert masked("") == ""

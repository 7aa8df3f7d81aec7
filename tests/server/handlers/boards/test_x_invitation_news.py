"""News of invitations in the stream of changes: that they look different, to the invited who ask for it."""

import asyncio
from collections.abc import Callable

import pytest
from tests.server.api import Api, HeldClock, error_of
from tests.server.listening import CHANGES, Listener
from tests.server.on_boards import accept, call, create, invite

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.events import streams

pytestmark = pytest.mark.usefixtures("quick")

TOLD: tuple[str, dict[str, object]] = ("invitations", {})


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POLL_SECONDS", 0.02)


def received(guest: Api) -> list[str]:
    return [one["boardKey"] for one in guest.get("/x/v1/invitations").json()["invitations"]]


def test_whatever_happens_to_invitations_is_reported_to_the_invited(
    app: SkyshelfApp, api: Api, other_api: Api, clock: HeldClock
) -> None:
    board, second = create(api), create(api, "Second")

    def revoke() -> object:
        (sent,) = call(api, "GET", second, "/invitations").json()["invitations"]
        return call(api, "DELETE", second, f"/invitations/{sent['invitationKey']}")

    async def listen() -> None:
        async with Listener(app, other_api, "invitations=true") as listener:
            events = listener.events()
            assert [await anext(events) for _ in range(2)][1] == TOLD, "once at the start"

            async def hears(work: Callable[[], object], then: list[str]) -> None:
                clock.advance(1)
                await asyncio.to_thread(work)
                assert await anext(events) == TOLD
                assert await asyncio.to_thread(received, other_api) == then

            await hears(lambda: invite(api, board, other_api), [board])
            await hears(lambda: invite(api, second, other_api), [second, board])
            await hears(revoke, [board])
            await hears(lambda: call(api, "PUT", board, "", {"boardName": "Sea"}), [board])
            await hears(lambda: accept(other_api, board), [])
            await hears(lambda: invite(api, second, other_api), [second])
            await hears(lambda: other_api.post("/x/v1/invitations/decline", json={"boardKey": second}), [])

    asyncio.run(listen())


def test_an_invitation_whose_time_is_over_is_reported_too(
    app: SkyshelfApp, api: Api, other_api: Api, clock: HeldClock
) -> None:
    board = create(api)
    body = {"emailId": other_api.account.email, "expiresDate": clock.now() + 60_000}
    assert call(api, "POST", board, "/invitations", body).status_code == 201

    async def listen() -> None:
        async with Listener(app, other_api, "invitations=true") as listener:
            events = listener.events()
            assert [await anext(events) for _ in range(2)][1] == TOLD
            clock.advance(minutes=1)
            assert await anext(events) == TOLD
            assert await asyncio.to_thread(received, other_api) == []

    asyncio.run(listen())


def test_nobody_else_hears_of_an_invitation_nor_somebody_who_has_not_asked(
    app: SkyshelfApp, api: Api, other_api: Api, carol: Api
) -> None:
    board = create(api)

    async def listen() -> None:
        async with Listener(app, carol, "invitations=true") as beside, Listener(app, other_api) as without:
            elsewhere, unasked = beside.events(), without.events()
            assert [await anext(elsewhere) for _ in range(2)][1] == TOLD
            await anext(unasked)
            await asyncio.to_thread(invite, api, board, other_api)
            # The next change is reported next, so nothing was reported in between.
            for who, events in ((carol, elsewhere), (other_api, unasked)):
                await asyncio.to_thread(who.folder, "own")
                _, page = await anext(events)
                assert page["objects"][0]["objectName"] == "own"

    asyncio.run(listen())


def test_the_invitations_parameter_is_true_or_false(api: Api) -> None:
    answer = api.get(f"{CHANGES}/stream", params={"invitations": "yes", "seconds": "0"})
    assert error_of(answer) == (400, "SKY1000")
    assert "event: invitations" not in api.get(f"{CHANGES}/stream", params={"seconds": "0"}).text
    asked = api.get(f"{CHANGES}/stream", params={"invitations": "true", "seconds": "0"})
    assert asked.text.endswith("event: invitations\ndata: {}\n\n")

"""One's own account by the SDK, by both clients."""

import pytest
from tests.client.serving import PASSWORD, Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError, ForbiddenError, InvalidRequestError, ObjectNotFoundError

NEW = "a quite different password"


async def test_the_password_the_names_and_the_devices_can_be_changed(client: AsyncClient, person: Person) -> None:
    second = AsyncClient(person.settings["server"])
    try:
        await second.login(person.account.email, PASSWORD, device_name="Phone")
        phone = next(one for one in await client.account.sessions() if one.device_name == "Phone")
        assert (phone.is_logged_in, phone.is_current) == (True, False)
        with pytest.raises(ForbiddenError, match="password is wrong"):
            await client.account.change_password("not it", NEW)
        assert await client.account.change_password(PASSWORD, NEW) == 1
        with pytest.raises(AuthenticationError):
            await second.account.profile()
        await second.login(person.account.email, NEW, device_key=phone.device_key)
        await client.account.end_session(phone.device_key)
        with pytest.raises(AuthenticationError):
            await second.account.profile()
        await client.account.remove_device(phone.device_key)
        with pytest.raises(ObjectNotFoundError):
            await client.account.remove_device(phone.device_key)
        with pytest.raises(InvalidRequestError, match="UUID"):
            await client.account.end_session("Phone")
        assert await client.account.end_other_sessions() == 0
        assert (await client.account.edit_profile(last_name="King")).last_name == "King"
    finally:
        await second.close()


async def test_an_account_that_is_to_go_can_be_kept(client: AsyncClient) -> None:
    date = await client.account.delete(PASSWORD)
    assert (await client.account.profile()).deletion_date == date
    await client.account.cancel_deletion()
    assert (await client.account.profile()).deletion_date is None

"""What people change about their own account."""

from msgspec import ValidationError, convert

from skyshelf.client.beyond import beyond
from skyshelf.client.engine import Engine
from skyshelf.client.errors import InvalidRequestError
from skyshelf.wire.endpoints.account import (
    CHANGE_PASSWORD,
    DELETE_ACCOUNT,
    EDIT_PROFILE,
    END_OTHER_SESSIONS,
    END_SESSION,
    KEEP_ACCOUNT,
    OWN_DEVICES,
    REMOVE_DEVICE,
)
from skyshelf.wire.resources.account import (
    AccountDeletion,
    AccountDeletionRequest,
    DeviceRequest,
    EndedSessions,
    OwnDevice,
    OwnDevices,
    PasswordChangeRequest,
    ProfileEditRequest,
    UserProfile,
)


async def change_password(engine: Engine, old: str, new: str) -> int:
    """How many other sessions ended."""
    body = PasswordChangeRequest(old_password=old, new_password=new)
    with beyond("changing the password: its web page may"):
        return (await engine.call(CHANGE_PASSWORD, EndedSessions, body=body)).ended_sessions or 0


async def edit_profile(engine: Engine, first_name: str | None, last_name: str | None) -> UserProfile:
    with beyond("changing the names of an account: its web page may"):
        return await engine.call(
            EDIT_PROFILE, UserProfile, body=ProfileEditRequest(first_name=first_name, last_name=last_name)
        )


async def own_devices(engine: Engine) -> list[OwnDevice]:
    with beyond("a list of sessions; the devices are in the profile"):
        return (await engine.call(OWN_DEVICES, OwnDevices)).devices or []


async def end_session(engine: Engine, device_key: str) -> None:
    with beyond("ending another session: log out on that device"):
        await engine.send(engine.plan(END_SESSION, body=_device(device_key)))


async def end_other_sessions(engine: Engine) -> int:
    with beyond("ending other sessions: log out on those devices"):
        return (await engine.call(END_OTHER_SESSIONS, EndedSessions)).ended_sessions or 0


async def remove_device(engine: Engine, device_key: str) -> None:
    with beyond("removing a device"):
        await engine.send(engine.plan(REMOVE_DEVICE, keys={"device_key": _device(device_key).device_key}))


async def delete_account(engine: Engine, password: str) -> int:
    """When it goes, in epoch milliseconds."""
    with beyond("deleting an account: ask its operator"):
        answer = await engine.call(DELETE_ACCOUNT, AccountDeletion, body=AccountDeletionRequest(password=password))
    return answer.deletion_date or 0


async def keep_account(engine: Engine) -> None:
    with beyond("keeping an account that was to be deleted: ask its operator"):
        await engine.send(engine.plan(KEEP_ACCOUNT))


def _device(device_key: str) -> DeviceRequest:
    try:
        return convert({"deviceKey": device_key}, DeviceRequest)
    except ValidationError:
        raise InvalidRequestError(f"{device_key!r} is not the key of a device, which is a UUID") from None

"""What people change about their own account."""

from skyshelf.server.call import Call, Handler, Reply, Slow
from skyshelf.service.accounts import deletion, own_account


def change_password(call: Call) -> object:
    return own_account.change_password(call.house, call.caller, call.body, call.address)


def edit_profile(call: Call) -> object:
    return own_account.edit_profile(call.house, call.caller, call.body)


def own_devices(call: Call) -> object:
    return own_account.own_devices(call.house, call.caller)


def end_session(call: Call) -> object:
    own_account.end_session(call.house, call.caller, call.body)
    return Reply()


def end_other_sessions(call: Call) -> object:
    return own_account.end_other_sessions(call.house, call.caller)


def remove_device(call: Call) -> object:
    own_account.remove_device(call.house, call.caller, call.keys["device_key"])
    return Reply()


def delete_account(call: Call) -> object:
    return deletion.delete_account(call.house, call.caller, call.body, call.address)


def keep_account(call: Call) -> object:
    deletion.keep_account(call.house, call.caller)
    return Reply()


HANDLERS: dict[str, Handler] = {
    "change_password": Slow(change_password),
    "edit_profile": edit_profile,
    "own_devices": own_devices,
    "end_session": end_session,
    "end_other_sessions": end_other_sessions,
    "remove_device": remove_device,
    "delete_account": Slow(delete_account),
    "keep_account": keep_account,
}

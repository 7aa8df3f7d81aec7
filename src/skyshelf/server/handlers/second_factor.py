"""The second factor of a login."""

from skyshelf.server.call import Call, Handler, Reply, Slow
from skyshelf.service.accounts import second_factor


def status(call: Call) -> object:
    return second_factor.status(call.house, call.caller)


def begin(call: Call) -> object:
    return second_factor.begin(call.house, call.caller, call.body, call.address)


def confirm(call: Call) -> object:
    return second_factor.confirm(call.house, call.caller, call.body, call.address)


def turn_off(call: Call) -> object:
    second_factor.turn_off(call.house, call.caller, call.body, call.address)
    return Reply()


def renew_codes(call: Call) -> object:
    return second_factor.renew_codes(call.house, call.caller, call.body, call.address)


HANDLERS: dict[str, Handler] = {
    "second_factor": status,
    "begin_second_factor": Slow(begin),
    "confirm_second_factor": confirm,
    "turn_off_second_factor": Slow(turn_off),
    "renew_recovery_codes": Slow(renew_codes),
}

"""Operators' calls. Every action, even a refused one, is logged: who did what to whom, and from where."""

import logging
from typing import Any, Final

import msgspec

from skyshelf.server.api.account import confirmed, use_confirmed
from skyshelf.server.api.call import Call, Handler, use
from skyshelf.service.operator import accounts, alarms, banners, health
from skyshelf.wire.refusals import Refusal

_audit = logging.getLogger("skyshelf.audit")
_SECRETS: Final = frozenset({"password"})


def _audited(name: str, handler: Handler) -> Handler:
    def handle(call: Call) -> Any:
        outcome = "failed"
        try:
            result = handler.handle(call)
            outcome = "done"
        except Refusal as refusal:
            outcome = f"refused: {refusal.code}"
            raise
        finally:
            _audit.info("%s: %s", name, outcome, extra={"fields": _line(name, call, outcome)})
        return result

    return msgspec.structs.replace(handler, handle=handle)


def _line(act: str, call: Call, outcome: str) -> dict[str, object]:
    given = {} if call.body is None else msgspec.to_builtins(call.body)
    return {
        "event": "operator",
        "act": act.removeprefix("admin_"),
        "operator": call.caller.account_key,
        "device": call.caller.device_key,
        "address": call.address,
        "target": ",".join(call.keys.values()) or "-",
        "given": {name: value for name, value in given.items() if name not in _SECRETS},
        "outcome": outcome,
    }


def _password_link(call: Call) -> object:
    key = call.keys["account_key"]
    return accounts.create_password_link(
        call.ctx, call.caller, key, call.body, origin=call.origin, address=call.address
    )


_LOOKS: Final = {
    "admin_accounts": use(accounts.list_accounts, "ctx", "query"),
    "admin_sessions": use(accounts.list_sessions, "ctx", "caller", "query"),
    "admin_account_sessions": use(accounts.account_sessions, "ctx", "caller", "account_key", "query"),
    "admin_banners": use(banners.list_all, "ctx"),
    "admin_alarms": use(alarms.list_alarms, "ctx", "query"),
    "admin_health": use(health.server_health, "ctx"),
}
_ACTS: Final = {
    "admin_add_account": use(accounts.add_account, "ctx", "body", "origin"),
    "admin_edit_account": use(accounts.edit_account, "ctx", "account_key", "body"),
    "admin_password_link": confirmed(_password_link),
    "admin_operator_role": use_confirmed(accounts.set_operator_role, "ctx", "caller", "account_key", "body", "address"),
    "admin_reset_second_factor": use_confirmed(
        accounts.reset_second_factor, "ctx", "caller", "account_key", "body", "address"
    ),
    "admin_release_brake": use_confirmed(health.release_brake, "ctx", "caller", "body", "address"),
    "admin_delete_account": use_confirmed(accounts.delete_account, "ctx", "caller", "account_key", "body", "address"),
    "admin_keep_account": use(accounts.keep_account, "ctx", "account_key"),
    "admin_end_sessions": use(accounts.end_sessions, "ctx", "account_key", "body"),
    "admin_add_banner": use(banners.create, "ctx", "body"),
    "admin_edit_banner": use(banners.edit, "ctx", "banner_key", "body"),
    "admin_remove_banner": use(banners.remove_banner, "ctx", "banner_key"),
}

HANDLERS: Final[dict[str, Handler]] = {
    **_LOOKS,
    **{name: _audited(name, handler) for name, handler in _ACTS.items()},
}
"""The handlers by the endpoint's name."""

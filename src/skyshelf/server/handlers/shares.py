"""The links that one has made."""

from skyshelf.server.http.call import Call, Handler, Reply, Slow
from skyshelf.service.sharing import manage


def list_shares(call: Call) -> object:
    return manage.own_shares(call.ctx, call.caller, call.query, call.origin)


def one_share(call: Call) -> object:
    return manage.own_share(call.ctx, call.caller, call.keys["share_key"], call.origin)


def add_share(call: Call) -> object:
    return manage.create_own_share(call.ctx, call.caller, call.body, call.origin)


def edit_share(call: Call) -> object:
    return manage.edit_share(call.ctx, call.caller, call.keys["share_key"], call.body, call.origin)


def revoke_share(call: Call) -> object:
    manage.revoke_share(call.ctx, call.caller, call.keys["share_key"])
    return Reply()


# Those that may hash a password are slow.
HANDLERS: dict[str, Handler] = {
    "own_shares": list_shares,
    "own_share": one_share,
    "add_share": Slow(add_share),
    "edit_share": Slow(edit_share),
    "revoke_share": revoke_share,
}

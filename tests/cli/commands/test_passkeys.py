"""`skyshelf account passkeys`: listing, renaming and removing; a browser adds them."""

from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD
from tests.conformance.metadata.making import a_passkey

from skyshelf.cli.commands.credentials import PasskeyRecord

PASSKEYS = ("account", "passkeys")


def put(typist: Typist, name: str) -> str:
    """A passkey as a browser has added it; its key."""
    ctx, account = typist.person.server.ctx, typist.person.account
    new = a_passkey(name=name)
    assert ctx.metadata.write(lambda unit: unit.passkeys.add(account.account_id, new, ctx.clock.now()))
    return new.passkey_key


def test_passkeys_are_listed_renamed_and_removed(typist: Typist) -> None:
    assert typist.records(PasskeyRecord, "account", "passkeys", "list") == []
    key = put(typist, "Laptop")
    [shown] = typist.records(PasskeyRecord, "account", "passkeys", "list")
    assert (shown.passkey_key, shown.name, shown.replaces_password) == (key, "Laptop", True)
    assert "never used" in typist.done(*PASSKEYS, "list")
    typist.done(*PASSKEYS, "rename", "laptop", "Kitchen")
    assert [one.name for one in typist.records(PasskeyRecord, "account", "passkeys", "list")] == ["Kitchen"]

    assert typist.refused(*PASSKEYS, "rm", "Laptop", "--password-stdin", stdin=PASSWORD)[0] == 6
    assert typist.refused(*PASSKEYS, "rm", "Kitchen", "--password-stdin", stdin="wrong")[0] == 5
    put(typist, "kitchen")
    refused, said = typist.refused(*PASSKEYS, "rm", "Kitchen", "--password-stdin", stdin=PASSWORD)
    assert (refused, key in said) == (7, True)
    typist.done(*PASSKEYS, "rm", key, "--password-stdin", stdin=PASSWORD)
    assert len(typist.records(PasskeyRecord, "account", "passkeys", "list")) == 1


def test_adding_leads_to_the_page_where_a_browser_does_it(typist: Typist) -> None:
    assert typist.done(*PASSKEYS, "add", "--print").strip().endswith(f"{typist.server}/drive/settings")

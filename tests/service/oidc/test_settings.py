"""The settings of login providers: what is wrong is said, and no secret is shown."""

from pathlib import Path
from typing import Any

import pytest

from skyshelf.service.oidc.settings import Provider, WrongSetting, providers_of

RIGHT: dict[str, Any] = {"issuer": "https://login.example.org", "client-id": "skyshelf"}


def read(tmp_path: Path, **settings: Any) -> Provider:
    given = {key.replace("_", "-"): value for key, value in settings.items()}
    (found,) = providers_of({"company": {**RIGHT, **given}}, folder=tmp_path)
    return found


def test_little_is_needed_and_nobody_new_comes_in_unless_that_is_said(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert (found.id, found.name, found.scopes) == ("company", "company", ("openid", "email", "profile"))
    assert (found.new_accounts, found.link_by_email, found.trust_email, found.mfa_amr) == (False, False, False, ())


def test_everything_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret\n")
    found = read(
        tmp_path,
        name="Example University",
        label="University login",
        client_secret_file="secret",
        scopes=["openid", "groups"],
        email_claim="upn",
        trust_email=True,
        groups_claim="roles",
        allowed_groups=["staff"],
        admin_groups=["admins"],
        quotas={"staff": "1.5TiB", "guests": "500MB"},
        new_accounts=True,
        allowed_domains=["@Example.org"],
        link_by_email=True,
        mfa_amr=["mfa"],
        mfa_acr=["gold"],
    )
    assert found.client_secret == "s3cret"
    assert "s3cret" not in repr(found)
    assert found.quotas == {"staff": 3 * 2**39, "guests": 500_000_000}
    assert found.allowed_domains == ("example.org",)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"issuer": "http://login.example.org"}, "issuer must begin with https://"),
        ({"issuer": "login.example.org"}, "issuer must begin with https://"),
        ({"issuer": "https://login.example.org/?a=b"}, "issuer must not have a query"),
        ({"issuer": "https://me:pw@login.example.org"}, "neither a user"),
        ({"issuer": "https://[x"}, "is not an address"),
        ({"issuer": 7}, "issuer must be a text"),
        ({"client_id": ""}, "client-id must be a text"),
        ({"client_secret_file": "missing"}, "client-secret-file cannot be read"),
        ({"client_secret": "s3cret"}, "has the setting client-secret, which is unknown"),
        ({"scopes": ["email"]}, "scopes must contain openid"),
        ({"scopes": "openid"}, "scopes must be a list"),
        ({"new_accounts": "yes"}, "new-accounts must be true or false"),
        ({"allowed_domains": ["*.example.org"]}, "allowed-domains must be a list of domains"),
        ({"quotas": {"staff": "much"}}, "'much' is not a size"),
        ({"quotas": "5GiB"}, "quotas must be a table"),
        ({"issuer": "https://accounts.google.com", "new_accounts": True}, "anybody can have an account"),
        (
            {
                "issuer": "https://accounts.google.com",
                "new_accounts": True,
                "allowed_domains": ["example.org"],
                "trust_email": True,
            },
            "trust-email is only for",
        ),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(WrongSetting) as caught:
        read(tmp_path, **settings)
    assert str(caught.value).startswith("[oidc.company]")
    assert sentence in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_tables_are_checked_as_a_whole(tmp_path: Path) -> None:
    for tables, sentence in (
        ("x", "a table for each provider"),
        ({"company": 7}, "must be a table"),
        ({"Company!": RIGHT}, "lower-case letters"),
        ({"company": {"issuer": RIGHT["issuer"]}}, "lacks client-id"),
        ({"one": RIGHT, "two": RIGHT}, "the same issuer"),
        ({f"p{number}": RIGHT for number in range(21)}, "at most 20"),
    ):
        with pytest.raises(WrongSetting, match=sentence):
            providers_of(tables, folder=tmp_path)


def test_a_provider_on_this_machine_may_do_without_tls(tmp_path: Path) -> None:
    for issuer in ("http://localhost:8080", "http://127.0.0.1:8080/realm", "http://[::1]:80"):
        assert read(tmp_path, issuer=issuer).issuer == issuer

"""Login providers on the command line: settings, a try, and identities of an account; the provider is real."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.real_parts.canaille import Canaille, running_canaille
from tests.real_parts.migrated_sqlite import put_migrated

from skyshelf.cli.admin import config_file
from skyshelf.cli.main import main
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.sessions import NewIdentity
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def no_file_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_file, "default_places", list)


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canaille]:
    with running_canaille(tmp_path_factory.mktemp("canaille")) as running:
        yield running


def admin(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["admin", *arguments], input=stdin)


def config(tmp_path: Path, issuer: str, more: str = "") -> Path:
    (tmp_path / "secret").write_text("very secret\n")
    file = tmp_path / "server.toml"
    file.write_text(
        'public-url = "https://drive.example.org/sky"\n'
        f'[oidc.company]\nissuer = "{issuer}"\nclient-id = "x"\nclient-secret-file = "secret"\n{more}'
    )
    return file


def refusal(result: Result) -> str:
    assert result.exit_code != 0, result.output
    assert isinstance(result.exception, SystemExit)
    return result.stderr


@pytest.mark.whole
def test_a_real_provider_is_tried_and_the_addresses_to_register_are_named(tmp_path: Path, provider: Canaille) -> None:
    file = config(tmp_path, provider.issuer)
    result = admin("oidc", "test", "company", "--config", str(file))
    assert result.exit_code == 0, result.output
    assert f"The provider is {provider.issuer} and has 1 key." in result.stdout
    assert "https://drive.example.org/sky/oidc/company/callback" in result.stdout
    listed = json.loads(admin("oidc", "ls", "--config", str(file), "--json").stdout)
    assert listed[0]["backchannelLogoutUri"] == "https://drive.example.org/sky/oidc/company/logout"
    assert "very secret" not in result.output


def test_what_is_wrong_with_a_provider_is_said(tmp_path: Path, provider: Canaille) -> None:
    wrong = config(tmp_path, f"{provider.issuer}/")
    assert "write it exactly as the provider does" in refusal(admin("oidc", "test", "company", "--config", str(wrong)))
    away = config(tmp_path, "http://localhost:1")
    assert "cannot be fetched" in refusal(admin("oidc", "test", "company", "--config", str(away)))
    assert "there is no provider nobody: the settings have company" in refusal(
        admin("oidc", "test", "nobody", "--config", str(away))
    )


def test_the_settings_are_checked_and_no_secret_is_shown(tmp_path: Path) -> None:
    right = admin("settings", "check", "--config", str(config(tmp_path, "https://login.example.org")), "--json")
    assert right.exit_code == 0, right.output
    found = {one["name"]: one["value"] for one in json.loads(right.stdout)}
    assert found["oidc"] == "company"
    assert "very secret" not in right.output
    for more, sentence in (
        ("new-account = true\n", "has the setting new-account, which is unknown"),
        ('quotas = { staff = "much" }\n', "'much' is not a size"),
    ):
        file = config(tmp_path, "https://login.example.org", more)
        assert sentence in refusal(admin("settings", "check", "--config", str(file)))


def test_providers_can_have_a_file_of_their_own_and_need_the_public_url(tmp_path: Path) -> None:
    own, file = tmp_path / "providers.toml", tmp_path / "server.toml"
    own.write_text('[oidc.company]\nissuer = "https://login.example.org"\nclient-id = "x"\n')
    file.write_text(f'oidc = "{own}"\n')
    assert "--oidc needs --public-url" in refusal(admin("settings", "check", "--config", str(file)))
    file.write_text(f'oidc = "{own}"\npublic-url = "https://drive.example.org"\n')
    assert admin("settings", "check", "--config", str(file)).exit_code == 0
    for content, sentence in (
        ("port = 7\n", "a table for each provider"),
        ("[oidc", "is not valid TOML"),
    ):
        own.write_text(content)
        assert sentence in refusal(admin("settings", "check", "--config", str(file)))
    own.unlink()
    assert "cannot read" in refusal(admin("settings", "check", "--config", str(file)))


def test_identities_of_an_account_are_shown_and_unlinked(tmp_path: Path) -> None:
    put_migrated(tmp_path)
    names = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin", "--data", str(tmp_path))
    assert admin("user", "add", "ada@example.org", *names, stdin=f"{PASSWORD}\n").exit_code == 0
    metadata, blobs = embedded_urls(tmp_path)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    identity = NewIdentity(issuer="https://login.example.org", subject="7", email="ada@company.example")
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_email("ada@example.org")
    ctx.metadata.write(lambda unit: unit.identities.add(account.account_id, identity, 1))
    ctx.metadata.close()
    ctx.blobs.close()
    shown = admin("user", "show", "ada@example.org", "--data", str(tmp_path))
    assert "ada@company.example at https://login.example.org" in shown.stdout
    unlink = ("user", "unlink", "ada@example.org", "https://login.example.org", "--data", str(tmp_path))
    assert "Unlinked ada@example.org from https://login.example.org." in admin(*unlink).stdout
    assert "has no identity at" in admin(*unlink).stdout
    assert "company.example" not in admin("user", "show", "ada@example.org", "--data", str(tmp_path)).stdout

"""Where settings come from, which of them wins, and what is refused."""

import stat
from pathlib import Path

import pytest

from skyshelf.client.credentials import Credentials
from skyshelf.client.errors import ConfigurationError
from skyshelf.client.hosts import Hosts
from skyshelf.client.settings import (
    ConfigFile,
    config_path,
    forget_session,
    load_settings,
    read_config,
    save_profile,
    write_config,
)
from skyshelf.wire.endpoint import Host

SESSION = {"auth_token": "T0KEN", "user_id": "USER", "device_key": "DEVICE"}
SERVER = "https://drive.example.org"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "skyshelf" / "config.json"


def test_a_profile_is_stored_for_its_owner_alone_and_read_again(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    settings = load_settings(environment={}, path=path)
    assert settings.profile == "home"
    assert settings.credentials == Credentials(**SESSION)
    assert settings.hosts.base(Host.DOWNLOAD) == SERVER
    assert list(path.parent.iterdir()) == [path]


def test_profiles_do_not_disturb_each_other(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    save_profile(path, "work", {"server": "https://work.example.org", **SESSION, "user_id": "WORKER"})
    assert load_settings(environment={}, path=path).hosts.base(Host.ACCOUNT) == SERVER
    for settings in (
        load_settings(environment={}, path=path, profile="work"),
        load_settings(environment={"SKYSHELF_PROFILE": "work"}, path=path),
    ):
        assert settings.credentials is not None
        assert settings.credentials.user_id == "WORKER"
    with pytest.raises(ConfigurationError, match="unknown profile 'other'"):
        load_settings(environment={}, path=path, profile="other")


def test_forgetting_a_session_keeps_the_server(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    forget_session(path, "home")
    settings = load_settings(environment={}, path=path)
    assert settings.credentials is None
    assert settings.hosts.base(Host.ACCOUNT) == SERVER
    assert "T0KEN" not in path.read_text()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o601])
def test_a_file_that_others_can_reach_is_refused_with_what_to_do(path: Path, mode: int) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    path.chmod(mode)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        load_settings(environment={}, path=path)


def test_a_link_is_not_followed_and_writing_replaces_it(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("{}")
    elsewhere.chmod(0o600)
    path.parent.mkdir()
    path.symlink_to(elsewhere)
    with pytest.raises(ConfigurationError, match="symbolic link"):
        read_config(path)
    path.unlink()
    save_profile(path, "home", SESSION)
    assert elsewhere.read_text() == "{}"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"profiles": 7}', '{"profiles": {"a": "T0KEN"}}', "\x00T0KEN"])
def test_a_broken_file_is_an_error_that_does_not_quote_it(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ConfigurationError, match="not a valid config file") as caught:
        read_config(path)
    assert "T0KEN" not in str(caught.value)


def test_the_caller_wins_over_the_environment_and_that_over_the_file(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    environment = {
        "SKYSHELF_SERVER": "https://env.example.org",
        "SKYSHELF_AUTH_TOKEN": "ENVTOKEN",
        "SKYSHELF_USER_ID": "ENVUSER",
        "SKYSHELF_DEVICE_KEY": "ENVDEVICE",
        "SKYSHELF_RETRIES": "7",
        "SKYSHELF_RETRY_WAIT": "0.25",
    }
    settings = load_settings(environment=environment, path=path)
    assert settings.credentials == Credentials("ENVTOKEN", "ENVUSER", "ENVDEVICE")
    assert settings.hosts.base(Host.ACCOUNT) == "https://env.example.org"
    assert (settings.policy.retries, settings.policy.wait) == (7, 0.25)
    given = load_settings({"server": "https://here.example.org"}, retries=1, environment=environment, path=path)
    assert given.hosts.base(Host.ACCOUNT) == "https://here.example.org"
    assert given.policy.retries == 1


ELSEWHERE = [
    "https://evil.example.org",
    "https://drive.example.org:8443",
    "http://127.0.0.1:8600",
    "https://drive.example.org.evil.com",
]
IN_ENVIRONMENT = {f"SKYSHELF_{name.upper()}": value for name, value in SESSION.items()}


@pytest.mark.parametrize("other", ELSEWHERE)
def test_a_stored_session_is_not_used_with_another_server(path: Path, other: str) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    for settings in (
        load_settings({"server": other}, environment={}, path=path),
        load_settings(environment={"SKYSHELF_SERVER": other}, path=path),
        load_settings({"download_url": other}, environment={}, path=path),
        load_settings(environment={"SKYSHELF_METADATA_URL": other}, path=path, profile="home"),
    ):
        assert settings.credentials is None
        assert settings.refusal == (
            f"the profile 'home' is logged in to {SERVER}, and its session is not sent to {other}; log in to {other}"
            f" with `skyshelf login --server {other} --profile NAME EMAIL`"
        )


def test_another_spelling_of_the_same_server_is_the_same_server(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    for same in ("https://DRIVE.example.org/", "https://drive.example.org:443", f"{SERVER}/below"):
        assert load_settings({"server": same}, environment={}, path=path).credentials == Credentials(**SESSION)


def test_a_stored_session_does_not_follow_an_edit_of_its_profile(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    for edit in ({"server": ELSEWHERE[0]}, {"server": SERVER, "upload_url": ELSEWHERE[0]}):
        save_profile(path, "home", edit)
        settings = load_settings(environment={}, path=path)
        assert settings.credentials is None
        assert settings.refusal is not None
        assert f"is not sent to {ELSEWHERE[0]}" in settings.refusal


def test_the_hosts_of_one_service_share_its_session(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, "download_url": "https://dl.example.org", **SESSION})
    assert load_settings(environment={}, path=path).credentials is not None
    swapped = load_settings({"server": "https://dl.example.org"}, environment={}, path=path)
    assert swapped.credentials is not None
    assert load_settings({"server": "https://cdn.example.org"}, environment={}, path=path).credentials is None


def test_a_profile_from_before_origins_were_stored_is_bound_to_its_server(path: Path) -> None:
    profile = {"server": SERVER, **SESSION}
    write_config(path, ConfigFile("home", {"home": dict(profile)}))
    assert load_settings(environment={}, path=path).credentials == Credentials(**SESSION)
    assert load_settings({"server": ELSEWHERE[0]}, environment={}, path=path).credentials is None
    write_config(path, ConfigFile("home", {"home": dict(SESSION)}))
    assert load_settings({"server": SERVER}, environment={}, path=path).credentials is None


def test_a_given_session_belongs_to_the_server_named_beside_it(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    beside = {**IN_ENVIRONMENT, "SKYSHELF_SERVER": "https://env.example.org"}
    assert load_settings(environment=beside, path=path).credentials is not None
    refused = load_settings({"server": ELSEWHERE[0]}, environment=beside, path=path)
    assert refused.credentials is None
    assert refused.refusal is not None
    assert "belongs to https://env.example.org, and is not sent to https://evil.example.org" in refused.refusal
    # Without one beside it, the caller names it, and a profile never does.
    assert load_settings({"server": SERVER}, environment=IN_ENVIRONMENT, path=path).credentials is not None
    assert load_settings(SESSION, environment={"SKYSHELF_SERVER": SERVER}, path=path).credentials is not None
    assert load_settings(environment=IN_ENVIRONMENT, path=path).credentials is None
    assert load_settings(SESSION, environment={}, path=path).credentials is None


def test_the_secret_of_an_application_stays_with_its_server_too(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION, "app_secret": "OURS"})
    stored = load_settings(environment={}, path=path).credentials
    assert stored is not None
    assert stored.app_secret == "OURS"
    elsewhere = {**IN_ENVIRONMENT, "SKYSHELF_SERVER": "https://env.example.org"}
    given = load_settings(environment=elsewhere, path=path, profile="home").credentials
    assert given is not None
    assert given.app_secret != "OURS"


def test_the_file_is_not_touched_when_everything_is_said_elsewhere(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("broken")
    assert load_settings({"server": SERVER, **SESSION}, environment={}, path=path).credentials is not None


def test_a_session_is_never_put_together_from_two_places(path: Path) -> None:
    save_profile(path, "home", {"server": SERVER, **SESSION})
    with pytest.raises(ConfigurationError, match="user_id, device_key are missing"):
        load_settings(environment={"SKYSHELF_AUTH_TOKEN": "ENVTOKEN"}, path=path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("RETRIES", "many"), ("RETRIES", "-1"), ("RETRY_WAIT", "nan"), ("RETRY_WAIT", "x"), ("READ_TIMEOUT", "0")],
)
def test_numbers_that_are_none_are_refused(path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=name.lower()):
        load_settings({"server": SERVER}, environment={f"SKYSHELF_{name}": value}, path=path)


def test_without_a_server_there_is_a_sentence_that_says_what_to_do(path: Path) -> None:
    with pytest.raises(ConfigurationError, match="skyshelf login"):
        load_settings(environment={}, path=path)


def test_the_config_lies_where_the_desktop_standard_says() -> None:
    assert config_path({"XDG_CONFIG_HOME": "/x"}) == Path("/x/skyshelf/config.json")
    assert config_path({"XDG_CONFIG_HOME": "relative"}) == Path.home() / ".config/skyshelf/config.json"


@pytest.mark.parametrize(
    "url",
    [
        "http://drive.example.org",
        "ftp://x.org",
        "drive.example.org",
        "https://u:pw@x.org",
        "https://",
        "http://[::1",
        "https://x?y=1",
    ],
)
def test_only_tls_will_do_except_on_this_machine(url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Hosts.of(url)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8600", "http://localhost", "http://[::1]:80", "http://127.8.9.1"])
def test_this_machine_needs_no_tls(url: str) -> None:
    assert Hosts.of(url).base(Host.ACCOUNT) == url


def test_only_configured_hosts_are_known() -> None:
    hosts = Hosts.of("https://drive.example.org", {"download_url": "https://dl.example.org:8443"})
    assert hosts.knows("https://drive.example.org/download/x?y#z")
    assert hosts.knows("https://DRIVE.example.org:443/")
    assert hosts.knows("https://dl.example.org:8443/x")
    for stranger in (
        "https://dl.example.org/x",
        "http://drive.example.org/x",
        "https://drive.example.org.evil.com/",
        "https://evil.com/drive.example.org",
        "https://drive.example.org@evil.com/",
        "//drive.example.org/",
        "/x",
        "https://[",
    ):
        assert not hosts.knows(stranger), stranger
    with pytest.raises(ConfigurationError, match="unknown host setting nonsense_url"):
        Hosts.of("https://x.org", {"nonsense_url": "https://y.org"})


def test_a_token_may_be_copied_with_its_scheme_and_need_not_name_the_user() -> None:
    credentials = Credentials(" Basic T0KEN ", "USER", "DEVICE")
    assert credentials.headers["Authorization"] == "Basic T0KEN"
    assert credentials.headers["X-User-Id"] == "USER"


@pytest.mark.parametrize("token", ["", "a b", "a\nX-Evil: 1", "tökén", "\x00"])
def test_what_no_header_can_hold_is_refused_without_repeating_it(token: str) -> None:
    with pytest.raises(ConfigurationError, match="auth_token") as caught:
        Credentials(token, "USER", "DEVICE")
    assert not token or token not in str(caught.value)

"""Back-channel logout, which anybody can call: forged, foreign and used tokens in floods."""

from pathlib import Path
from urllib.parse import urlencode

from tests.attacks.conftest import Starting
from tests.attacks.crowd import Crowd, request
from tests.real_parts.scripted_provider import CLIENT, ScriptedProvider, new_key, scripted_provider

SETTINGS = '[oidc.company]\nissuer = "{issuer}"\nclient-id = "{client}"\nclient-secret-file = "secret"\n'
PROBES = 40
ADDRESSES = [f"127.0.{number}.66" for number in range(1, 5)]
KEY_FETCHES_MAX = 5


def logout(token: str) -> bytes:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    return request("POST", "/oidc/company/logout", form, urlencode({"logout_token": token}).encode())


def forged(provider: ScriptedProvider) -> list[str]:
    """Tokens of unknown keys, each of which might be a new one of the provider; and of no key at all."""
    own, found = provider.key, []
    for number in range(8):
        provider.key = new_key(f"unknown {number}")
        found.append(provider.logout_token(sub="ada"))
    provider.key = own
    return [*found, "x" * 4096, ".".join("eyJhIjoxfQ" for _ in range(3)), ""]


def test_floods_of_logout_tokens_stop_neither_others_nor_the_provider(start_attacked: Starting, tmp_path: Path) -> None:
    with scripted_provider(new_key()) as provider:
        (tmp_path / "secret").write_text("s3cret")
        (tmp_path / "oidc.toml").write_text(SETTINGS.format(issuer=provider.issuer, client=CLIENT))
        attacked = start_attacked("--public-url", "http://127.0.0.1:1", "--oidc", str(tmp_path / "oidc.toml"))
        used = provider.logout_token(sub="ada")
        from_there = attacked.client("127.0.0.88")
        assert from_there.post("/oidc/company/logout", data={"logout_token": used}).status_code == 200
        asked = [logout(token) for token in [*forged(provider), used]]
        with attacked.while_others_work(probes=PROBES):
            crowds = [Crowd(attacked, asked * 4, source=address) for address in ADDRESSES]
            seen: set[int] = set()
            for crowd in crowds:
                seen |= crowd.read(seconds=3, again=True).keys()
            # The provider is heard all the same, and is not asked for its keys each time.
            fresh = provider.logout_token(sub="ada")
            assert from_there.post("/oidc/company/logout", data={"logout_token": fresh}).status_code == 200
        assert seen <= {400, 429, 503}, seen
        assert provider.asked.count("/jwks") <= KEY_FETCHES_MAX, provider.asked

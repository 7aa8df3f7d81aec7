"""`skyshelf admin mail` and `oidc`: try the mail server and the login providers."""

from pathlib import Path

import click

from skyshelf.cli.admin.people import language_option
from skyshelf.cli.admin.server_options import parsed_options
from skyshelf.cli.admin.serving.services import mail_settings_of, providers_in
from skyshelf.cli.admin.stores import debug_option, json_option, listed, print_result
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import FILE
from skyshelf.service.oidc.settings import Provider

_config_option = click.option(
    "--config", type=FILE, help="TOML file with the server's options.  [default: where `skyshelf serve` looks]"
)


@click.group()
def mail() -> None:
    """Try the mail server."""


@mail.command("test", epilog=examples("skyshelf admin mail test ada@example.org --config /etc/skyshelf/server.toml"))
@click.argument("address")
@_config_option
@language_option
@json_option
@debug_option
def test_mail(*, address: str, config: Path | None, language: str, as_json: bool, debug: bool) -> None:
    """Send a message with the server's own settings.

    Prints what the mail server responds. The service need not be running.
    """
    import time
    from urllib.parse import urlsplit

    from skyshelf.service.mail.messages import Facts, deliver, write_message
    from skyshelf.service.process.mail_settings import MailDelayed, MailRefused

    settings = mail_settings_of(parsed_options(config))
    if settings is None:
        raise CommandFailed("the server has no mail server: name one with --mail in its settings")
    facts = Facts(host=urlsplit(settings.public_url).hostname or "localhost")
    with report_errors(MailDelayed, MailRefused, ValueError, debug=debug):
        now = time.time_ns() // 1_000_000
        message = write_message(
            "test", "de" if language == "de" else "en", facts, sender=settings.sender, to=address, now=now
        )
        deliver(settings, message)
    sentence = f"{settings.host} accepted a message for {address}."
    print_result(as_json, {"host": settings.host, "address": address}, sentence)


@click.group()
def oidc() -> None:
    """Try login providers (OpenID Connect)."""


@oidc.command("ls", epilog=examples("skyshelf admin oidc ls --config /etc/skyshelf/server.toml"))
@_config_option
@json_option
def list_providers(*, config: Path | None, as_json: bool) -> None:
    """List the login providers.

    Each is listed with the addresses that it must know. Register the redirect URI and the back-channel logout URI at
    the provider, exactly as printed.
    """
    found, public_url = _providers(config)
    data = [
        {
            "id": one.id,
            "name": one.name,
            "issuer": one.issuer,
            "clientId": one.client_id,
            "redirectUri": f"{public_url}/oidc/{one.id}/callback",
            "backchannelLogoutUri": f"{public_url}/oidc/{one.id}/logout",
        }
        for one in found
    ]
    rows = [tuple(row[name] for name in ("id", "issuer", "redirectUri", "backchannelLogoutUri")) for row in data]
    print_result(as_json, *listed(data, rows, empty="No login providers: name some with --oidc."))


@oidc.command("test", epilog=examples("skyshelf admin oidc test company --config /etc/skyshelf/server.toml"))
@click.argument("provider")
@_config_option
@json_option
@debug_option
def test_provider(*, provider: str, config: Path | None, as_json: bool, debug: bool) -> None:
    """Check a login provider.

    Using the server's own settings, it fetches the discovery document and the keys, and reports what is wrong with
    them. The service need not be running, and nobody is logged in.
    """
    from skyshelf.service.oidc.fetch import OidcError
    from skyshelf.service.oidc.relying_party import RelyingParty

    found, public_url = _providers(config)
    chosen = next((one for one in found if one.id == provider), None)
    if chosen is None:
        names = ", ".join(one.id for one in found) or "none"
        raise CommandFailed(f"there is no provider {provider}: the settings have {names}")
    with report_errors(OidcError, debug=debug):
        lines = RelyingParty(chosen).check()
    lines.append(f"Register this redirect URI there: {public_url}/oidc/{chosen.id}/callback")
    print_result(as_json, {"id": chosen.id, "issuer": chosen.issuer, "findings": lines}, "\n".join(lines))


def _providers(config: Path | None) -> tuple[tuple[Provider, ...], str]:
    given = parsed_options(config)
    return providers_in(given), str(given["public_url"] or "").rstrip("/")

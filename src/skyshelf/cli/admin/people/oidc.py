"""`skyshelf admin oidc`: try login providers; `skyshelf admin user unlink`: take an identity from an account."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.serving.oidc import providers_in
from skyshelf.cli.admin.stores import debug_option, json_option, open_account, print_result, print_table, store_options
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples

if TYPE_CHECKING:
    from skyshelf.service.oidc.settings import Provider

config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="TOML file with the server's options.  [default: where `skyshelf serve` looks]",
)


@click.group()
def oidc() -> None:
    """Try login providers (OpenID Connect)."""


@oidc.command("ls", epilog=examples("skyshelf admin oidc ls --config /etc/skyshelf/server.toml"))
@config_option
@json_option
def ls(*, config: Path | None, as_json: bool) -> None:
    """List the login providers.

    With each are the addresses that it has to know. Register the redirect URI and the back-channel logout URI at the
    provider, exactly as they are printed.
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
    print_table(as_json, data, rows, empty="No login providers: name some with --oidc.")


@oidc.command("test", epilog=examples("skyshelf admin oidc test company --config /etc/skyshelf/server.toml"))
@click.argument("provider")
@config_option
@json_option
@debug_option
def test(*, provider: str, config: Path | None, as_json: bool, debug: bool) -> None:
    """Ask a login provider about itself.

    With the server's own settings, it fetches the discovery document and the keys, and says what is wrong with them.
    The service need not run, and nobody is logged in.
    """
    from skyshelf.cli.base.errors import report_errors
    from skyshelf.service.oidc.errors import OidcError
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


def _providers(config: Path | None) -> "tuple[tuple[Provider, ...], str]":
    from skyshelf.cli.admin.server_options import parsed_options

    given = parsed_options(config)
    return providers_in(given), str(given["public_url"] or "").rstrip("/")


@click.command("unlink", epilog=examples("skyshelf admin user unlink ada@example.org https://login.example.org"))
@click.argument("email")
@click.argument("issuer")
@store_options
def unlink(*, email: str, issuer: str, as_json: bool, **store: Any) -> None:
    """Unlink an account from a login provider.

    The sessions that came from there end. `skyshelf admin user show` lists the identities with their issuers.
    """
    with open_account(email, **store) as (ctx, account):
        from skyshelf.service.identity.links import unlink_for_operator

        was_linked = unlink_for_operator(ctx, account, issuer)
        result = "Unlinked {} from {}." if was_linked else "{} has no identity at {}."
        details = {"emailId": account.email, "issuer": issuer, "changed": was_linked}
        print_result(as_json, details, result.format(account.email, issuer))

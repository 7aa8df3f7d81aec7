"""`skyshelf admin`: a server's accounts and storage, also while it is running."""

import click

from skyshelf.cli.admin.audit import audit
from skyshelf.cli.admin.backup import backup
from skyshelf.cli.admin.banners import banner
from skyshelf.cli.admin.brakes import brake
from skyshelf.cli.admin.cuts import cuts
from skyshelf.cli.admin.doctor import doctor
from skyshelf.cli.admin.health import health
from skyshelf.cli.admin.import_ import import_tree
from skyshelf.cli.admin.init import init
from skyshelf.cli.admin.mail import mail
from skyshelf.cli.admin.move import move
from skyshelf.cli.admin.people.handover import hand_over
from skyshelf.cli.admin.people.oidc import oidc, unlink
from skyshelf.cli.admin.people.password_links import invite, password_link
from skyshelf.cli.admin.promotions import promotion
from skyshelf.cli.admin.quarantine import quarantine
from skyshelf.cli.admin.read_only import read_only
from skyshelf.cli.admin.restore import restore
from skyshelf.cli.admin.scrub import scrub
from skyshelf.cli.admin.serving.history_keys import history_key
from skyshelf.cli.admin.settings import settings
from skyshelf.cli.admin.upgrade import upgrade
from skyshelf.cli.admin.users import user
from skyshelf.cli.admin.verify import verify


@click.group
def admin() -> None:
    """Manage a server's accounts and storage.

    These commands open the server's data directly, also while it is running.
    """


for _command in (
    user,
    promotion,
    banner,
    import_tree,
    health,
    doctor,
    scrub,
    brake,
    read_only,
    quarantine,
    audit,
    history_key,
    settings,
    backup,
    cuts,
    verify,
    restore,
    move,
    init,
    upgrade,
    mail,
    oidc,
):
    admin.add_command(_command)
for _command in (invite, password_link, hand_over, unlink):
    user.add_command(_command)

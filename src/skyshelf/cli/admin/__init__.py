"""`skyshelf admin`: looking after the accounts and the store of a service, also while it runs."""

import click

from skyshelf.cli.admin.banners import banner
from skyshelf.cli.admin.doctor import doctor
from skyshelf.cli.admin.import_ import import_tree
from skyshelf.cli.admin.migrate import migrate
from skyshelf.cli.admin.promotions import promotion
from skyshelf.cli.admin.users import user


@click.group
def admin() -> None:
    """Look after the accounts and the store of a service, also while it runs."""


for _command in (user, promotion, banner, import_tree, doctor, migrate):
    admin.add_command(_command)

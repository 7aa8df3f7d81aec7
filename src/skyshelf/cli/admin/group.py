"""`skyshelf admin`: a server's accounts and storage, also while it is running. Its commands are imported when used."""

import click

from skyshelf.cli.base.groups import LazyGroup, SubCommand


def _in(module: str, name: str, summary: str) -> SubCommand:
    return SubCommand(f"skyshelf.cli.admin.{module}", name, summary)


COMMANDS = {
    "alarms": _in("alarms", "alarms", "Show which devices are paused, because they changed unusually much."),
    "audit": _in("audit", "audit", "Show the audit trail: who did what, when and from where."),
    "backup": _in("backup", "backup", "Back up a store, also while the server is running."),
    "backup-status": _in(
        "backup_status", "backup_status", "Show the last backup of a store, its checks, and the last failure."
    ),
    "banner": _in("notices", "banner", "Manage announcements, which clients show to all users."),
    "brake": _in("controls", "brake", "Show and release brakes of background jobs."),
    "cuts": _in("backup", "cuts", "List the cuts of a backup, oldest first."),
    "doctor": _in("checks", "doctor", "Check the consistency of the store."),
    "epoch": _in("controls", "epoch", "Show the epoch of the data, and begin a new one after they were put back."),
    "health": _in("health", "health", "Ask the running server whether it works."),
    "history-key": _in("controls", "history_key", "Show and replace the key that signs histories."),
    "import": _in("import_", "import_tree", "Import a local folder into an account."),
    "init": _in("upgrade", "init", "Create the stores that `skyshelf serve` will use."),
    "mail": _in("integrations", "mail", "Try the mail server."),
    "move": _in("move", "move", "Move the store to another database, other blobs, or both."),
    "oidc": _in("integrations", "oidc", "Try login providers (OpenID Connect)."),
    "promotion": _in("notices", "promotion", "Grant extra storage for a while, to one account or to all."),
    "prune": _in("backup", "prune", "Remove old cuts, and what killed backups have left."),
    "quarantine": _in("quarantine", "quarantine", "List, recover and delete quarantined contents."),
    "read-only": _in("controls", "read_only", "Switch writing off and on again."),
    "restore": _in("restore", "restore", "Restore a store, an account or a file from a backup, or look into it."),
    "scrub": _in("checks", "scrub", "Compare every stored content with its hash."),
    "secrets": _in("secrets", "secrets", "Show the server's secrets without their values, and replace them."),
    "settings": _in("settings", "settings", "Show the server's settings, and change how long data is kept."),
    "upgrade": _in("upgrade", "upgrade", "Upgrade the metadata to this version's schema."),
    "user": _in("people", "user", "Manage accounts."),
    "verify": _in("cuts.verify", "verify", "Check a backup; nothing in it is changed."),
}


@click.command(cls=LazyGroup, commands_by_name=COMMANDS)
def admin() -> None:
    """Manage a server's accounts and storage.

    These commands open the server's data directly, also while it is running.
    """

"""The command `skyshelf`. Subcommands are imported when they are used, which keeps start-up fast."""

import click

from skyshelf.cli.base.groups import LazyGroup, SubCommand, examples


def _in(module: str, name: str, summary: str) -> SubCommand:
    return SubCommand(f"skyshelf.cli.{module}", name, summary)


COMMANDS = {
    "login": _in("commands.login", "login", "Log in to a server."),
    "logout": _in("commands.login", "logout", "Log out, on the server and on this machine."),
    "whoami": _in("commands.login", "whoami", "Show who is logged in, and the storage used."),
    "account": _in(
        "commands.account", "account", "Manage password, name, devices, passkeys, second factor and app passwords."
    ),
    "delegate": _in(
        "commands.delegations", "delegate", "Make a token that may do less than you, for an agent or a script."
    ),
    "delegations": _in("commands.delegations", "delegations", "List, narrow and end delegations."),
    "alarms": _in("commands.alarms", "alarms", "List paused devices; resume or end them."),
    "profiles": _in("commands.login", "profiles", "List and manage the logins stored on this machine."),
    "ls": _in("commands.browse", "ls", "List folders."),
    "tree": _in("commands.browse", "tree", "Show a folder and everything below it as a tree."),
    "find": _in("commands.browse", "find", "Find files and folders by name."),
    "du": _in("commands.browse", "du", "Show disk usage by folder."),
    "stat": _in("commands.browse", "stat", "Show details of files and folders, including their keys."),
    "changes": _in("commands.history", "changes", "Show or follow the changes in your account."),
    "diff": _in("commands.history", "diff", "Show what was added, removed, moved or changed between two moments."),
    "log": _in("commands.history", "log", "Show what changed, newest first, and from which device."),
    "rewind": _in("commands.rewind", "rewind", "Bring your account, or a folder, back to a moment."),
    "verify-history": _in(
        "commands.verify_history", "verify_history", "Verify that the history of your account was not rewritten."
    ),
    "recent": _in("commands.browse", "recent", "List recently added files."),
    "favorites": _in("commands.tags", "favorites", "List your favourites, newest first."),
    "timeline": _in("commands.tags", "timeline", "List pictures and videos by the month they were taken."),
    "cat": _in("commands.get", "cat", "Print the content of files."),
    "get": _in("commands.get", "get", "Download files and folders."),
    "backup": _in("commands.backup", "backup", "Back up your account to a local folder."),
    "export": _in("commands.export", "export", "Export everything in your account, in open forms."),
    "thumbnail": _in("commands.get", "thumbnail", "Download a preview of a picture, video or PDF."),
    "put": _in("commands.put", "put", "Upload files and folders."),
    "sync": _in("commands.sync.group", "sync", "Keep a local folder and one on the server the same."),
    "mount": _in("commands.mount", "mount", "Show the drive as a local folder."),
    "mirror": _in("commands.put", "mirror", "Mirror a local folder to the server."),
    "uploads": _in("commands.uploads", "uploads", "List and cancel unfinished uploads."),
    "mkdir": _in("commands.edit", "mkdir", "Create folders."),
    "mv": _in("commands.edit", "mv", "Move files and folders, or move and rename one."),
    "cp": _in("commands.edit", "cp", "Copy files and folders into a folder, on the server."),
    "rename": _in("commands.edit", "rename", "Rename a file or folder."),
    "fav": _in("commands.edit", "fav", "Add files and folders to favourites."),
    "unfav": _in("commands.edit", "unfav", "Remove files and folders from favourites."),
    "rm": _in("commands.edit", "rm", "Move files and folders to the trash."),
    "restore": _in("commands.trash", "restore", "Restore items from the trash."),
    "trash": _in("commands.trash", "trash", "List the trash, and delete permanently."),
    "versions": _in("commands.versions", "versions", "List, download and restore earlier versions of a file."),
    "tags": _in("commands.tags", "tags", "Add, remove and search by tags."),
    "share": _in("commands.shares", "share", "Create a public link to files and folders."),
    "shares": _in("commands.shares", "shares", "List, edit and revoke public links."),
    "albums": _in("commands.boards.boards", "boards", "Manage shared albums and their members."),
    "contacts": _in("commands.contacts", "contacts", "Manage the address book."),
    "promotions": _in("commands.about", "promotions", "List extra storage granted for a limited time."),
    "banners": _in("commands.about", "banners", "List announcements from the server's operator."),
    "open": _in("commands.about", "open_page", "Open the server's web page in a browser."),
    "completion": _in("commands.about", "completion", "Print a shell completion script."),
    "version": _in("commands.about", "version", "Print the version."),
    "agent": _in("commands.agent", "agent", "Give a program or an AI model access to your account through 16 tools."),
    "serve": _in("admin.serve", "serve", "Run the server on this machine."),
    "admin": _in("admin.group", "admin", "Manage a server's accounts and storage."),
}


SECTIONS = {
    "login": "Account",
    "ls": "Browse and search",
    "cat": "Upload and download",
    "mkdir": "Organise",
    "share": "Share",
    "promotions": "Other",
    "agent": "Agents and servers",
}
"""The heading before the first command of each section of the help."""


@click.command(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    sections=SECTIONS,
    # The interface calls albums boards.
    aliases={"boards": "albums"},
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "skyshelf login --server https://drive.example.org you@example.org",
        "skyshelf put holiday /Photos",
        "skyshelf share /Photos/holiday/beach.jpg",
    ),
)
def main() -> None:
    """Skyshelf: a cloud drive that you host yourself.

    Run `skyshelf COMMAND --help` for the options of a command and an example.
    """

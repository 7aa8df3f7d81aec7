"""The command `skyshelf`. A subcommand is imported when it is used, so that help is quick."""

import click

from skyshelf.cli.base.groups import LazyGroup, SubCommand, examples


def _in(module: str, name: str, summary: str) -> SubCommand:
    return SubCommand(f"skyshelf.cli.{module}", name, summary)


COMMANDS = {
    "login": _in("commands.login", "login", "Log in to a server."),
    "logout": _in("commands.login", "logout", "End the session, on the server and on this machine."),
    "whoami": _in("commands.login", "whoami", "Say who is logged in, and how full the account is."),
    "account": _in(
        "commands.account", "account", "Change your password, names, devices and sessions, or delete your account."
    ),
    "profiles": _in("commands.login", "profiles", "List the logins that are kept on this machine."),
    "ls": _in("commands.browse", "ls", "List folders."),
    "tree": _in("commands.browse", "tree", "Show a folder and all that is below it as a tree."),
    "find": _in("commands.browse", "find", "Find files and folders by words of their names."),
    "du": _in("commands.browse", "du", "Show what takes the room."),
    "stat": _in("commands.browse", "stat", "Show everything about files and folders, their keys too."),
    "changes": _in("commands.changes", "changes", "Show what happened in your account."),
    "recent": _in("commands.browse", "recent", "List what came last."),
    "favourites": _in("commands.tags", "favourites", "List your favourites, the newest first."),
    "timeline": _in("commands.tags", "timeline", "Pictures and videos by the month in which they were taken."),
    "cat": _in("commands.get", "cat", "Write the content of files to standard output."),
    "get": _in("commands.get", "get", "Download files and folders."),
    "backup": _in("commands.backup", "backup", "Copy everything that you have to a folder of this machine."),
    "thumbnail": _in("commands.get", "thumbnail", "Download a small picture of a picture, a video or a PDF."),
    "put": _in("commands.put", "put", "Upload files and folders."),
    "sync": _in("commands.put", "sync", "Make a folder of the server like one of this machine."),
    "uploads": _in("commands.uploads", "uploads", "List uploads that were begun, and give them up."),
    "mkdir": _in("commands.edit", "mkdir", "Make folders."),
    "mv": _in("commands.edit", "mv", "Move files and folders into a folder, or to a new name."),
    "rename": _in("commands.edit", "rename", "Give a file or folder another name."),
    "fav": _in("commands.edit", "fav", "Make files and folders favourites."),
    "unfav": _in("commands.edit", "unfav", "Make files and folders favourites no more."),
    "rm": _in("commands.edit", "rm", "Put files and folders into the trash."),
    "trash": _in("commands.trash", "trash", "Look into the trash, take things out of it, and delete for good."),
    "restore": _in("commands.trash", "restore", "Take things out of the trash."),
    "versions": _in("commands.versions", "versions", "List, download and bring back earlier versions of a file."),
    "share": _in("commands.shares", "share", "Make one public link to files and folders."),
    "shares": _in("commands.shares", "shares", "List, change and take back public links."),
    "boards": _in("commands.boards.boards", "boards", "Shared albums: what is on them, and who."),
    "contacts": _in("commands.contacts", "contacts", "The address book: who is in it."),
    "tags": _in("commands.tags", "tags", "Give tags, take them off, and find what bears them."),
    "promotions": _in("commands.notices", "promotions", "List storage that was given for a time."),
    "banners": _in("commands.notices", "banners", "List what the operator of the server has to say."),
    "open": _in("commands.misc", "open_page", "Open the web page of the server in a browser."),
    "completion": _in("commands.misc", "completion", "Print what makes a shell complete commands, options and paths."),
    "agent": _in("commands.agent", "agent", "Let a program or a model use the account by 16 tools."),
    "serve": _in("admin.serve", "serve", "Run the service on this machine."),
    "admin": _in("admin", "admin", "Look after the accounts and the store of a service."),
    "version": _in("commands.misc", "version", "Say which version this is."),
}


SECTIONS = {
    "login": "Your account",
    "ls": "Looking around",
    "cat": "Files to this machine, and from it",
    "mkdir": "Changing what is there",
    "share": "Sharing, and other people",
    "promotions": "And more",
    "agent": "For programs, and for those who run a server",
}
"""The first command of each section of the help."""


@click.command(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "skyshelf login --server https://drive.example.org you@example.org",
        "skyshelf put holiday /Photos",
        "skyshelf share /Photos/holiday/beach.jpg",
    ),
)
def main() -> None:
    """Skyshelf: a cloud drive that people run themselves. Every command has a --help with an example."""

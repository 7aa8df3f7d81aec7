"""`skyshelf delegate` and `delegations`: made for a script, used, narrowed, listed and ended."""

import json
import subprocess

from tests.cli.typing_commands import Typist

from skyshelf.cli.commands.delegations import DelegationRecord, MadeRecord, NarrowedRecord, OwnRecord


def test_a_delegation_is_made_used_narrowed_and_ended(typist: Typist) -> None:
    """One way through everything, since each command is a process."""
    typist.done("mkdir", "/Scans", "/Other")
    options = ("--folder", "/Scans", "--can", "list,write,delete", "--deletions", "2", "--for", "2h")
    made = typist.record(MadeRecord, "delegate", "Sort the scans", *options)
    agent = {"SKYSHELF_AUTH_TOKEN": made.token, "SKYSHELF_SERVER": typist.server}
    assert typist.run("mkdir", "/2026", **agent).returncode == 0
    assert "2026" in typist.done("ls", "/Scans")
    listed = typist.run("ls", "/", **agent)
    assert "2026" in listed.stdout
    assert "Other" not in listed.stdout
    narrower = typist.record(NarrowedRecord, "delegations", "narrow", "--can", "list", stdin=made.token).token
    assert typist.done("delegations", "narrow", "--can", "list", stdin=made.token) == f"{narrower}\n"
    assert narrower.startswith(made.token[:30])
    refused = typist.run("mkdir", "/2027", **agent | {"SKYSHELF_AUTH_TOKEN": narrower})
    assert refused.returncode == 5
    assert "allows no calls of the kind write" in refused.stderr
    assert typist.run("rm", "/2026", **agent).returncode == 0
    own = typist.record(OwnRecord, "delegations", "show", **agent)
    assert own.left is not None
    assert own.left.deletions == 1
    (one,) = typist.records(DelegationRecord, "delegations", "list")
    assert (one.purpose, one.folder_name, one.deletions) == ("Sort the scans", "Scans", 2)
    assert one.used is not None
    assert (one.used.deletions, one.used.writes) == (1, 1)
    assert "1 of 2 deletions" in typist.done("delegations", "list")
    typist.done("delegations", "end", "Sort the scans")
    assert typist.done("delegations", "list") == ""
    assert typist.run("ls", "/", **agent).returncode == 4


def test_the_agent_bridge_works_with_a_delegation_and_reports_what_it_does_not_allow(typist: Typist) -> None:
    typist.done("mkdir", "/Scans")
    made = typist.record(MadeRecord, "delegate", "Look around", "--can", "list", "--folder", "/Scans")
    agent = {"SKYSHELF_AUTH_TOKEN": made.token, "SKYSHELF_SERVER": typist.server}

    def call(tool: str, **arguments: object) -> subprocess.CompletedProcess[str]:
        text = json.dumps({"tool": tool, "arguments": arguments})
        return typist.run("agent", "call", text, **agent)

    assert json.loads(call("list_files", limit=5).stdout)["ok"] is True
    refused = json.loads(call("create_folder", name="new").stdout)
    assert refused["ok"] is False
    assert "This delegation does not allow that" in json.dumps(refused)


def test_what_is_no_token_and_what_never_ends_is_refused(typist: Typist) -> None:
    assert typist.refused("delegations", "narrow", "--can", "list", stdin="skyd1.no")[0] == 3
    assert typist.refused("delegate", "Forever", "--for", "never")[0] == 3
    assert typist.refused("delegate", "Odd", "--can", "everything")[0] == 2

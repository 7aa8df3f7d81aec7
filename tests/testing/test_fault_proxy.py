"""The proxy fails as its plan says, and passes everything else on as it is."""

import hashlib
import http.client
import json
from urllib.parse import urlsplit

import pytest

from skyshelf.testing.faults import Fault, FaultPlan, FaultSampler, every_fault, faults_for
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount
from skyshelf.wire.headers import session_headers

pytest_plugins = ["skyshelf.testing.fixtures"]

CONTENT = bytes(range(256)) * 400


def ask(url: str, account: TestAccount, target: str, **headers: str) -> tuple[int, bytes]:
    session = account.session
    sent = session_headers(session.auth_token, session.user_id, session.device_key) | headers
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        connection.request("GET", target, headers=sent)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_without_a_plan_everything_is_forwarded(skyshelf_account: TestAccount, fault_proxy: FaultProxy) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    assert ask(fault_proxy.url, skyshelf_account, f"/download/files/{key}") == (200, CONTENT)
    assert ask(fault_proxy.url, skyshelf_account, f"/download/files/{key}", Range="bytes=9-11") == (206, CONTENT[9:12])
    assert ask(fault_proxy.url, skyshelf_account, "/security/users")[0] == 200
    assert fault_proxy.log == []
    assert fault_proxy.requests == 3


@pytest.mark.parametrize("fault", [Fault.RESET, Fault.LOSE_RESPONSE, Fault.CUT, Fault.STALL])
def test_lost_connections(skyshelf_account: TestAccount, fault_proxy: FaultProxy, fault: Fault) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    fault_proxy.plan = FaultPlan(rates={fault: 1.0}, stall_seconds=0.01)
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        ask(fault_proxy.url, skyshelf_account, f"/download/files/{key}")
    assert [record.fault for record in fault_proxy.log] == [fault]


def test_wrong_bytes(skyshelf_account: TestAccount, fault_proxy: FaultProxy) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    found = {}
    for fault in (Fault.CORRUPT, Fault.SHORTEN, Fault.LENGTHEN):
        fault_proxy.plan = FaultPlan(rates={fault: 1.0})
        status, found[fault] = ask(fault_proxy.url, skyshelf_account, f"/download/files/{key}")
        assert status == 200
    assert len(found[Fault.CORRUPT]) == len(CONTENT)
    assert sum(one != other for one, other in zip(found[Fault.CORRUPT], CONTENT, strict=True)) == 1
    assert len(found[Fault.SHORTEN]) < len(CONTENT)
    assert CONTENT.startswith(found[Fault.SHORTEN])
    assert found[Fault.LENGTHEN] == CONTENT + b"surplus"


def test_refusals(skyshelf_account: TestAccount, fault_proxy: FaultProxy) -> None:
    for fault, statuses in {Fault.ERROR: {500, 502, 503, 504}, Fault.THROTTLE: {429}, Fault.REDIRECT: {302}}.items():
        fault_proxy.plan = FaultPlan(rates={fault: 1.0})
        assert ask(fault_proxy.url, skyshelf_account, "/security/users")[0] in statuses


def test_pages_and_names(skyshelf_account: TestAccount, fault_proxy: FaultProxy) -> None:
    keys = skyshelf_account.add_files((f"{number}.txt", b"x") for number in range(10))
    listing = f"/nms/metadata?folderKey={skyshelf_account.root_key}&type=f&limit=4&page="

    def names(page: int) -> list[str]:
        status, body = ask(fault_proxy.url, skyshelf_account, f"{listing}{page}")
        assert status == 200
        return [found["objectName"] for found in json.loads(body)["objects"]]

    fault_proxy.renames = {keys[0]: ".."}
    assert names(0) == ["..", "1.txt", "2.txt", "3.txt"]
    fault_proxy.plan = FaultPlan(rates={Fault.REPEAT_PAGE: 1.0})
    assert names(1) == names(0)
    fault_proxy.plan = FaultPlan(rates={Fault.SHORT_PAGE: 1.0})
    assert 0 < len(names(0)) < 4
    assert len(names(2)) == 2, "no client could notice that the end of the last page is missing"
    fault_proxy.plan = FaultPlan(rates={Fault.DUPLICATES: 1.0})
    assert len(names(0)) > len(set(names(0)))
    fault_proxy.plan = FaultPlan()
    fault_proxy.page_limit = 3
    assert names(1) == ["3.txt", "4.txt", "5.txt"]


def test_ranges(skyshelf_account: TestAccount, fault_proxy: FaultProxy) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    fault_proxy.plan = FaultPlan(rates={Fault.IGNORE_RANGE: 1.0})
    assert ask(fault_proxy.url, skyshelf_account, f"/download/files/{key}", Range="bytes=99-") == (200, CONTENT)
    fault_proxy.plan = FaultPlan(rates={Fault.WRONG_RANGE: 1.0})
    status, body = ask(fault_proxy.url, skyshelf_account, f"/download/files/{key}", Range="bytes=99-")
    assert status == 206
    assert len(body) > len(CONTENT) - 99


def test_the_same_seed_fails_the_same_requests_in_any_order() -> None:
    targets = [f"/download/files/{hashlib.sha256(bytes([number])).hexdigest()[:32]}" for number in range(200)]
    one, other = FaultSampler(every_fault(0.2, seed=5)), FaultSampler(every_fault(0.2, seed=5))
    drawn = {target: one.draw("GET", target)[0] for target in targets}
    assert drawn == {target: other.draw("GET", target)[0] for target in reversed(targets)}
    assert 20 < sum(fault is not None for fault in drawn.values()) < 60
    assert drawn != {target: FaultSampler(every_fault(0.2, seed=6)).draw("GET", target)[0] for target in targets}


def test_every_fault_applies_to_some_request() -> None:
    fitting = {
        fault
        for target, wanted in [("/download/files/x", "bytes=1-"), ("/nms/metadata?page=1", ""), ("/security/users", "")]
        for fault in faults_for(target, wanted)
    }
    assert fitting | {Fault.REDIRECT} == set(Fault)

"""Another user, in a process of their own: lists, uploads and asks /healthz on fresh connections, and reports times.

Each call goes to the attacked server and to another one which nobody attacks. What the machine itself is busy with
slows both.

Run as a program, with the standard library alone: standard input brings the targets as one line of JSON, and every
call is reported as a line of JSON. The end of standard input ends the program.
"""

import hashlib
import itertools
import json
import select
import sys
import time
from http.client import HTTPConnection, HTTPException
from typing import Any

SOURCE = "127.0.0.7"
TIMEOUT = 30
PAUSE = 0.01
BOUNDARY = "bystander"


def call(target: dict[str, Any], method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", target["port"], timeout=TIMEOUT, source_address=(SOURCE, 0))
    try:
        headers = target["headers"] | ({"Content-Type": kind} if kind else {})
        connection.request(method, path, body=body or None, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException) as problem:
        return 0, repr(problem).encode()
    finally:
        connection.close()


def healthz(target: dict[str, Any], _number: int) -> str:
    status, answer = call(target, "GET", "/healthz")
    return "" if status == 200 else f"{status} {answer[:200]!r}"


def listing(target: dict[str, Any], _number: int) -> str:
    status, answer = call(target, "GET", f"/nms/metadata?folderKey={target['root']}&type=f&limit=50&page=0")
    if status == 200 and isinstance(json.loads(answer)["objects"], list):
        return ""
    return f"{status} {answer[:200]!r}"


def upload(target: dict[str, Any], number: int) -> str:
    data = f"written while others were attacked, {number}".encode()
    about = {
        "name": f"note-{number}.txt",
        "folderKey": target["root"],
        "size": len(data),
        "hash": hashlib.md5(data, usedforsecurity=False).hexdigest(),
    }
    form = "".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{content}\r\n'
        for name, more, content in (
            ("metadataString", "", json.dumps(about)),
            ("file", '; filename="note.txt"', data.decode()),
        )
    )
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    status, answer = call(target, "POST", "/upload/files", f"{form}--{BOUNDARY}--\r\n".encode(), kind)
    return "" if status == 201 else f"{status} {answer[:200]!r}"


def main() -> None:
    targets: dict[str, dict[str, Any]] = json.loads(sys.stdin.readline())
    for number in itertools.count():
        for probe in (healthz, listing, upload):
            for name, target in targets.items():
                began = time.monotonic()
                wrong = probe(target, number)
                line = {"target": name, "probe": probe.__name__, "seconds": time.monotonic() - began, "wrong": wrong}
                print(json.dumps(line), flush=True)
                if select.select([sys.stdin], [], [], PAUSE)[0]:
                    return


if __name__ == "__main__":
    main()

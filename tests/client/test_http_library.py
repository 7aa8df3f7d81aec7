"""The HTTP library outlives the thread that needed it first; without care it would take the process down."""

import subprocess
import sys

PROGRAM = """
import threading
from skyshelf.client import Client, NetworkError

def work() -> None:
    with Client("http://127.0.0.1:9", auth_token="a", user_id="b", device_key="c", retries=0) as client:
        try:
            client.profile()
        except NetworkError:
            print("refused")

for _ in range(10):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
"""


def test_clients_of_threads_that_end_do_not_crash_those_of_later_ones() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["refused"] * 10), done.stderr

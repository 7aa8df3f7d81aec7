"""Proxies in front of two instances, with the configurations in packaging/proxies.

What differs from them is where everybody listens, and the certificate.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.real_parts.proxies import example, free_port, running_caddy, running_haproxy, running_nginx_with

NGINX, HAPROXY, CADDY = "nginx-two-instances.conf", "haproxy-two-instances.cfg", "Caddyfile-two-instances"
Running = Callable[[Path, list[int]], AbstractContextManager[int]]


def _instances(ports: list[int]) -> dict[str, str]:
    first, second = ports
    return {"10.0.0.11:8600": f"127.0.0.1:{first}", "10.0.0.12:8600": f"127.0.0.1:{second}"}


@contextmanager
def nginx(folder: Path, ports: list[int]) -> Iterator[int]:
    port = free_port()
    text = example(NGINX, _instances(ports) | {"listen 443 ssl http2;": f"listen 127.0.0.1:{port};"})
    text = re.sub(r"^\s*ssl_certificate.*\n", "", text, flags=re.MULTILINE)
    with running_nginx_with(folder, text, port):
        yield port


@contextmanager
def haproxy(folder: Path, ports: list[int]) -> Iterator[int]:
    port = free_port()
    changes = {
        "bind :80\n": f"bind 127.0.0.1:{port}\n",
        "    bind :443 ssl crt /etc/haproxy/drive.example.org.pem alpn h2,http/1.1\n": "",
        "    http-request redirect scheme https code 308 unless { ssl_fc }\n": "",
    }
    with running_haproxy(folder, example(HAPROXY, _instances(ports) | changes), port):
        yield port


@contextmanager
def caddy(folder: Path, ports: list[int]) -> Iterator[int]:
    port = free_port()
    text = example(CADDY, _instances(ports) | {"drive.example.org {": f"http://127.0.0.1:{port} {{"})
    with running_caddy(folder, text, port):
        yield port


PROXIES: dict[str, Running] = {"nginx": nginx, "haproxy": haproxy, "caddy": caddy}

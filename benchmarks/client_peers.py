"""rclone as a client of other servers, on the same files that our server has."""

import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

from benchmarks.peers import _installed
from benchmarks.server_process import ServerProcess, free_port

_NGINX = """
daemon off; worker_processes 2; pid %(own)s/nginx.pid; error_log %(own)s/error.log;%(user)s
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; client_body_temp_path %(own)s/body;
  proxy_temp_path %(own)s/proxy; fastcgi_temp_path %(own)s/fastcgi; uwsgi_temp_path %(own)s/uwsgi;
  scgi_temp_path %(own)s/scgi;
  server { listen 127.0.0.1:%(port)d; root %(files)s; location / { autoindex on; } }
}
"""


_WEBDAV = ":webdav:"


class RclonePeer:
    """A server, and rclone that reads from it. Use it as a context manager: the server runs for that long."""

    def __init__(self, name: str, process: ServerProcess, rclone: Path, remote: list[str], files: Path) -> None:
        self.name = name
        self.takes_uploads = remote[0] == _WEBDAV
        self._files = files
        self._process = process
        self._rclone = rclone
        self._remote = remote

    def __enter__(self) -> "RclonePeer":
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stop()

    def list_tree(self) -> tuple[float, float]:
        """Seconds, and the largest memory of any rclone so far."""
        return self._timed("lsf", "-R", "--checkers", "32", f"{self._remote[0]}tree")

    def copy(self, path: str, target: Path) -> tuple[float, float]:
        source = f"{self._remote[0]}{path}"
        return self._timed("copy", "--transfers", "16", "--checkers", "16", source, str(target))

    def upload(self, path: str) -> tuple[float, float]:
        """Upload it to a separate folder of the server, which is then removed."""
        target = f"{self._remote[0]}uploaded"
        try:
            return self._timed("copy", "--transfers", "16", "--checkers", "16", str(self._files / path), target)
        finally:
            shutil.rmtree(self._files / "uploaded", ignore_errors=True)

    def _timed(self, *arguments: str) -> tuple[float, float]:
        began = time.perf_counter()
        command = [str(self._rclone), "--config", "/dev/null", "--tpslimit", "0", *arguments, *self._remote[1:]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024.0


def rclone_peers(folder: Path) -> tuple[list[RclonePeer], list[str]]:
    """Return the peers that were found, and a sentence about each that was not."""
    files, missing = folder / "files", []
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    binaries = _installed(folder / "venv")
    if binaries is None:
        return [], ["copyparty and rclone could not be installed"]
    rclone = binaries / "rclone"
    found = [_served_by_rclone(files, rclone), _served_by_copyparty(files, folder, binaries)]
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if nginx is None:
        missing.append("nginx was not found: apt-get install nginx-light")
    else:
        found.append(_served_by_nginx(files, folder / "nginx", rclone, nginx))
    return found, missing


def _served_by_rclone(files: Path, rclone: Path) -> RclonePeer:
    port = free_port()
    command = [str(rclone), "serve", "webdav", str(files), "--addr", f"127.0.0.1:{port}", "--config", "/dev/null"]
    return RclonePeer("rclone on rclone", ServerProcess(command, port), rclone, _webdav(port), files)


def _served_by_copyparty(files: Path, own: Path, binaries: Path) -> RclonePeer:
    port = free_port()
    command = [str(binaries / "copyparty"), "-q", "-i", "127.0.0.1", "-p", str(port), "-v", f"{files}::rwd"]
    command += ["--hist", str(own / "copyparty-history")]
    process = ServerProcess(command, port, env={"XDG_CONFIG_HOME": str(own)})
    return RclonePeer("rclone on copyparty", process, binaries / "rclone", _webdav(port), files)


def _served_by_nginx(files: Path, own: Path, rclone: Path, nginx: str) -> RclonePeer:
    own.mkdir()
    port = free_port()
    user = " user root;" if os.geteuid() == 0 else ""
    (own / "nginx.conf").write_text(_NGINX % {"own": own, "files": files, "port": port, "user": user})
    process = ServerProcess([nginx, "-c", str(own / "nginx.conf"), "-p", str(own)], port)
    return RclonePeer("rclone on nginx", process, rclone, [":http:", "--http-url", f"http://127.0.0.1:{port}"], files)


def _webdav(port: int) -> list[str]:
    # Its own pause between calls is for servers far away.
    url = ["--webdav-url", f"http://127.0.0.1:{port}", "--webdav-vendor", "other", "--webdav-pacer-min-sleep", "0"]
    return [_WEBDAV, *url]

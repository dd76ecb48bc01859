"""What the tests of the server share: a server with a report, and clients that talk to it."""
import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from cases import LIMIT_S, Skipped, case, main, stop, wait_until  # noqa: F401  # for the files with cases

tlparse = None  # the path of the program
RECORD = 'V0101 12:00:00.000000 7 torch/a.py:1] {"%s": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0%s}\n'
SANITIZED = any(name in os.environ for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"))
# All of 127.0.0.0/8 is this machine. Nobody else uses the ports of this address, so that a case may depend on which are free.
OWN_ADDRESS = f"127.{100 + (os.getpid() >> 16) % 100}.{(os.getpid() >> 8) % 256}.{1 + os.getpid() % 250}"


def as_from_a_terminal():
    """Signals as an interactive shell leaves them, however this script was started."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def call(*arguments):
    return subprocess.run([tlparse, *arguments], capture_output=True, timeout=LIMIT_S)


class Server:
    """tlparse --serve with a log of two ranks; ends with the `with` block, by SIGINT."""

    def __init__(self, *arguments, out="out", port=0, before=as_from_a_terminal):
        Path("log").write_text(RECORD % ("start", ', "rank": 0') + RECORD % ("start", ', "rank": 1'))
        self.out = Path(out)
        self.errors = open("stderr", "w+b")
        port = [] if port is None else ["--port", str(port)]
        self.process = subprocess.Popen(
            [tlparse, "log", "-o", out, "--serve", *port, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors, preexec_fn=before, env={**os.environ, "DISPLAY": ":77", "BROWSER": "/bin/false"})
        self.read_address()

    def read_address(self):
        """Waits until the server answers."""
        self.first = self.line()
        found = re.fullmatch(r"Serving (.*) at http://(.*):(\d+)/\n", self.first)
        assert found, (self.first, self.said())
        self.folder, self.host, self.port = found[1], found[2], int(found[3])
        self.address = self.host if self.host.startswith("127.") else "127.0.0.1"
        assert self.line() == "Press Ctrl+C to stop\n"

    def line(self):
        return self.process.stdout.readline().decode()

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def end(self, number=signal.SIGINT):
        status = stop(self.process, number)
        assert self.process.stdout.read() == b""
        assert status == 0, (status, self.said())
        assert not re.search(r"(?m)^\[\w+\] ", self.said()), self.said() # messages of libevent

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None and error[0]:
            self.process.kill()
        elif self.process.poll() is None:
            self.end()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    # -- clients

    def connect(self):
        return socket.create_connection((self.address, self.port), LIMIT_S)

    def client(self):
        return http.client.HTTPConnection(self.address, self.port, timeout=LIMIT_S)

    def ask(self, path, method="GET", body=None, client=None, **headers):
        """The response; its body is in .body."""
        own = client or self.client()
        own.request(method, path, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()})
        response = own.getresponse()
        response.body = response.read()
        if not client:
            own.close()
        return response

    def request(self, path, *headers, method="GET"):
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}", *headers, "", ""]
        return "\r\n".join(lines).encode()

    def raw(self, text, end_writing=False):
        """Reads until the server closes the connection."""
        with self.connect() as client:
            client.sendall(text if isinstance(text, bytes) else text.encode())
            if end_writing:
                client.shutdown(socket.SHUT_WR)
            return read_all(client)

    def raw_status(self, target, host=None, method="GET", version="HTTP/1.1"):
        host = f"127.0.0.1:{self.port}" if host is None else host
        target = target if isinstance(target, bytes) else target.encode()
        head = f" {version}\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        answer = self.raw(method.encode() + b" " + target + head)
        assert b"secret" not in answer, answer
        return int(answer.split(b" ")[1]) if answer else None

    def memory_kib(self):
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", text)[1])

    def has_not_grown(self, before_kib, by_kib=8_000):
        grown = self.memory_kib() - before_kib
        assert SANITIZED or grown < by_kib, grown # sanitizers keep freed memory

    def rests(self):
        """Whether the server waits. One that is busy is in another state, even while the kernel runs something else."""
        for _ in range(20):
            if Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "S":
                return False
            time.sleep(0.01)
        return True

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def read_all(client):
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(1 << 20):
            parts.append(part)
    return b"".join(parts)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path

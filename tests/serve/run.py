#!/usr/bin/env python3
"""The report over HTTP: `tlparse --serve` with browsers, other programs and attackers as clients.

    run.py [--tlparse build/tlparse] [--list] [NAME...]     run the cases whose names begin with NAME

Everything happens on the loopback interface, on free ports. Each case has its own report and server, which must end with
exit status 0 and without messages of libevent. The last line is `N passed, N failed, N skipped`.
"""
import contextlib
import email.utils
import http.client
import os
import re
import resource
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from cases import Skipped, case, main, stop  # noqa: E402

TLPARSE = None
LIMIT_S = 60
RECORD = 'V0101 12:00:00.000000 7 torch/a.py:1] {"%s": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0%s}\n'
SANITIZED = any(name in os.environ for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"))


# ---- a server


def as_from_a_terminal():
    """Signals as an interactive shell leaves them, however this script was started."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def call(*arguments):
    return subprocess.run([TLPARSE, *arguments], capture_output=True, timeout=LIMIT_S)


class Server:
    """tlparse --serve with a log of two ranks; ends with the `with` block, by SIGINT."""

    def __init__(self, *arguments, out="out", port=0, before=as_from_a_terminal, wait=True):
        Path("log").write_text(RECORD % ("start", ', "rank": 0') + RECORD % ("start", ', "rank": 1'))
        self.out = Path(out)
        self.errors = open("stderr", "w+b")
        port = [] if port is None else ["--port", str(port)]
        self.process = subprocess.Popen(
            [TLPARSE, "log", "-o", out, "--serve", *port, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors, preexec_fn=before, env={**os.environ, "DISPLAY": ":77", "BROWSER": "/bin/false"})
        self.first = self.line() if wait else ""
        found = re.fullmatch(r"Serving (.*) at http://(.*):(\d+)/\n", self.first)
        self.folder, self.host, self.port = (found[1], found[2], int(found[3])) if found else (None, None, 0)
        if wait:
            assert found, (self.first, self.said())
            assert self.line() == "Press Ctrl+C to stop\n"

    def line(self):
        return self.process.stdout.readline().decode()

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def end(self, number=signal.SIGINT):
        status = stop(self.process, number, LIMIT_S)
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
        return socket.create_connection(("127.0.0.1", self.port), LIMIT_S)

    def client(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)

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

    def cpu_s(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def read_all(client):
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(1 << 20):
            parts.append(part)
    return b"".join(parts)


def wait_until(condition, limit_s=LIMIT_S):
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# ---- what is served


@case
def serves_the_report():
    with Server() as server:
        assert server.host == "127.0.0.1" and server.folder == "out"
        for path in ("/", "/index.html", "/rank_1/", "/rank_1/index.html", "/report.json"):
            answer = server.ask(path)
            local = server.out / (path[1:] + ("index.html" if path.endswith("/") else ""))
            assert answer.status == 200, (path, answer.status)
            assert answer.body == local.read_bytes()
            assert int(answer.headers["Content-Length"]) == len(answer.body)
        said = server.said()
        assert "opened in the browser" not in said and "warning" not in said, said


@case
def every_file_of_the_report_can_be_read():
    with Server() as server:
        client, count = server.client(), 0
        for file in sorted(server.out.rglob("*")):
            if file.is_file():
                path = "/" + str(file.relative_to(server.out))
                answer = server.ask(path, client=client)
                assert (answer.status, answer.body) == (200, file.read_bytes()), path
                count += 1
        assert count > 10


@case
def gives_types_and_headers():
    types = {
        "x.html": "text/html; charset=utf-8", "x.css": "text/css; charset=utf-8",
        "x.JS": "text/javascript; charset=utf-8", "x.json": "application/json; charset=utf-8",
        "x.jsonl": "text/plain; charset=utf-8", "x.txt": "text/plain; charset=utf-8",
        "x.log": "text/plain; charset=utf-8", "x.py": "text/plain; charset=utf-8",
        "x.svg": "image/svg+xml; charset=utf-8", "x.png": "image/png", "x.jpg": "image/jpeg", "x.gif": "image/gif",
        "x.ico": "image/x-icon", "x.wasm": "application/wasm", "x.bin": "application/octet-stream",
        "x": "application/octet-stream",
    }
    with Server() as server:
        for name, mime in types.items():
            write(server.out / name, "content")
            answer = server.ask("/" + name)
            assert answer.headers["Content-Type"] == mime, (name, answer.headers["Content-Type"])
        for path, method in (("/x.txt", "GET"), ("/missing", "GET"), ("/x.txt", "POST"), ("/rank_1", "GET"),
                             ("/x.txt", "HEAD")):
            headers = server.ask(path, method).headers
            assert headers["X-Content-Type-Options"] == "nosniff", path
            assert headers["Referrer-Policy"] == "no-referrer"
            assert headers["Cache-Control"] == "no-cache"
            assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert headers["Access-Control-Allow-Origin"] is None
            assert headers["Content-Type"]
            assert abs(email.utils.parsedate_to_datetime(headers["Date"]).timestamp() - time.time()) < 60
        assert server.ask("/x.txt").headers["Accept-Ranges"] == "bytes"


@case
def reads_names_as_they_are():
    names = [
        "ünïcode 😀.txt", "a b+c.txt", "100%.txt", "q?.txt", "h#.txt", "back\\slash.txt", "semi;colon&.txt",
        "quote'\".txt", "-_0_0_0/x.txt", "<script>.txt", "a:b.txt", "x..y.txt", "%41.txt",
    ]
    with Server() as server:
        for name in names:
            write(server.out / name, name)
            all_encoded = "/".join("".join(f"%{byte:02X}" for byte in part.encode()) for part in name.split("/"))
            for path in ("/" + quote(name), "/" + all_encoded):
                answer = server.ask(path)
                assert (answer.status, answer.body.decode()) == (200, name), (path, answer.status)
        assert server.ask("/a%20b%2Bc.txt").status == 200
        assert server.ask("/a+b+c.txt").status == 404


@case
def leaves_queries_out():
    with Server() as server:
        index = (server.out / "index.html").read_bytes()
        for path in ("/?", "/?x=1", "/index.html?x=1", "/index.html?", "/index.html?a=/../b&c=%zz?d",
                     "/?../../etc/passwd"):
            answer = server.ask(path)
            assert (answer.status, answer.body) == (200, index), path


@case
def adds_the_slash_of_a_folder():
    with Server() as server:
        write(server.out / "ä b:c/index.html", "inner")
        write(server.out / "bare/file.txt", "x")
        for path, place in (("/rank_1", "./rank_1/"), ("/rank_1?x=%201", "./rank_1/?x=%201"),
                            ("/%C3%A4%20b:c", "./%C3%A4%20b%3Ac/")):
            answer = server.ask(path)
            assert (answer.status, answer.headers["Location"]) == (302, place), (path, answer.headers["Location"])
            assert server.ask(path, "HEAD").headers["Location"] == place
        assert server.ask("/%C3%A4%20b%3Ac/").body == b"inner"
        for path in ("/bare", "/bare/", "/bare/file.txt/", "/index.html/", "/assets", "/assets/"):
            answer = server.ask(path)
            assert answer.status == 404 and b"file.txt" not in answer.body, path


# ---- methods, conditions, ranges


@case
def answers_head():
    with Server() as server:
        client = server.client()
        for path in ("/", "/missing", "/rank_1", "/report.json"):
            got, head = server.ask(path, client=client), server.ask(path, "HEAD", client=client)
            assert got.status == head.status and head.body == b"" and got.body
            for name in ("Content-Length", "Content-Type", "ETag", "Last-Modified", "Location"):
                assert got.headers[name] == head.headers[name], (path, name)
        assert server.ask("/", "HEAD", Range="bytes=0-3").status == 200
        raw = server.raw(server.request("/", "Connection: close", method="HEAD"))
        assert raw.endswith(b"\r\n\r\n") and raw.count(b"\r\n\r\n") == 1


@case
def refuses_other_methods():
    with Server() as server:
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
            answer = server.ask("/", method, body=b"x" * 1000 if method in ("POST", "PUT", "PATCH") else None)
            assert answer.status == 405, (method, answer.status)
            assert answer.headers["Allow"] == "GET, HEAD"
        assert server.raw_status("*", method="OPTIONS") == 405
        for method in ("get", "BREW"):
            assert server.raw_status("/", method=method) == 405, method
        with server.connect() as client:
            client.sendall(f"CONNECT evil.com:80 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            assert client.recv(1000).startswith(b"HTTP/1.1 4")
        before = server.memory_kib()
        with server.connect() as client: # a large body is not taken in
            client.sendall(server.request("/", "Content-Length: 5000000000", method="POST"))
            with contextlib.suppress(OSError):
                for _ in range(200):
                    client.sendall(b"x" * 100_000)
            assert b" 413 " in read_all(client)
        with server.connect() as client:
            with contextlib.suppress(OSError):
                client.sendall(server.request("/", "Transfer-Encoding: chunked", method="POST"))
                for _ in range(200):
                    client.sendall(b"186a0\r\n" + b"x" * 100_000 + b"\r\n")
        server.has_not_grown(before)
        assert server.ask("/").status == 200


@case
def says_what_has_not_changed():
    with Server() as server:
        file = write(server.out / "x.txt", "content")
        first = server.ask("/x.txt")
        tag, date = first.headers["ETag"], first.headers["Last-Modified"]
        assert re.fullmatch(r'"[^"]+"', tag)
        assert email.utils.parsedate_to_datetime(date).timestamp() == int(file.stat().st_mtime)
        later = email.utils.formatdate(time.time() + 1000, usegmt=True)
        earlier = email.utils.formatdate(file.stat().st_mtime - 1000, usegmt=True)
        client = server.client()
        for headers, status in (
            ({"If-None-Match": tag}, 304), ({"If-None-Match": "W/" + tag}, 304),
            ({"If-None-Match": f'"a", {tag}'}, 304), ({"If-None-Match": "*"}, 304), ({"If-None-Match": '"a"'}, 200),
            ({"If-Modified-Since": date}, 304), ({"If-Modified-Since": later}, 304),
            ({"If-Modified-Since": earlier}, 200), ({"If-Modified-Since": "x"}, 200),
            ({"If-None-Match": '"a"', "If-Modified-Since": date}, 200), ({"If-Match": '"a"'}, 412),
            ({"If-Match": tag}, 200), ({"If-Unmodified-Since": earlier}, 412),
            ({"If-None-Match": tag, "Range": "bytes=0-1"}, 304),
        ):
            for method in ("GET", "HEAD"):
                answer = server.ask("/x.txt", method, client=client, **headers)
                assert answer.status == status, (headers, answer.status)
                if status == 304:
                    assert answer.body == b"" and answer.headers["ETag"] == tag and not answer.headers["Content-Type"]
        file.write_text("changed")
        assert server.ask("/x.txt", **{"If-None-Match": tag}).body == b"changed"


@case
def sends_ranges():
    content = os.urandom(100_000)
    with Server() as server:
        write(server.out / "x.bin", content)
        write(server.out / "empty.bin", b"")
        client, size = server.client(), len(content)
        first = server.ask("/x.bin", client=client)
        tag, date = first.headers["ETag"], first.headers["Last-Modified"]
        assert first.body == content
        for asked, start, end in (("0-0", 0, 1), ("10-19", 10, 20), ("99990-", 99990, size), ("-7", size - 7, size),
                                  ("-1000000", 0, size), ("50000-999999999999999999999", 50000, size), ("0-", 0, size)):
            for extra in ({}, {"If-Range": tag}, {"If-Range": date}):
                answer = server.ask("/x.bin", client=client, Range="bytes=" + asked, **extra)
                assert answer.status == 206 and answer.body == content[start:end], asked
                assert answer.headers["Content-Range"] == f"bytes {start}-{end - 1}/{size}"
                assert int(answer.headers["Content-Length"]) == end - start
                assert answer.headers["ETag"] == tag
        for asked in (f"{size}-", "999999999999999999999999-", "-0"):
            answer = server.ask("/x.bin", client=client, Range="bytes=" + asked)
            assert (answer.status, answer.headers["Content-Range"]) == (416, f"bytes */{size}"), asked
        assert server.ask("/empty.bin", client=client, Range="bytes=0-").status == 416
        empty = server.ask("/empty.bin", client=client)
        assert (empty.status, empty.body, empty.headers["Content-Length"]) == (200, b"", "0")
        for asked in ("bytes=5-2", "bytes=0-1,4-5", "lines=1-2", "bytes=x", "bytes"):
            answer = server.ask("/x.bin", client=client, Range=asked)
            assert answer.status == 200 and answer.body == content, asked
        for other in ('"other"', "W/" + tag, "Mon, 01 Jan 2001 00:00:00 GMT"):
            assert server.ask("/x.bin", client=client, Range="bytes=0-1", **{"If-Range": other}).status == 200, other


# ---- everything else is refused


@case
def stays_inside_the_report():
    write(Path("secret.txt"), "secret")
    outside = os.path.abspath("secret.txt")
    with Server() as server:
        os.symlink("../secret.txt", server.out / "link.txt")
        os.symlink("..", server.out / "up")
        os.symlink("/", server.out / "root")
        os.symlink("index.html", server.out / "inner.html")
        write(server.out / ".hidden", "secret")
        write(server.out / ".git/config", "secret")
        os.mkfifo(server.out / "pipe.txt")
        targets = [
            "/../secret.txt", "/rank_1/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2e%2Fsecret.txt",
            "/..%2fsecret.txt", "/.%2e/secret.txt", "/rank_1/%2e%2e/%2e%2e/secret.txt", "/..\\secret.txt",
            "/..%5csecret.txt", "/%5c..%5csecret.txt", "//secret.txt", "/" + outside, "/%2f" + outside, outside,
            "/%252e%252e/secret.txt", "/./../secret.txt", "/....//secret.txt", "/..;/secret.txt",
            "/%c0%ae%c0%ae/secret.txt", "/%u002e%u002e/secret.txt", "/..%00/secret.txt", "/../secret.txt%00.html",
            "/link.txt", "/up/secret.txt", "/up/", "/up", "/root" + outside, "/inner.html", "/.hidden", "/%2ehidden",
            "/.git/config", "/rank_1/./x", "/rank_1//index.html", "/pipe.txt", "/proc/self/environ", "/dev/zero",
            "secret.txt", "../secret.txt", "file://" + outside, f"http://127.0.0.1:{server.port}/../secret.txt",
            "?../secret.txt", "/index.html%00.txt", "/%", "/%4", "/%gg", "/index.html%ff", "/" + "x" * 300,
            "/" + "a/" * 2000, "/" + "../" * 500 + outside, b"/\xff", b"/a\x00b", b"/index.html\x00",
            b"/index.html\xc3\x28", "/ind\tex.html", "/index.html#x",
        ]
        for target in targets:
            status = server.raw_status(target)
            assert status in (400, 404, None), (target, status)
        for target, status in (
            ("/index.html%00", 400), ("/%", 400), ("/%zz", 400), ("/a%ffb", 400), ("/../x", 404), ("/%2e%2e/x", 404),
            ("/..%2fx", 404), ("/link.txt", 404), ("/.hidden", 404), ("/pipe.txt", 404), ("relative", 400),
        ):
            assert server.raw_status(target) == status, (target, server.raw_status(target))
        for version in ("HTTP/1.0", "HTTP/9.9", "HTTP", "", "HTTP/1.1x"):
            server.raw_status("/../secret.txt", version=version)
        assert server.ask("/").status == 200


@case
def answers_to_its_own_names_only():
    with Server() as server:
        port = server.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}", f"LOCALHOST:{port}"):
            assert server.raw_status("/", host) == 200, host
        for host in (
            "evil.com", f"evil.com:{port}", f"127.0.0.1.evil.com:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}",
            f"127.0.0.2:{port}", f"localhost.:{port}", f"evil@127.0.0.1:{port}", f"192.168.0.1:{port}", "localhost:",
            f"127.0.0.1:{port}, evil.com", f"evil.com, 127.0.0.1:{port}", f"0.0.0.0:{port}", "",
            f"{socket.gethostname()}.x:{port}",
        ):
            assert server.raw_status("/", host) == 421, (host, server.raw_status("/", host))
            assert server.raw_status("/missing", host, method="POST") == 421, host
        assert f"http://127.0.0.1:{port}/" in server.raw("GET / HTTP/1.0\r\nHost: evil.com\r\n\r\n").decode()
        own = f"Host: 127.0.0.1:{port}\r\n"
        for head, status in (
            (f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n{own}", 200),
            (f"GET http://evil.com/ HTTP/1.1\r\n{own}", 421),
            (f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: evil.com\r\n", 421),
            (f"GET http://x@127.0.0.1:{port}/ HTTP/1.1\r\n{own}", 421), (f"GET / HTTP/1.1\r\n{own}{own}", 400),
            (f"GET / HTTP/1.1\r\n{own}hOST: evil.com\r\n", 400), ("GET / HTTP/1.1\r\n", 400),
            ("GET / HTTP/1.0\r\n", 400),
        ):
            answer = server.raw(head + "Connection: close\r\n\r\n")
            assert int(answer.split(b" ")[1]) == status, (head, answer)


@case
def listens_on_loopback_only():
    with Server() as server:
        table = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        places = re.findall(rf"(?m)^ *\d+: (\w+):{server.port:04X} \w+:0000 0A ", table)
        assert places == ["0100007F"], places
    with Server("--overwrite", "--host", "0.0.0.0") as server: # the message in this case
        assert "warning" in server.said() and f":{server.port}/" in server.said(), server.said()
        assert server.first.endswith(f"at http://127.0.0.1:{server.port}/\n")
        for host, status in (
            (f"127.0.0.1:{server.port}", 200), (f"{socket.gethostname()}:{server.port}", 200),
            (f"192.168.7.7:{server.port}", 200), (f"evil.com:{server.port}", 421),
        ):
            assert server.raw_status("/", host) == status, host
    with Server("--overwrite", "--host", "127.0.0.5") as server:
        assert "warning" not in server.said() and server.host == "127.0.0.5"
        with socket.create_connection(("127.0.0.5", server.port)) as client:
            client.sendall(f"GET / HTTP/1.0\r\nHost: 127.0.0.5:{server.port}\r\n\r\n".encode())
            assert b" 200 OK\r\n" in read_all(client)


@case
def listens_on_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as error:
        raise Skipped("this machine has no ::1") from error
    with Server("--host", "::1") as server:
        assert server.host == "[::1]" and "warning" not in server.said()
        with socket.create_connection(("::1", server.port)) as client:
            client.sendall(f"GET / HTTP/1.0\r\nHost: [::1]:{server.port}\r\n\r\n".encode())
            assert b" 200 OK\r\n" in read_all(client)


# ---- many, large, slow


@case
def serves_many_clients_at_once():
    content = os.urandom(300_000)
    with Server() as server:
        write(server.out / "x.bin", content)
        selector, clients = selectors.DefaultSelector(), []
        before, memory = server.descriptors(), server.memory_kib()
        for number in range(200): # all open before the first is read
            client = server.connect()
            clients.append([client, b""])
            client.sendall(server.request(f"/x.bin?{number}", "Connection: close"))
            selector.register(client, selectors.EVENT_READ, clients[-1])
        left = len(clients)
        while left:
            ready = selector.select(LIMIT_S)
            assert ready, f"{left} clients are never answered"
            for key, _ in ready:
                part = key.fileobj.recv(1 << 16)
                key.data[1] += part
                if not part:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    left -= 1
        for _, got in clients:
            head, body = got.split(b"\r\n\r\n", 1)
            assert head.startswith(b"HTTP/1.1 200 OK") and body == content
        wait_until(lambda: server.descriptors() <= before)
        server.has_not_grown(memory, 20_000)


@case
def serves_threads_that_keep_connections():
    with Server() as server:
        expected, wrong = {}, []
        paths = ["/", "/report.json", "/missing", "/rank_1/"]
        for path in paths:
            expected[path] = server.ask(path).body

        def work():
            client = server.client()
            for n in range(50):
                path = paths[n % len(paths)]
                if server.ask(path, client=client).body != expected[path]:
                    wrong.append(path)

        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT_S)
        assert not wrong, wrong


@case
def answers_at_once_on_a_kept_connection():
    """No answer waits for a delayed acknowledgement (40 ms each)."""
    with Server() as server:
        write(server.out / "x.txt", "x" * 100)
        client, took = server.client(), []
        for _ in range(100):
            start = time.monotonic()
            server.ask("/x.txt", client=client)
            took.append(time.monotonic() - start)
        # After the first few, which the kernel acknowledges immediately, all would wait; a few may on a busy machine.
        assert statistics.median(took) < 0.04, took


@case
def streams_large_files():
    size = 300 << 20
    with Server() as server:
        with open(server.out / "big.log", "wb") as file:
            file.truncate(size)
            file.seek(size - 6)
            file.write(b"at end")
        server.ask("/")
        before = server.memory_kib()
        with server.connect() as client:
            client.sendall(server.request("/big.log", "Connection: close"))
            got, last, buffer = 0, b"", bytearray(1 << 20)
            while count := client.recv_into(buffer):
                got += count
                last = (last + bytes(buffer[max(0, count - 6):count]))[-6:]
        assert size < got < size + 2000 and last == b"at end", got
        answer = server.ask("/big.log", Range=f"bytes={size - 6}-")
        assert (answer.status, answer.body) == (206, b"at end")
        idle = [server.connect() for _ in range(20)] # and a client that requests all of it, but reads nothing
        for client in idle:
            client.sendall(server.request("/big.log"))
        assert server.ask("/").status == 200
        server.has_not_grown(before)
        for client in idle:
            client.close()
        assert server.ask("/").status == 200


@case
def knows_files_beyond_4_gib():
    size = (5 << 30) + 7
    with Server() as server:
        try:
            with open(server.out / "huge.bin", "wb") as file:
                file.truncate(size)
                file.seek(size - 3)
                file.write(b"end")
        except OSError as error:
            raise Skipped("no room for a sparse file of 5 GiB") from error
        assert server.ask("/huge.bin", "HEAD").headers["Content-Length"] == str(size)
        answer = server.ask("/huge.bin", Range="bytes=-5")
        assert (answer.status, answer.body) == (206, b"\0\0end")
        assert answer.headers["Content-Range"] == f"bytes {size - 5}-{size - 1}/{size}"


@case
def is_not_held_up_by_slow_clients():
    with Server() as server:
        file = write(server.out / "x.bin", os.urandom(20 << 20))
        beginnings = (b"", b"G", b"GET /x.bin HTTP/1.1\r\nHost: lo", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20)
        slow = [server.connect() for _ in range(100)]
        for number, client in enumerate(slow):
            client.sendall(beginnings[number % 4])
        reader = server.connect()
        reader.sendall(server.request("/x.bin", "Connection: close"))
        for _ in range(20):
            assert server.ask("/").status == 200
        for byte in f"calhost:{server.port}\r\nConnection: close\r\n\r\n".encode():
            slow[2].sendall(bytes([byte]))
            time.sleep(0.002)
        for client in (slow[2], reader):
            got = b""
            while part := client.recv(500_000): # in pieces, with pauses
                got += part
                time.sleep(0.003)
            assert got.split(b"\r\n\r\n", 1)[1] == file.read_bytes()
        for client in slow:
            client.close()


@case
def answers_requests_that_come_together():
    with Server() as server:
        write(server.out / "a.txt", "content of a")
        three = b"".join(server.request(path, method=method)
                         for method, path in (("GET", "/a.txt?x"), ("HEAD", "/a.txt"), ("GET", "/no")))
        answer = server.raw(three * 20 + server.request("/a.txt", "Connection: close"))
        assert answer.count(b"HTTP/1.1 200 OK") == 41 and answer.count(b"HTTP/1.1 404 Not Found") == 20
        assert answer.count(b"content of a") == 21
        assert server.raw(f"GET /a.txt HTTP/1.0\r\nHost: localhost:{server.port}\r\n\r\n").endswith(b"content of a")


@case
def answers_who_has_closed_its_half():
    with Server() as server:
        for size, times in ((100, 200), (5_000_000, 10)):
            write(server.out / "x.bin", b"x" * size)
            for _ in range(times):
                answer = server.raw(server.request("/x.bin", "Connection: close"), end_writing=True)
                assert len(answer.split(b"\r\n\r\n", 1)[1]) == size


@case
def takes_in_nothing_while_it_sends():
    """A client that keeps sending requests without reading must wait."""
    with Server() as server:
        write(server.out / "x.bin", b"x" * (30 << 20))
        before = server.memory_kib()
        with server.connect() as client:
            client.settimeout(2)
            asked = server.request("/x.bin") * 1000
            with contextlib.suppress(TimeoutError):
                for _ in range(1000):
                    client.sendall(asked)
                raise AssertionError("it takes everything")
        server.has_not_grown(before)
        assert server.ask("/").status == 200


@case
def bounds_what_it_takes_in():
    with Server() as server:
        before = server.memory_kib()
        for head in (
            b"GET /" + b"x" * 3_000_000, b"GET / HTTP/1.1\r\nX: " + b"y" * 3_000_000,
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500_000, b"\0" * 3_000_000, b"\r\n" * 1_000_000,
            b"GET / HTTP/1.1\r\n" + b" folded\r\n" * 300_000,
        ):
            with server.connect() as client:
                with contextlib.suppress(OSError):
                    client.sendall(head)
                client.settimeout(2)
                with contextlib.suppress(OSError):
                    answer = client.recv(1000)
                    assert not answer or b" 400 " in answer or b" 413 " in answer or b" 431 " in answer, answer
        server.has_not_grown(before)
        assert server.ask("/").status == 200


@case
def survives_clients_that_go_away():
    with Server() as server:
        write(server.out / "x.bin", b"x" * (4 << 20))
        before = server.descriptors()
        for number in range(100):
            client = server.connect()
            client.sendall(server.request("/x.bin")[: 1000 if number % 3 else 20])
            if number % 3 and number % 2:
                client.recv(1000)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0") # RST
            client.close()
        assert server.ask("/").status == 200
        wait_until(lambda: server.descriptors() <= before)


@case
def ends_an_answer_when_its_file_is_cut():
    with Server() as server:
        file = write(server.out / "x.bin", b"x" * (30 << 20))
        with server.connect() as client:
            client.sendall(server.request("/x.bin"))
            client.recv(1000)
            os.truncate(file, 1000)
            assert len(read_all(client)) < 30 << 20
        assert server.ask("/x.bin").body == b"x" * 1000


@case
def waits_when_there_are_no_descriptors():
    def few():
        as_from_a_terminal()
        resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))

    with Server(before=few) as server:
        clients = [server.connect() for _ in range(100)]
        time.sleep(0.3)
        start = server.cpu_s()
        time.sleep(1)
        assert server.cpu_s() - start < 0.5, "it spins"
        assert server.process.poll() is None
        for client in clients:
            client.close()
        assert server.ask("/").status == 200


# ---- ports, signals, the folder


@case
def takes_the_first_port_that_is_free():
    with Server(port=None) as first:
        assert 8000 <= first.port <= 8099, first.port
        with Server(out="out2", port=None) as second:
            assert first.port < second.port <= 8099
        done = call("log", "-o", "out3", "--serve", "--port", str(first.port))
        assert done.returncode == 1 and done.stdout == b"", done
        assert f"port {first.port}: Address already in use" in done.stderr.decode(), done.stderr
        assert Path("out3/index.html").exists()


@case
def says_when_no_port_is_free():
    held = []
    for port in range(8000, 8100):
        with contextlib.suppress(OSError):
            held.append(socket.create_server(("127.0.0.1", port)))
    Path("log").write_text(RECORD % ("start", ""))
    done = call("log", "--serve")
    for server in held:
        server.close()
    assert done.returncode == 1 and b"no port from 8000 to 8099 is free" in done.stderr, done
    done = call("log", "-o", "other", "--serve", "--host", "no.such.host.invalid")
    assert done.returncode == 1 and b"no.such.host.invalid" in done.stderr, done
    for wrong in (["--port", "65536"], ["--port", "x"], ["--port"], ["--host"]):
        assert call("log", "--serve", *wrong).returncode == 2, wrong


@case
def can_have_the_port_again_at_once():
    with Server() as server:
        port = server.port
        client = server.connect() # the server closes it first, which leaves TIME_WAIT
        assert server.ask("/").status == 200
    client.close()
    with Server("--overwrite", port=port) as server:
        assert server.port == port and server.ask("/").status == 200


@case
def ends_by_signals():
    for number in (signal.SIGINT, signal.SIGTERM):
        with Server("--overwrite") as server:
            write(server.out / "x.bin", b"x" * (30 << 20))
            idle, busy = server.connect(), server.connect()
            busy.sendall(server.request("/x.bin"))
            busy.recv(1000)
            (server.out / "x.bin").unlink()
            server.end(number)
            for client in (idle, busy):
                read_all(client)
                client.close()
            assert server.out.joinpath("index.html").exists()
    with Server("--overwrite") as server: # a closed terminal ends it as usual
        server.process.send_signal(signal.SIGHUP)
        assert server.process.wait(LIMIT_S) == -signal.SIGHUP


@case
def serves_only_what_is_good():
    Path("log").write_text(RECORD % ("start", "") + "V0101 12:00:00.000000 7 torch/a.py:1] {bad json}\n")
    done = call("log", "--serve", "--strict")
    assert done.returncode == 1 and done.stdout == b"", done
    done = call("missing.log", "--serve", "-o", "none")
    assert done.returncode == 1 and done.stdout == b"" and not Path("none").exists(), done


@case
def serves_a_report_that_takes_the_place():
    with Server() as server:
        tag = server.ask("/report.json").headers["ETag"]
        Path("log2").write_text(RECORD % ("start", "") + RECORD % ("str", ""))
        done = call("log2", "-o", "out", "--overwrite", "--no-browser")
        assert done.returncode == 0, done
        answer = server.ask("/raw.log", **{"If-None-Match": tag})
        assert (answer.status, answer.body) == (200, Path("log2").read_bytes())
        assert server.ask("/rank_1/").status == 404


@case
def makes_its_messages_harmless():
    with Server(out="out\x1b[31m") as server:
        assert server.folder == "out\\x1b[31m", server.first
        assert server.ask("/").status == 200


# ---- the command serve


class Site(Server):
    """tlparse serve with reports; ends with the `with` block, by SIGINT."""

    def __init__(self, *paths, port=0, browser="/bin/false"):
        self.errors = open("stderr", "w+b")
        self.process = subprocess.Popen(
            [TLPARSE, "serve", *map(str, paths), "--port", str(port), *([] if browser != "/bin/false" else ["--no-browser"])],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=as_from_a_terminal,
            env={**os.environ, "DISPLAY": ":77", "BROWSER": browser})
        self.first = self.line()
        found = re.fullmatch(r"Serving (.*) at http://(.*):(\d+)/\n", self.first)
        assert found, (self.first, self.said())
        self.folder, self.host, self.port = found[1], found[2], int(found[3])
        assert self.line() == "Press Ctrl+C to stop\n"

    def links(self):
        """The addresses in the list of reports, in its order."""
        answer = self.ask("/")
        assert answer.status == 200 and answer.headers["Content-Type"] == "text/html; charset=utf-8", answer.status
        return re.findall(r'<tr><td><a href="([^"]*)"', answer.body.decode())


def make_report(path, ranks=1, at=None):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    Path("log").write_text("".join(RECORD % ("start", f', "rank": {rank}') for rank in range(ranks)))
    assert call("log", "-o", str(path), "--no-browser", "--overwrite").returncode == 0
    if at:
        os.utime(path / "report.json", (at, at))
    return path


def refused(*arguments):
    done = call("serve", *map(str, arguments), "--no-browser", "--port", "0")
    assert done.returncode == 2 and not done.stdout, done
    return done.stderr.decode()


@case
def one_report_is_served_as_it_is():
    out = make_report("one")
    with Site("one") as server:
        assert server.folder == "one"
        assert server.ask("/").body == (out / "index.html").read_bytes()
        assert server.ask("/report.json").body == (out / "report.json").read_bytes()
        shutil.rmtree(out)
        assert server.ask("/").status == 404
        make_report("one", ranks=2)
        assert server.ask("/").body == (out / "index.html").read_bytes()
        assert server.ask("/rank_1/").status == 200


@case
def a_folder_is_a_list_of_reports():
    make_report("all/old", at=1_000_000_000)
    make_report("all/deep/down/new", at=1_200_000_000)
    make_report("all/b <i>&\"'", at=1_100_000_000)
    write(Path("all/secret.txt"), "secret")
    write(Path("all/deep/secret/index.html"), "secret")
    make_report("all/.hidden")
    (Path("all") / "link").symlink_to("old")
    with Site("all") as server:
        assert server.links() == ["deep/down/new/", "b%20%3Ci%3E%26%22%27/", "old/"], server.links()
        page = server.ask("/").body.decode()
        assert "<i>" not in page and "Reports in all" in page and "2001-09-09 01:46:40 UTC" in page
        for link in server.links():
            assert server.ask("/" + link).status == 200
            assert server.ask("/" + link + "data/report.js").status == 200
        moved = server.ask("/old")
        assert (moved.status, moved.headers["Location"]) == (302, "./old/")
        for path in ("/secret.txt", "/deep/", "/deep", "/deep/secret/", "/deep/secret/index.html", "/.hidden/", "/link/",
                     "/old/../secret.txt", "/old/..%2fsecret.txt", "/nothing/", "/assets/", "/assets/nothing.js"):
            answer = server.ask(path)
            assert answer.status in (400, 404) and b"secret" not in answer.body, (path, answer.status)
        style = re.search(r'<link rel="stylesheet" href="([^"]*)"', page)[1]
        assert server.ask("/" + style).headers["Content-Type"] == "text/css; charset=utf-8"
        assert server.ask("/", "HEAD").body == b"" and server.ask("/", "POST").status == 405


@case
def the_list_follows_the_folder():
    make_report("all/one", at=1_000_000_000)
    with Site("all") as server:
        assert server.links() == ["one/"]
        make_report("all/two", ranks=2, at=1_100_000_000)
        assert server.links() == ["two/", "one/"]
        assert "<td>2 ranks</td>" not in server.ask("/").body.decode() # two ranks in one log are one run
        make_report("all/one", at=1_200_000_000)
        assert server.links() == ["one/", "two/"]
        (Path("all/two/report.json")).write_text('{"format": ')
        assert "invalid JSON at byte" in server.ask("/").body.decode()
        shutil.rmtree("all/two")
        assert server.links() == ["one/"] and server.ask("/two/").status == 404
        shutil.rmtree("all/one")
        assert server.links() == [] and b"No reports" in server.ask("/").body
        shutil.rmtree("all")
        assert server.links() == []


@case
def several_paths_have_names():
    for path in ("a/tl_out", "b/tl_out", "c"):
        make_report(path if path != "c" else "c/inner")
    with Site("a/tl_out", "b/tl_out", "c") as server:
        assert server.folder == "3 paths"
        assert sorted(server.links()) == ["c/inner/", "tl_out-2/", "tl_out/"], server.links()
        for link in server.links():
            assert server.ask("/" + link).status == 200, link
        assert server.ask("/tl_out-2").headers["Location"] == "./tl_out-2/"
        assert server.ask("/tl_out-3/").status == server.ask("/c/").status == 404


@case
def what_is_no_report_is_refused():
    Path("empty").mkdir()
    Path("trace.log").write_text(RECORD % ("start", ""))
    assert "empty: it is not a report and contains none" in refused("empty")
    assert "it is a file, not the folder of a report\nhint: " in refused("trace.log")
    assert "cannot open none: No such file or directory" in refused("none")
    assert "cannot open tl_out: No such file" in refused()
    make_report("good")
    assert "empty: it is not a report" in refused("good", "empty")


@case
def the_command_opens_a_browser():
    make_report("one")
    write(Path("browser"), '#!/bin/sh\necho "$1" >opened.tmp && mv opened.tmp opened\n').chmod(0o755)
    with Site("one", browser=os.path.abspath("browser")) as server:
        wait_until(lambda: Path("opened").exists())
        assert Path("opened").read_text() == f"http://127.0.0.1:{server.port}/\n"


# ---- running


def use(tlparse, _update):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

#!/usr/bin/env python3
"""The report over HTTP: `tlparse --serve` with browsers, other programs and attackers as clients.
load.py and reports.py have more cases.

    run.py [--tlparse build/tlparse] [--list] [NAME...]     run the cases whose names begin with NAME

Everything happens on the loopback interface, on free ports. Each case has its own report and server, which must end with
exit status 0 and without messages of libevent. The last line is `N passed, N failed, N skipped`.
"""
import contextlib
import email.utils
import os
import re
import signal
import socket
import sys
import time
from pathlib import Path
from urllib.parse import quote

import common
from common import LIMIT_S, OWN_ADDRESS, RECORD, Server, Skipped, call, case, main, read_all, write
import load  # noqa: F401  # adds its cases
import reports  # noqa: F401


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
def there_is_an_icon():
    with Server() as server:
        answer = server.ask("/favicon.ico")
        assert answer.status == 200 and answer.headers["Content-Type"] == "image/svg+xml; charset=utf-8", answer.status
        assert answer.body.startswith(b"<svg ") and len(answer.body) == int(answer.headers["Content-Length"])
        head = server.ask("/favicon.ico", "HEAD")
        assert head.status == 200 and not head.body
        assert server.ask("/rank_1/favicon.ico").status == 404
        write(server.out / "favicon.ico", "own")
        assert server.ask("/favicon.ico").body == b"own"


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
            policy = headers["Content-Security-Policy"].split("; ")
            assert "frame-ancestors 'self'" in policy and policy[0].startswith("default-src 'self' "), path
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
def answers_no_request_within_another():
    """Where two servers may see different ends of a request, a proxy sends what this one takes for a request of its own."""
    with Server() as server:
        write(server.out / "a.txt", "content of a")
        inner = server.request("/a.txt", "Connection: close").decode()
        size = len(inner)
        heads = [f"Content-Length: 0\r\nContent-Length: {size}", f"Content-Length: {size}\r\nContent-Length: 0", f"Content-Length: 0, {size}",
                 f"Content-Length: +{size}", f"Content-Length: 0x{size:x}", "Content-Length: -1", "Content-Length: 0a", f"Content-Length : {size}",
                 "Transfer-Encoding : chunked", "Content-Length\t: 5", "X Y: 1"]
        heads += [f"Transfer-Encoding: {value}" for value in ("chunked", "xchunked", "\tchunked", "CHUNKED", "chunked\x0b", "gzip", "identity, chunked")]
        for method in ("GET", "HEAD", "POST"):
            for head in heads:
                for between in ("", "0\r\n\r\n", "0x0\r\n\r\n"):
                    answer = server.raw(server.request("/", head, method=method) + (between + inner).encode(), end_writing=True)
                    assert answer.count(b"HTTP/1.1 ") <= 1 and b"content of a" not in answer and b" 200 " not in answer, (method, head, between, answer)
            whole = server.raw(server.request("/", f"Content-Length: {size}", method=method) + inner.encode(), end_writing=True)
            assert whole.count(b"HTTP/1.1 ") == 1, (method, whole)


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


# ---- ports, signals, the folder


def hold_ports():
    """Sockets on all ports of OWN_ADDRESS that the server tries, as far as they are free: (sockets, ports)."""
    held = []
    for port in range(8000, 8100):
        with contextlib.suppress(OSError):
            held.append(socket.create_server((OWN_ADDRESS, port)))
    return held, [one.getsockname()[1] for one in held]


@case
def takes_the_first_port_that_is_free():
    held, ports = hold_ports()
    for one in held[5:]:
        one.close()
    with Server("--host", OWN_ADDRESS, port=None) as first:
        assert first.port == ports[5]
        with Server("--host", OWN_ADDRESS, out="out2", port=None) as second:
            assert second.port == ports[6]
        done = call("log", "-o", "out3", "--serve", "--host", OWN_ADDRESS, "--port", str(first.port))
        assert done.returncode == 1 and done.stdout == b"", done
        assert f"port {first.port}: Address already in use" in done.stderr.decode(), done.stderr
        assert Path("out3/index.html").exists()
    for one in held[:5]:
        one.close()


@case
def says_when_no_port_is_free():
    held, _ = hold_ports()
    Path("log").write_text(RECORD % ("start", ""))
    done = call("log", "--serve", "--host", OWN_ADDRESS)
    for one in held:
        one.close()
    assert done.returncode == 1 and b"no port from 8000 to 8099 is free" in done.stderr, done
    done = call("log", "-o", "other", "--serve", "--host", "no.such.host.invalid")
    assert done.returncode == 1 and b"no.such.host.invalid" in done.stderr, done
    for wrong in (["--port", "65536"], ["--port", "x"], ["--port"], ["--host"]):
        assert call("log", "--serve", *wrong).returncode == 2, wrong


@case
def can_have_the_port_again_at_once():
    with Server("--host", OWN_ADDRESS) as server:
        port = server.port
        client = server.connect() # the server closes it first, which leaves TIME_WAIT
        assert server.ask("/").status == 200
    client.close()
    with Server("--overwrite", "--host", OWN_ADDRESS, port=port) as server:
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


def use(tlparse, _update):
    common.tlparse = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

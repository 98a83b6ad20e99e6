#!/usr/bin/env python3
"""load.py PORT REQUESTS: a mixed load over a few kept connections, the same each time: hits, misses, passes, pipes,
purges, bans, restarts, retries, errors and broken requests. Prints how many answers came."""
import random
import socket
import sys

KINDS = [
    ("GET", "/"), ("GET", "/about"), ("GET", "/news?id={n}"), ("GET", "/picture.svg"), ("GET", "/data.json"),
    ("HEAD", "/about"), ("GET", "/pass/{n}"), ("POST", "/echo"), ("GET", "/missing-{n}"), ("GET", "/error"),
    ("GET", "/again?n={n}"), ("GET", "/retry/{n}"), ("GET", "/gone"), ("GET", "/synth?q=a%20b"), ("GET", "/short/{n}"),
    ("GET", "/marker"), ("GET", "/bytes/{n}"), ("PURGE", "/about"), ("BAN", "/"), ("GET", "/cookie"),
    ("GET", "/pipe"), ("BROKEN", "/"), ("CUT", "/about"),
]


def head(method, path, number):
    lines = [f"{method} {path} HTTP/1.1", "Host: www.example.com", f'User-Agent: load/{number} "quoted" \\slash']
    if number % 3 == 0:
        lines.append("Referer: http://example.com/\u00fc".encode().decode("latin-1"))
    if number % 4 == 0:
        lines.append("Authorization: Basic dXNlcjpzZWNyZXQ=")
    if number % 5 == 0:
        lines.append("Accept-Encoding: gzip")
    if number % 7 == 0:
        lines.append("Range: bytes=0-9")
    if method == "BAN":
        lines.append("X-Name: /news?id=3")
    if method == "POST":
        lines.append("Content-Length: 5")
    body = "hello" if method == "POST" else ""
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode("latin-1")


def read_answer(stream, method):
    status = stream.readline()
    if not status:
        return False
    length, chunked, close = 0, False, False
    while (line := stream.readline().strip().lower()):
        name, _, value = line.partition(b":")
        value = value.strip()
        length = int(value) if name == b"content-length" else length
        chunked = chunked or (name == b"transfer-encoding" and value == b"chunked")
        close = close or (name == b"connection" and value == b"close")
    code = int(status.split()[1])
    if method != "HEAD" and code not in (204, 304):
        if chunked:
            while (size := int(stream.readline().strip(), 16)) > 0:
                stream.read(size + 2)
            stream.readline()
        else:
            stream.read(length)
    return not close


class client:
    def __init__(self, port):
        self.port = port
        self.close()

    def close(self):
        self.socket = self.stream = None

    def open(self):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=10)
            self.stream = self.socket.makefile("rb")

    def ask(self, number, kind):
        method, path = kind
        self.open()
        if method == "BROKEN":
            self.socket.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nno colon here\r\n\r\n")
        elif method == "CUT":
            self.socket.sendall(b"GET /about HTTP/1.1\r\nHost: a")
            return self.close()
        else:
            self.socket.sendall(head(method, path.format(n=number % 8), number))
        keep = read_answer(self.stream, method)
        if not keep or path == "/pipe" or method == "BROKEN":  # the answer to what is broken ends the connection, unsaid
            self.close()
        return True


def main():
    port, count = int(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(7)
    clients = [client(port) for _ in range(4)]
    answers = 0
    for number in range(count):
        kind = KINDS[number] if number < len(KINDS) else chance.choice(KINDS[: 5] * 3 + KINDS)
        answers += chance.choice(clients).ask(number, kind) is True
    print(answers)


main()

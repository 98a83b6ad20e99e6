"""The servers that are compared: how each is started in front of an origin, pinned to CPU 0, and how its processes are measured."""
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(port, seconds=15):
    end = time.time() + seconds
    while time.time() < end:
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


def descriptors(count):
    """Lets this process and those it starts open `count` descriptors; the number that is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        soft = min(count, hard) if hard != resource.RLIM_INFINITY else count
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


def stop_on_sigterm():
    """The servers run in sessions of their own: a signal must end them through the `finally` of whoever started them."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def tree(pid):
    """The process and all its descendants."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += tree(int(child))
    return found


def cpu_of(pid):
    user = system = 0
    for p in tree(pid):
        fields = pathlib.Path(f"/proc/{p}/stat").read_text().rpartition(")")[2].split()
        user += int(fields[11])
        system += int(fields[12])
    return user / TICK, system / TICK


def memory_of(pid):
    """The proportional set size of the process and all its descendants, bytes."""
    total = 0
    for p in tree(pid):
        for line in pathlib.Path(f"/proc/{p}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


class server:
    """A running server: name, port, first process."""

    def __init__(self, name, command, port, folder, ready=None):
        self.name, self.port = name, port
        self.most_connections = 16000
        self.log = open(folder / f"{name}.log", "wb")
        self.process = subprocess.Popen(["taskset", "-c", "0"] + command, stdout=self.log, stderr=self.log, start_new_session=True)
        try:
            wait_for(port)
        except BaseException:  # a signal, too
            self.stop()
            raise

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            for p in reversed(tree(self.process.pid)):
                os.kill(p, signal.SIGKILL)
            self.process.wait()


def varnish_command(program, port, origin, folder):
    return [program, "-F", "-n", str(folder), "-a", f"127.0.0.1:{port}", "-b", f"127.0.0.1:{origin}", "-s", "malloc,512m", "-T", "none",
            "-p", "thread_pools=1", "-p", "default_ttl=3600", "-p", "timeout_idle=300"]


def start_ours(args, origin, folder):
    port = free_port()
    program = str(args.bin / "varnishd")
    return server("clearcoat", varnish_command(program, port, origin, folder / "work-clearcoat"), port, folder)


def start_reference(args, origin, folder):
    program = "/usr/sbin/varnishd"
    if not os.access(program, os.X_OK):
        return None
    port = free_port()
    return server("varnish", varnish_command(program, port, origin, folder / "work-varnish"), port, folder)


def start_nginx(args, origin, folder):
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.access(program, os.X_OK):
        return None
    port = free_port()
    conf = folder / "nginx.conf"
    conf.write_text(f"""
user root; worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
events {{ worker_connections 16384; }}
http {{
  access_log {folder}/nginx-access.log combined buffer=64k;
  keepalive_requests 1000000000; sendfile on; tcp_nopush on;
  proxy_cache_path {folder}/nginx-cache keys_zone=c:16m max_size=512m; proxy_temp_path {folder}/nginx-temp;
  client_body_temp_path {folder}/nginx-body; fastcgi_temp_path {folder}/nginx-f; uwsgi_temp_path {folder}/nginx-u; scgi_temp_path {folder}/nginx-s;
  upstream o {{ server 127.0.0.1:{origin}; keepalive 64; }}
  server {{ listen 127.0.0.1:{port} backlog=4096;
    location / {{ proxy_pass http://o; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_cache c; proxy_cache_valid 200 1h; }} }}
}}""")
    return server("nginx", [program, "-c", str(conf)], port, folder)


def start_haproxy(args, origin, folder):
    program = shutil.which("haproxy") or "/usr/sbin/haproxy"
    if not os.access(program, os.X_OK):
        return None
    port = free_port()
    most = min(16000, (descriptors(34000) - 1000) // 2)  # it takes two descriptors for each
    conf = folder / "haproxy.cfg"
    conf.write_text(f"""
global
  nbthread 1
  maxconn {most}
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
cache c
  total-max-size 512
  max-object-size 8000000
  max-age 3600
frontend f
  bind 127.0.0.1:{port}
  http-request cache-use c
  http-response cache-store c
  default_backend b
backend b
  http-request cache-use c
  http-response cache-store c
  server o 127.0.0.1:{origin}
""")
    started = server("haproxy", [program, "-db", "-f", str(conf)], port, folder)
    started.most_connections = most
    return started


def start_floor(args, size, folder):
    port = free_port()
    return server("floor", [str(args.bin / "epoll_floor"), str(port), str(size)], port, folder)


STARTERS = {"clearcoat": start_ours, "varnish": start_reference, "nginx": start_nginx, "haproxy": start_haproxy}


class origin:
    """demo-origin on CPU 1."""

    def __init__(self, args, folder):
        self.port = free_port()
        self.log = open(folder / "origin.log", "wb")
        self.process = subprocess.Popen(["taskset", "-c", "1", str(args.bin / "demo-origin"), "--port", str(self.port)], stdout=self.log,
                                        stderr=self.log)
        try:
            wait_for(self.port)
        except BaseException:
            self.stop()
            raise

    def stop(self):
        self.process.terminate()
        self.process.wait()


def start_all(args, origin_port, folder, running):
    """Adds those of STARTERS that are wanted and installed to `running`, one by one: where a later one fails, the caller knows which to stop."""
    for name, starter in STARTERS.items():
        if args.only and name not in args.only:
            continue
        started = starter(args, origin_port, folder)
        if started is None:
            print(f"{name}: not installed, left out")
        else:
            running.append(started)

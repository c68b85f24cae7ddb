"""Strangers at native runs: strangers.py MESHSIM SCENARIO TRIES TRANSPORT..., or
strangers.py MESHSIM SCENARIO late TRANSPORT, where one host joins too late for its run.

For each transport, processes of this user and, if this user is root, of another disturb a run while
its hosts open, run and close, with TRIES tries for each of the six combinations. They connect and
wait, 120 at a time, or send zeros, another protocol, a frame with a valid header, a greeting with a
wrong proof or a recorded opening, or subscribe as ZeroMQ readers. The run must end as without them,
or with exit code 1 and a stranger's name. Strangers may receive nothing but a hub's challenge.
"""
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

NOBODY, IDLE, MAGIC = 65534, 120, b"mshT"
HELLO, MESSAGE, CHALLENGE, PROOF = 1, 4, 7, 8
PHASES = "opening", "running", "closing"


def frame(kind, sequence, payload, session=0):
    return MAGIC + struct.pack("<HHQQII", 2, kind, session, sequence, 0, len(payload)) + payload


def zeromq(commands):
    greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
    ready = b"\x05READY\x0bSocket-Type\0\0\0\x03SUB"
    return greeting + b"\x04" + bytes([len(ready)]) + ready + commands


RECORDED = frame(HELLO, 0, bytes(range(32)) + b"host-1") + frame(PROOF, 1, bytes(32))
KINDS = [
    b"",
    bytes(4096),
    b"GET / HTTP/1.1\r\nHost: nobody\r\n\r\n",
    frame(HELLO, 0, b"host-1"),
    frame(HELLO, 0, os.urandom(32) + b"host-0"),
    frame(MESSAGE, 0, b"a command", 17),
    RECORDED,
    zeromq(b"\x00\x01\x01"),
    frame(HELLO, 0, bytes(1 << 16)),
]


def connect(place):
    one = socket.socket(socket.AF_UNIX if isinstance(place, str) else socket.AF_INET)
    one.settimeout(0.5)
    one.connect(place if isinstance(place, str) else ("127.0.0.1", place))
    return one


def overheard(data):
    """Returns data that a stranger must not receive: any frame of a hub except its challenge."""
    for found in re.finditer(re.escape(MAGIC), data):
        kind = data[found.start() + 6:found.start() + 8]
        if kind and kind[0] != CHALLENGE:
            return data[found.start():found.start() + 40]
    return None


def hear(one, seconds):
    data, until = b"", time.monotonic() + seconds
    while time.monotonic() < until and len(data) < 1 << 20:
        try:
            one.settimeout(max(0.001, until - time.monotonic()))
            some = one.recv(65536)
        except OSError:
            break
        if not some:
            break
        data += some
    return data


def disturb(places, number):
    """One try. Returns whether it reached the run, and any overheard data, or None."""
    place, kind = places[number % len(places)], number // len(places) % len(KINDS)
    many, heard = [], None
    try:
        for _ in range(IDLE if kind == 0 else 1):
            many.append(connect(place))
            if KINDS[kind]:
                many[-1].sendall(KINDS[kind])
        heard = overheard(hear(many[0], 0.02))
        if kind == 6 and not heard:
            many[0].sendall(frame(PROOF, 1, bytes(32), 1))
            heard = overheard(hear(many[0], 0.02))
    except OSError:
        pass  # the run has closed, or rejects it
    for one in many:
        one.close()
    return len(many) > 0, heard


def strangers(user, places, tries):
    """Starts a disturbing process. Returns it with the pipe that receives how often it reached the
    run; it exits with 1 if it has overheard data."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    first = int.from_bytes(os.urandom(2), "little")
    for number in range(4 * tries):
        reached, heard = disturb(places, first + number)
        tries -= reached
        if reached:
            os.write(writer, b".")
        if heard:
            print("overheard:", heard, flush=True)
            os._exit(1)
        if tries == 0:
            break
    os._exit(0)


def below(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
            for child in children.read().split():
                found += [int(child)] + below(int(child))
    return found


def listening(pid):
    """Ports and paths on which the processes of a run listen, as far as visible from this
    network."""
    sockets, places = {}, []
    lines = [line for table in ("tcp", "tcp6")
             for line in open(f"/proc/net/{table}", encoding="ascii").read().splitlines()[1:]]
    for line in lines:
        field = line.split()
        if field[3] == "0A":
            sockets[field[9]] = int(field[1].split(":")[1], 16)
    for line in open("/proc/net/unix", encoding="utf8").read().splitlines()[1:]:
        field = line.split()
        if len(field) > 7 and "meshsim-hosts" in field[7]:
            sockets[field[6]] = field[7]
    for process in below(pid):
        for entry in os.listdir(f"/proc/{process}/fd"):
            try:
                name = os.readlink(f"/proc/{process}/fd/{entry}")
            except OSError:
                continue
            place = sockets.get(name[8:-1]) if name.startswith("socket:[") else None
            if place is not None and place not in places:
                places.append(place)
    return places


def find(run):
    until = time.monotonic() + 10
    while time.monotonic() < until and run.poll() is None:
        try:
            places = listening(run.pid)
        except OSError:
            places = []
        if places:
            time.sleep(0.01)  # some listen on two
            try:
                return listening(run.pid) or places
            except OSError:
                return places
    return []


def executors(pid):
    found = []
    for process in below(pid):
        with open(f"/proc/{process}/comm", encoding="utf8") as name:
            if name.read().startswith("host-"):
                found.append(process)
    return found


def held(run, phase):
    """The processes that a phase waits for, stopped so that the strangers come first."""
    if phase == "running":
        return []
    if phase == "closing":
        time.sleep(0.4)
    try:
        some = executors(run.pid)[-1:]
        for process in some:
            os.kill(process, signal.SIGSTOP)
        return some
    except (OSError, IndexError):
        return []


def go_on(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGCONT)
        except OSError:
            pass


def one_run(arguments, phase, user, tries):
    """Returns the number of tries, and the error, or None."""
    command = [arguments[0], "run", arguments[1], "-o", "strangers.h5", "--world", "native",
               "--set", "runtime.distributed.transport=" + arguments[2]]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    stopped = []
    while phase == "opening" and run.poll() is None and not stopped:
        stopped = held(run, phase)
    places = find(run)
    if phase == "closing" and places:
        stopped = held(run, phase)
    if phase == "running":
        time.sleep(0.15)
    child, reader = strangers(user, places, tries) if places else (None, None)
    if stopped:
        time.sleep(0.3)
        go_on(stopped)
    said = run.communicate(timeout=120)[1]
    made, wrong = 0, None
    if child:
        wrong = "a stranger read a command" if os.waitpid(child, 0)[1] else None
        made = len(os.read(reader, 65536))
        os.close(reader)
    if run.returncode not in (0, 1) or (run.returncode == 1 and "stranger" not in said):
        wrong = f"exit code {run.returncode}: {said.strip()[-300:]}"
    return made, run.returncode, wrong


def keep_out(meshsim, scenario, transport):
    """Holds a host back until the run gives up, while strangers come. Returns the exit code."""
    run = subprocess.Popen([meshsim, "run", scenario, "-o", "late.h5", "--world", "native",
                            "--set", "runtime.distributed.transport=" + transport,
                            "--set", "limits.wall_s=6"], stdout=subprocess.DEVNULL)
    late = []
    while run.poll() is None and not late:
        late = executors(run.pid)[-1:]
    for process in late:
        os.kill(process, signal.SIGSTOP)
    places = find(run)
    while places and run.poll() is None:
        for place in places:
            try:
                with connect(place) as one:
                    one.sendall(frame(HELLO, 0, b"host-1"))
                    hear(one, 0.1)
            except OSError:
                pass
    return run.wait()


def main():
    if sys.argv[3] == "late":
        return keep_out(sys.argv[1], sys.argv[2], sys.argv[4])
    meshsim, scenario, tries = sys.argv[1], sys.argv[2], int(sys.argv[3])
    failed = False
    for transport in sys.argv[4:]:
        for phase in PHASES:
            for user in [None] + ([NOBODY] if os.geteuid() == 0 else []):
                left, runs, ended, unreached = tries, 0, [0, 0], 0
                while left > 0 and unreached < 3:
                    made, code, wrong = one_run(
                        (meshsim, scenario, transport), phase, user, min(left, 100))
                    left -= made
                    runs += 1
                    unreached = 0 if made else unreached + 1
                    ended[min(code, 1) if code >= 0 else 1] += 1
                    if wrong:
                        failed = True
                        print(f"FAILED: {transport}, {phase}, "
                              f"{'this user' if user is None else 'another user'}: {wrong}")
                print(f"{transport}, {phase}, {'this user' if user is None else 'another user'}: "
                      f"{tries - left} tries at {runs} runs, of which {ended[0]} ended well and "
                      f"{ended[1]} with 1" + (", nothing to connect to" if left == tries else ""),
                      flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

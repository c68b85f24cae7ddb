# 200 jobs through a fabric manager that is killed at random moments, as are its agents: no chip belongs to
# two jobs, no job is lost, and a job is told the same places whenever it asks. label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v munged >/dev/null || skip "munged is not installed"

/usr/bin/python3 - "$binary" "$source_directory/bench/slurm" <<'PYTHON' || fail "see above"
import json, os, random, signal, socket, subprocess, sys, threading, time

binary, slurm = sys.argv[1:]
draw = random.Random(7)
PSD, MGD = slurm + "/four_hosts.textproto", slurm + "/rows_2x2.textproto"
HOSTS = ["node%d" % h for h in range(1, 5)]
with open("key", "wb") as file:
    file.write(os.urandom(1024))
os.chmod("key", 0o400)
here = os.getcwd()
munge = subprocess.Popen(["munged", "--foreground", "--force"] + ["--%s=%s/%s" % (o, here, o) for o in
                         ("socket", "pid-file", "log-file", "seed-file")] + ["--key-file=%s/key" % here],
                         stderr=subprocess.DEVNULL)
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % probe.getsockname()[1]
COMMON = ["--address", address, "--munge-socket", here + "/socket"]
killed = {"manager": 0, "agent": 0}


def start(*words):
    return subprocess.Popen([binary, "manager", *words, *COMMON], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def serve():
    return start("serve", "--state", "jobs.db", "--stale", "2")


def agent(host):
    return start("agent", "--psd", PSD, "--host", host, "--period", "50")


def ask(*words):
    """Asks until the manager answers, as a launcher would."""
    for _ in range(600):
        done = subprocess.run([binary, "manager", *words, "--json", *COMMON], capture_output=True, text=True)
        if done.returncode != 2:
            return json.loads(done.stdout)
        time.sleep(0.05)
    sys.exit("no answer: " + done.stderr)


running = {"manager": serve(), **{host: agent(host) for host in HOSTS}}
over = threading.Event()


def kill_again_and_again():
    """Kills the manager, or an agent, at random moments; a new one starts a moment later."""
    chance = random.Random(8)
    while not over.wait(chance.uniform(0.05, 0.6)):
        who = "manager" if chance.random() < 0.5 else chance.choice(HOSTS)
        running[who].send_signal(signal.SIGKILL)
        running[who].wait()
        killed["manager" if who == "manager" else "agent"] += 1
        time.sleep(chance.uniform(0, 0.1))
        running[who] = serve() if who == "manager" else agent(who)


killer = threading.Thread(target=kill_again_and_again)
killer.start()
known, placed, full, wrong = {}, 0, 0, []
began = time.monotonic()
while (placed < 200 or min(killed.values()) < 20) and time.monotonic() - began < 240:
    if known and (len(known) == 2 or draw.random() < 0.3):
        job = draw.choice(sorted(known))
        told = ask("job", job)
        if told.get("chips") != known[job]:
            wrong.append("%s was told %s, then %s" % (job, known[job], told))
        status = ask("release", job)["status"]
        if status not in ("ok", "unknown"):  # unknown: its answer was lost when the manager was killed
            wrong.append("%s could not be released: %s" % (job, status))
        del known[job]
        continue
    job = "job%d" % placed
    reply = ask("place", job, "--mgd", MGD)
    if reply["status"] != "ok":
        full += 1
        time.sleep(0.05)
        continue
    placed += 1
    known[job] = reply["chips"]
    chips = [chip for all_chips in known.values() for chip in all_chips]
    if len(chips) != len(set(chips)):
        wrong.append("a chip belongs to two jobs: %s" % known)
over.set()
killer.join()
left = {job["job"] for job in ask("status")["jobs"]}
if left != set(known):
    wrong.append("jobs that are left: %s, expected %s" % (left, set(known)))
for process in [*running.values(), munge]:
    process.kill()
    process.wait()
print("%d jobs, %d refused without room, killed: %s, %.0f s" %
      (placed, full, killed, time.monotonic() - began))
if placed < 200 or min(killed.values()) < 20:
    wrong.append("too few jobs or kills")
sys.exit("\n".join(wrong) if wrong else 0)
PYTHON
finish

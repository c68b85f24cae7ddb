# User input in files and with --set: sizes and times with units, elements of lists, swept keys; and
# all errors of a sweep are reported in one pass. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# figures WHAT: lines of figures that a run printed
figures() {
	printf '%s\n' "$1" | grep '^ *[0-9]'
}

# ---- units ----
head_of plain <<'END'
workload:
  - write_buffer: {bytes: 65536, page_bytes: 1024}
  - repeat: 3
    do:
      - enqueue_workload: {cores: 8, run_ns: 20000, kernel_bytes: 4096}
      - finish
runtime: {sizes: {config_ring_bytes: 65536}}
model: {noise: off}
END
sed 's/65536/64KiB/g; s/1024/1KiB/; s/20000/20us/; s/4096/"4 KiB"/; s/off/none/' plain.yaml >units.yaml
meshsim run plain.yaml
exits "plain numbers" 0
plain=$out
meshsim run units.yaml
exits "units" 0
equal "units say the same" "$(figures "$out")" "$(figures "$plain")"
meshsim run plain.yaml --set workload.1.do.0.enqueue_workload.run_ns=0.1ms
exits "a time behind --set" 0
[ "$(figures "$out")" != "$(figures "$plain")" ] || fail "a time behind --set does nothing"
meshsim run plain.yaml --set workload.1.do.0.enqueue_workload.run_ns=1.5ns
exits "half a nanosecond" 2
contains "half a nanosecond" "$err" "--set workload.1.do.0.enqueue_workload.run_ns:1:41: error: 'run_ns': 1.5ns is not a whole number of ns"
meshsim run plain.yaml --set platform.memory.l1=1464KiB --set platform.chip.ethernet_latency=0.8us --json
exits "constants with units" 0
meshsim run plain.yaml --set platform.memory.l1=20us
exits "a constant in a foreign unit" 2
contains "a constant in a foreign unit" "$err" "constant 'memory.l1' is not in 'us'"

# results hold the swept value as a number, however it was written
meshsim run plain.yaml --set 'sweep={workload.0.write_buffer.bytes: [64KiB, 131072], model.noise: [none]}' -o s.h5 --json
exits "sizes swept" 0
contains "sizes swept" "$out" '"workload.0.write_buffer.bytes": 65536'
contains "noise swept" "$out" '"model.noise": "off"'

# ---- elements of lists ----
meshsim run plain.yaml --set workload.1.repeat=5 --json
exits "--set of a list's element" 0
contains "--set of a list's element" "$out" '"count": 5'
meshsim run plain.yaml --set runtime.mesh.shape='[1, 1]' --set runtime.mesh.shape.0=9
exits "--set of a list's element behind the list" 2
contains "--set of a list's element behind the list" "$err" "a mesh of 9 x 1 devices"
meshsim run plain.yaml --set workload.2.repeat=5
exits "--set of an element that is not there" 2
contains "--set of an element that is not there" "$err" "'workload' is a list of 2: it has no item '2'"

# ---- all errors of a sweep ----
head_of bad <<'END'
platfrom: n150
workload:
  - repeat: 2
    do: [finish]
sweep:
  runtime.completion: [table, tabel]
  workload.7.repeat: [1, 2]
  runtime.preset: [v1, v7]
  model.noise: [off, loud]
  measure.warmup: [0, 1.5]
END
meshsim run bad.yaml
exits "a bad sweep" 2
equal "all errors of a sweep" "$(printf '%s\n' "$err" | grep ' error: ' | sed 's/\(error: [^,(]*\).*/\1/')" \
	"bad.yaml:4:1: error: unknown key 'platfrom'
bad.yaml:9:31: error: 'completion': unknown value 'tabel'
bad.yaml:10:3: error: 'workload' is a list of 1: it has no item '7'
bad.yaml:11:24: error: 'preset': unknown value 'v7'
bad.yaml:12:22: error: 'noise': unknown value 'loud' 
bad.yaml:13:23: error: 'warmup': expected an integer"
head_of machine <<'END'
runtime: {comand_queues: 1}
workload: [finish]
END
meshsim run machine.yaml --set platform=n15O
exits "a bad platform beside a bad key" 2
contains "a bad platform beside a bad key" "$err" "unknown key 'comand_queues'"
contains "a bad key beside a bad platform" "$err" "unknown platform 'n15O'"

# ---- the folder of platforms ----
for arguments in 'run plain.yaml' list 'platform show tgg' 'validate --family host_cost' \
	'compare s.h5 --robust' 'compare s.h5 --refine' 'report s.h5 --robust -o s.html'; do
	MESHSIM_PLATFORMS=$PWD/nowhere meshsim $arguments
	exits "MESHSIM_PLATFORMS is no folder: $arguments" 2
	equal "MESHSIM_PLATFORMS is no folder: $arguments" "$err" "meshsim: MESHSIM_PLATFORMS: '$PWD/nowhere' is no folder"
done
MESHSIM_PLATFORMS=$PWD/nowhere meshsim show s.h5
exits "a command that reads no platforms" 0

# ---- waits ----
head_of wait <<'END'
workload:
  - wait_event: {event: late}
  - record_event: {event: late}
END
meshsim run wait.yaml
exits "a queue that waits for what it records later" 4
contains "a queue that waits for what it records later" "$err" "dispatcher on chip 0"
meshsim run wait.yaml --world native --set limits.wall_s=1
exits "the same on threads" 4
finish

# Warnings about keys without effect; a scenario with more programs than a table of runs has
# columns; a build folder that was created elsewhere is recreated. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >idle.yaml <<'END'
meshsim: 1
name: idle
platform: n150
seed: 3
seeds: [1, 2]
runtime: {command_queues: 2}
workload:
  - record_event: {event: e, to_host: true}
  - wait_event: {event: e, host: true, queue: 1}
END
meshsim run idle.yaml -o idle.h5
exits "idle keys" 0
contains "seed" "$err" "idle.yaml:4:7: warning: seed has no effect beside seeds"
contains "queue" "$err" "idle.yaml:9:47: warning: queue has no effect with host: true: no queue waits"

meshsim run idle.yaml -o idle.h5 --set workload.1.wait_event.queue=0
exits "an idle key that says its default" 0
lacks "a default" "$err" "queue has no effect"

cat >idle_of.yaml <<'END'
meshsim: 1
name: idle-of
platform: n300
workload:
  - enqueue_workload: {program: p, cores: all}
  - finish
END
meshsim run idle_of.yaml -o idle_of.h5 --set runtime.forward.path=broadcast --set runtime.forward.route=tree
contains "one route" "$err" "runtime.forward.route has no effect on a mesh of two devices at most"
meshsim run idle_of.yaml -o idle_of.h5 --set platform=t3k --set model.noise=off \
	--set model.noc=links --set model.cores=chip \
	--set runtime.forward.path=broadcast --set runtime.forward.route=tree
exits "none of them is idle" 0
lacks "none of them is idle" "$err" "has no effect"
meshsim run idle_of.yaml -o idle_of.h5 --set platform=n150 --set model.noise=off --set runtime.host.create=per-device
exits "a finish creates an event for each device" 0
lacks "a finish creates an event for each device" "$err" "has no effect"
sed 's/enqueue_workload: .*/fabric_ping: {payload_bytes: 16, samples: 2}/; /finish/d' idle_of.yaml >idle_fabric.yaml
meshsim run idle_fabric.yaml -o idle_of.h5 --set model.noise=off
exits "the host's part of a fabric_ping scatters" 0
lacks "the host's part of a fabric_ping scatters" "$err" "has no effect"

# A tensor's data are treated like a buffer's: sent, placed, compared, or elided with a warning.
cat >tensor.yaml <<'END'
meshsim: 1
name: tensor
platform: n150
runtime: {sizes: {page_alignment_bytes: 512}}
model: {network: ideal, elide_above_bytes: 8191}
measure: {verify: false}
workload:
  - write_tensor:
      layout: "tensor<32x64xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x2>,
        memref<32x32xf32, #tt.memory_space<dram>>>>"
  - read_tensor
END
meshsim run tensor.yaml -o tensor.h5
exits "keys that tensors use" 0
equal "keys that tensors use" "$err" ""
meshsim run tensor.yaml -o tensor.h5 --set measure.verify=true
exits "an elided tensor" 0
contains "an elided tensor" "$err" "tensor.yaml:11:5: warning: tensor 'tensor' is read but not \
compared: of its 8192 bytes per device none are simulated (model.elide_above_bytes)"
meshsim run tensor.yaml -o tensor.h5 --set measure.verify=true --set model.elide_above_bytes=8192
lacks "a tensor that is compared" "$err" "is read but not compared"
contains "a tensor that is compared" "$(printf '%s\n' "$out" | grep -A 3 'whole run' | tail -n 1)" '         1'

{
	printf 'meshsim: 1\nname: many\nplatform: n150\nworkload:\n'
	for program in $(seq 40); do
		printf '  - enqueue_workload: {program: p%s, cores: 1, blocking: true}\n' "$program"
	done
} >many.yaml
meshsim run many.yaml -o many.h5
exits "many programs" 0
contains "many programs" "$out" "enqueue_workload"

mkdir -p moved/build
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere/meshsim\n' >moved/build/CMakeCache.txt
printf 'ninja\n' >moved/build/build.ninja
(
	cd moved && . "$source_directory/bench/setup.sh"
	cmake() { mkdir -p build; }
	build meshsim
) 2>said
contains "a moved folder" "$(cat said)" "build/ was made for another folder: making it anew"
[ ! -e moved/build/build.ninja ] || fail "a moved folder is still there"
finish

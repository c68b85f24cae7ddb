# Kernels with instructions in the scenario run in both worlds, and the next program reads their
# results. An error in a text is reported with its place in the file. A kernel that waits forever is
# a stall that names core, processor, instruction and semaphore or circular buffer. A kernel with an
# illegal access is named, and the process survives. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >texts.yaml <<'YAML'
meshsim: 1
name: texts
platform: n150
runtime: {command_queues: 2}
workload:
  - write_buffer: {buffer: a, bytes: 65536, page_bytes: 2048}
  - write_buffer: {buffer: b, bytes: 65536, page_bytes: 2048}
  - enqueue_workload:
      program: mine
      cores: 4
      buffers: {from: a, to: b}
      circular_buffers: 1
      circular_buffer_bytes: 2048
      circular_buffer_pages: 2
      semaphores: 1
      kernels:
        - processor: ncrisc
          arguments: [core]
          text: |
            start:
              argument r1, 0
              common r2, from + 3
            again:
              jump_not_below r1, r2, done
              page r4:5, r1, from
              reserve 0, 1
              back r6, 0
              read r6, r4, 2048
              wait_reads
              push 0, 1
              add r1, r1, 4
              jump again
            done:
              end
        - processor: brisc
          arguments: [core]
          text: |
            start:
              argument r1, 0
              common r2, to + 3
            again:
              jump_not_below r1, r2, done
              page r4:5, r1, to
              await 0, 1
              front r6, 0
              write r6, r4, 2048
              wait_writes
              pop 0, 1
              add r1, r1, 4
              jump again
            done:
  - read_buffer: {buffer: b, blocking: true}
  - enqueue_workload: {library: copy, buffers: {from: b, to: a}}
  - read_buffer: {buffer: a, blocking: true}
YAML
verified() {
	printf '%s\n' "$out" | grep -A 3 'whole run' | awk 'END { print $NF }'
}
for world in sim native; do
	meshsim run texts.yaml -o $world.h5 --world $world
	exits "kernels of a scenario, $world" 0
	# Their results have no reference: neither read is compared, only launches are.
	meshsim run texts.yaml -o $world.h5 --world $world --set measure.verify=false
	equal "reads that were compared, $world" "$(verified)" 0
done

# They take the time of their instructions.
simulated() {
	meshsim run texts.yaml -o times.h5 --json --set model.noise=none "$@"
	printf '%s\n' "$out" | sed -n 's/.*"simulated": \([0-9]*\),*$/\1/p'
}
plain=$(simulated)
idle=$(simulated --set 'workload.2.enqueue_workload.kernels=[{text: busy 0}]')
longer=$(simulated --set 'workload.2.enqueue_workload.kernels=[{text: busy 50000}]')
equal "50000 cycles of waiting: $idle, $longer ps" "$((longer > idle + 49000000 && longer < idle + 51000000))" 1
costly=$(simulated --set platform.firmware.kernel_instruction.value=500)
equal "slow instructions: $plain, $costly ps" "$((costly > plain + 5000000))" 1

# refused NAME SCRIPT MESSAGE
refused() {
	sed "$2" texts.yaml >refused.yaml
	meshsim run refused.yaml -o refused.h5
	exits "$1" 2
	contains "$1" "$err" "$3"
}
refused 'a misspelt instruction' 's/reserve 0/reserv 0/' \
	"refused.yaml:26:15: error: unknown instruction 'reserv', did you mean 'reserve'?
              reserv 0, 1
              ^"
refused 'a label that is nowhere' 's/jump again/jump agin/' \
	"refused.yaml:32:20: error: 'agin' is no label, did you mean 'again'?"
refused 'a name that is no buffer' 's/page r4:5, r1, to/page r4:5, r1, too/' \
	"error: 'too' is no number, did you mean 'to'?"
refused 'a register too many' 's/front r6/front r36/' 'there is no r36: a core has r0 to r31'
refused 'a processor twice' 's/processor: brisc/processor: ncrisc/' 'kernels 0 and 1 share a processor of a core'
refused 'keys of filler' 's/cores: 4/run_ns: 4/' 'error: run_ns beside kernels that act'
refused 'both kinds' 's/cores: 4/library: copy/' 'error: kernels beside library: copy, which brings its own'
refused 'a text on one line' 's/^  - read_buffer: {buffer: b, blocking: true}/  - enqueue_workload: {kernels: [{text: "busy 1\\nbuzy 2"}]}/' \
	"line 2 of the text: unknown instruction 'buzy', did you mean 'busy'?"

# Kernels of single cores: each prints on its own tile, and the cores without one do nothing.
cat >single.yaml <<YAML
meshsim: 1
name: single
platform: n150
workload:
  - enqueue_workload:
      cores: [3, 2]
      kernels:
        - {processor: brisc, core: [2, 1], text: "own_place r2:3\nprint r2, 1\nprint r3, 2"}
        - {processor: brisc, core: [0, 1], text: "own_place r2:3\nprint r2, 3\nprint r3, 4"}
        - {processor: ncrisc, text: "print r0, 5"}
  - finish
YAML
meshsim run single.yaml -o single.h5
exits 'kernels of single cores' 0
meshsim show --json single.h5
prints=$(printf '%s' "$out" | python3 -c '
import json, sys
prints = json.load(sys.stdin)["runs"][0].get("prints", [])
print(sorted((p["number"], p["value"]) for p in prints if p["number"] < 5), sum(p["number"] == 5 for p in prints))')
equal 'prints of single cores' "$prints" '[(1, 2), (2, 1), (3, 0), (4, 1)] 6'

# single NAME SCRIPT MESSAGE
single() {
	sed "$2" single.yaml >refused.yaml
	meshsim run refused.yaml -o refused.h5
	exits "$1" 2
	contains "$1" "$err" "$3"
}
single 'a core outside of the grid' 's/core: .2, 1./core: [9, 1]/' \
	'cores from 9,1 to 9,1 reach outside the grid of 8 x 8'
single 'a core of another program' 's/core: .2, 1./core: [3, 1]/' \
	'core [3, 1] is not among its cores (`cores`)'
single 'two kernels on a processor' 's/core: .2, 1./core: [0, 1]/' 'kernels 0 and 1 share a processor of a core'
single 'one for all and one for a core' 's/processor: ncrisc/processor: brisc/' \
	'kernels 0 and 2 share a processor of a core'

# stalls KERNELS: the message about a program with these kernels on two cores
stalls() {
	cat >stall.yaml <<YAML
meshsim: 1
name: stall
platform: n150
workload:
  - enqueue_workload: {cores: 2, semaphores: 3, circular_buffers: 2, kernels: [$1]}
  - finish
YAML
	meshsim run stall.yaml -o stall.h5 --set platform.firmware.kernel_instructions.value=10
	exits "$1" 4
}
stalls '{text: "waypoint 7\nadd r3, r0, 1\nuntil r3, semaphore 2"}'
contains 'a semaphore that nobody raises' "$err" \
	'brisc on chip 0, 2 tiles (11-12), 2 in all, waits for a semaphore at instruction 2 (until r3, semaphore 2), waypoint 7'
contains 'the step' "$err" "the client is at step 'finish' (stall.yaml:6)"
contains 'the watcher' "$err" 'watcher: 2 cores of chip 0 (tiles 11-12): worker waits for its kernels; brisc at instruction 2 (until r3, semaphore 2), waypoint 7, waits for semaphore 2 to be 1, which is 0'
meshsim show stall.h5
contains 'the watcher in the file' "$out" 'Watcher: what cores were at when run 0 was over'
contains 'its row' "$(printf '%s\n' "$out" | grep ' brisc  ' | tail -n 1 | tr -s ' ')" \
	' 2 0 11-12 brisc waits 2 until r3, semaphore 2 7 semaphore 2 to be 1, which is 0'
meshsim run stall.yaml -o native.h5 --world native --set limits.wall_s=2
exits 'a native run that is given up' 4
contains 'the watcher natively' "$err" 'waypoint 7, waits for semaphore 2 to be 1, which is 0'
meshsim show native.h5
contains 'the watcher natively, in the file' "$out" 'semaphore 2 to be 1, which is 0'
meshsim show sim.h5
contains 'a run that ended has none' "$out" 'Watcher: none, no run left cores waiting'
stalls '{processor: trisc1, text: "await 1, 1"}'
contains 'a circular buffer that nobody fills' "$err" \
	'waits for pages in a circular buffer at instruction 0 (await buffer 1, 1)'
contains 'the watcher knows how many' "$err" 'waits for 1 pages in circular buffer 1, which has 0'
stalls '{processor: ncrisc, text: "reserve 1, 1\npush 1, 1\nreserve 1, 1"}'
contains 'one that nobody empties' "$err" \
	'ncrisc on chip 0, 2 tiles (11-12), 2 in all, waits for room in a circular buffer at instruction 2 (reserve buffer 1, 1)'

wild='{arguments: [core], text: "argument r1, 0\njump_equal r1, r0, out\nadd r2, r0, -16\nload r3, r2\nout: end"}'
stalls "$wild"
contains 'a wild address' "$err" 'brisc of chip 0, tile 12, instruction 3: halted: a load outside L1, or not of a word'
meshsim show stall.h5
contains 'the result file has it' "$out" 'brisc of chip 0, tile 12, instruction 3: halted'
meshsim run stall.yaml -o wild.h5 --world native --set limits.wall_s=2
exits 'natively' 4
contains 'natively' "$err" 'brisc of chip 0, tile 12, instruction 3: halted: a load outside L1, or not of a word'
stalls '{text: "divide r1, r1, r0"}'
contains 'a division by 0' "$err" 'brisc of chip 0, tile 11, instruction 0: halted'
stalls '{text: "again: jump again"}'
contains 'an endless loop' "$err" 'halted: the kernel has used up its instructions'

finish

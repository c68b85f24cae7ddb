# label: full
# timeout: 300
# `meshsim check` names the constant that changed, also one that only makes others wait and is
# charged to no critical path. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# told FILE: the causes of the file, in one line
told() {
	meshsim check "$1" --baseline b.yaml
	exits "$1" 1
	causes=$(printf '%s' "$out" | tr '\n' ' ' | tr -s ' ')
}

scenario=$source_directory/scenarios/tgg-broadcast-grid.yaml
only='sweep={runtime.forward: [{path: broadcast, initiators: 8}]}'
meshsim run "$scenario" --set "$only" -o good.h5
exits 'run' 0
meshsim check good.h5 --baseline b.yaml --update
contains 'the constant before' "$(cat b.yaml)" 'chip.router_send: 120 ns'

meshsim run "$scenario" --set "$only" --set platform.chip.router_send.value=121 -o send.h5
exits 'a router that sends slower' 0
told send.h5
contains 'the constant with both values' "$causes" 'chip.router_send 120 -> 121 ns makes '
contains 'the stage' "$causes" 'through waits for links (+'
contains 'its effect to first order' "$causes" \
	'no critical path is charged for it, so it is too small to see to first order'

# the size of a buffer that this network model does not have, and work that is charged everywhere
for other in 'platform.chip.noc_buffer_size.value=4' 'platform.firmware.dispatch_go.value=59'; do
	meshsim run "$scenario" --set "$only" --set platform.chip.router_send.value=121 --set $other -o two.h5
	exits "with $other" 0
	told two.h5
	contains "with $other" "$causes" 'chip.router_send 120 -> 121 ns makes '
	name=${other#platform.}
	lacks "not ${name%.value*}" "$(printf '%s' "$causes" | grep -o "${name%.value*} [0-9]* -> [0-9]* [A-Za-z]* makes [0-9]* of [0-9]* figures worse")" makes
done
contains 'what got better' "$causes" 'firmware.dispatch_go 60 -> 59 cycles makes '
contains 'it is said to be better' "$causes" ' figures better by '

sed 's/: 120 ns/: 119 ns/; /^ *chip.noc_hop:/d' b.yaml >c.yaml
cp c.yaml b.yaml
meshsim check good.h5 --baseline b.yaml --exact
exits 'constants that changed without a figure' 0

# Two seeds of which one became far better and the other a little worse: the figure is better on average, so it is not
# what got worst.
cat >seeds.yaml <<'END'
meshsim: 1
name: seeds
platform: n150
workload:
  - repeat: 20
    do:
      - enqueue_workload: {program: p, cores: 8, run_ns: 2000}
      - finish
measure: {warmup: 2, seeds: 2}
END
meshsim run seeds.yaml -o seeds.h5
exits 'two seeds' 0
meshsim check seeds.h5 --baseline seeds-b.yaml --update
python3 - <<'END'
import re
lines, seen = open("seeds-b.yaml").read().split("\n"), 0
for i, line in enumerate(lines):
    found = re.match(r"(.*host_busy: )(\d+)(.*)", line)
    if found:
        seen += 1
        lines[i] = f"{found[1]}{int(int(found[2]) * (4 if seen == 1 else 0.8))}{found[3]}"
    found = re.match(r"(.*simulated: )(\d+)(.*)", line)
    if found:
        lines[i] = f"{found[1]}{int(int(found[2]) * 0.9)}{found[3]}"
open("seeds-b.yaml", "w").write("\n".join(lines))
END
cp seeds-b.yaml b.yaml
told seeds.h5
contains 'the figure that is worse on average' "$causes" 'worst: simulated '
contains 'the interval' "$causes" ' (95 % over 2 seeds: '
contains 'the figure that is better on average' "$causes" '-44 % host_busy '
finish

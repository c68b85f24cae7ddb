#!/bin/sh
# label: full
# System descriptors (spec 4.2): opening a mesh waits for the host that asks its chips longest, or only checks what it was
# given; a file that is stale is refused with what differs, or its chips are asked again; a bad file is named.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >machine.yaml <<'END'
extends: scaleout
hosts: {count: 2}
topology: {mesh: [1, 4], wrap: [false, false]}
END
cat >start.yaml <<'END'
meshsim: 1
name: start
platform: machine.yaml
model: {noise: off}
workload:
  - open_mesh: {}
  - enqueue_workload: {program: first, cores: 8}
  - finish
runtime: {distributed: {descriptor: told}}
measure: {warmup: 0}
END

# ms FILE: of each run, how long opening took
ms() {
	"$binary" show "$1" --json | /usr/bin/python3 -c "
import json, sys
print(*(round(run['operations']['open_mesh']['completion']['p50'] / 1e9, 1) for run in json.load(sys.stdin)['runs']))"
}

meshsim run start.yaml -o rows.h5 --set 'sweep={runtime.distributed.descriptor: [told, discovered, cached, offline]}'
exits "all rows" 0
lacks "all rows act" "$err" warning
equal "four chips of 20 ms are asked for all, or of 0.1 ms for whether they are as described" "$(ms rows.h5)" "0.4 80.5 0.9 0.9"
meshsim run start.yaml -o rows.h5 --set 'sweep={runtime.distributed.descriptor: [told, discovered, cached, offline]}' \
	--set platform.host.work.query_chip.cost=0 --set platform.host.work.check_chip.cost=0
equal "without the chips, a file is read" "$(ms rows.h5)" "0.4 0.4 0.4 0.4"
meshsim run start.yaml -o native.h5 --world native --set 'sweep={runtime.distributed.descriptor: [told, discovered, cached, offline]}'
exits "all rows natively" 0

meshsim platform describe machine.yaml -o right.desc
exits "the machine is described" 0
meshsim run start.yaml -o right.h5 --set runtime.distributed.descriptor=offline --set runtime.distributed.descriptor_file=right.desc
exits "a file that is right" 0
equal "is as good as that of the platform" "$(ms right.h5)" 0.9

# stale NAME WHAT: a machine that differs by the standard input was described; WHAT differs
stale() {
	{ echo 'extends: machine.yaml'; cat; } >"$1.yaml"
	meshsim platform describe "./$1.yaml" -o "$1.desc"
	exits "$1: another machine is described" 0
	for world in sim native; do
		meshsim run start.yaml -o none.h5 --world $world --set runtime.distributed.descriptor=offline \
			--set "runtime.distributed.descriptor_file=$1.desc"
		exits "$1: refused, $world" 2
		contains "$1: what differs, $world" "$err" "its descriptor is stale: $2"
	done
	meshsim run start.yaml -o again.h5 --set runtime.distributed.descriptor=cached \
		--set "runtime.distributed.descriptor_file=$1.desc"
	exits "$1: chips are asked again" 0
	equal "$1: and that takes its time" "$(ms again.h5)" 80.9
}
stale harvest 'chip 0: harvesting: Tensix tiles in rows 0xfbe, described as 0x7b6' <<'END'
tiles: {harvested_rows: [11, 3]}
END
stale links 'links between chips 0 and 1: 4, described as 1' <<'END'
topology: {links: 1}
END
stale clock 'clock in MHz: 1000, described as 900' <<'END'
chip: {aiclk: 900 MHz}
END
stale dispatch 'chip 0: dispatch cores: 8, described as 16' <<'END'
tiles: {dispatch_rows: 2}
END

# bad NAME WHAT: a file that no run can use
bad() {
	for row in cached offline; do
		meshsim run start.yaml -o none.h5 --set runtime.distributed.descriptor=$row \
			--set "runtime.distributed.descriptor_file=$1"
		exits "$1, $row" 2
		contains "$1, $row: why" "$err" "error: descriptor_file: $2"
	done
}
head -c 100 right.desc >cut.desc
bad cut.desc 'it was cut or changed: its hash differs'
bad start.yaml 'it is no file of system descriptors'
bad missing.desc 'No such file or directory'
bad . 'it is a directory'
{ head -c 8 right.desc; printf '\002'; tail -c +10 right.desc; } >newer.desc
bad newer.desc 'it is of version 2, this meshsim reads 1'
head -c 5000000 /dev/zero >large.desc
bad large.desc 'it is no file of system descriptors'
sed 's/count: 2/count: 3/' machine.yaml >three.yaml
meshsim platform describe ./three.yaml -o three.desc
bad three.desc 'it describes 3 hosts, and the machine has 2'
sed 's/count: 2/count: 1/' machine.yaml >single.yaml
meshsim platform describe ./single.yaml -o single.desc
bad single.desc 'it describes 1 host, and the machine has 2'
sed 's/descriptor: told/descriptor: offline, descriptor_file: cut.desc/' start.yaml >line.yaml
meshsim run line.yaml -o none.h5
contains "at its place" "$err" "line.yaml:9:"

meshsim platform describe machine.yaml
exits "nowhere to write to" 2
meshsim platform show machine.yaml -o shown.desc
exits "nothing to write" 2
meshsim platform describe machine.yaml -o start.yaml
contains "a scenario is not replaced" "$err" "will not replace start.yaml"
meshsim run start.yaml -o none.h5 --set runtime.distributed.descriptor_file=right.desc
contains "a file that nobody reads" "$err" "runtime.distributed.descriptor_file has no effect"
meshsim run start.yaml -o none.h5 --set runtime.distributed.descriptor=cahced
contains "the nearest row" "$err" cached
meshsim run start.yaml -o none.h5 --set 'workload=[{enqueue_workload: {program: first}}, {open_mesh: {}}]'
exits "hosts do not start twice" 2
contains "says so" "$err" "are opened once, at first"
finish

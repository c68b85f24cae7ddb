# A stranger plants a link at each name that a command creates: the target stays unchanged, a dangling
# link creates nothing, and the command succeeds. label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

head_of s <<'END'
workload: [finish]
sweep: {runtime.completion: [table, per-device]}
END
printf 'meshsim: 1\nname: hosts\nplatform: {extends: galaxy-x2, topology: {mesh: [2, 2], wrap: [false, false]}}\n' >hosts.yaml
printf 'workload: [finish]\nsweep: {runtime.completion: [table, per-device]}\n' >>hosts.yaml

# Files that a run opens, as seen by strace. `state` is missing: it holds the lock and is rejected,
# see below.
names='000000.h5 000000.h5.new 000000.host 000001.h5 000001.h5.new 000001.host merged.h5'

# plant PATH KIND: creates a link at PATH to precious, or to nothing
plant() {
	rm -f "$1"
	case $2 in
	hard) ln precious "$1" ;;
	soft) ln -s "$work/precious" "$1" ;;
	dangling) ln -s "$work/nothing" "$1" ;;
	esac
}
# untouched WHAT: targets of links are unchanged
untouched() {
	equal "$1: what the link leads to" "$(cat precious)" 'precious'
	[ ! -e nothing ] || fail "$1: a file was made where the link leads to"
}
printf 'precious\n' >precious

# The state file of a folder identifies its scenario, like the seal of the result.
state_of() {
	rm -f seen.h5
	meshsim run "$@" -o seen.h5
	exits "$*" 0
	printf 'meshsim %s 2\n' "$(tail -c 32 seen.h5 | od -An -t x8 -j 8 -N 8 | tr -d ' ')" >state
}

# planted WHAT KIND NAMES ARGUMENT...: runs into out.h5 with links at NAMES of its folder
planted() {
	what="$1, $2 at $3" kind=$2 at=$3
	shift 3
	rm -rf out.h5 out.h5.partial
	mkdir -m 777 out.h5.partial
	cp state out.h5.partial/state
	for name in $at; do
		plant "out.h5.partial/$name" "$kind"
	done
	meshsim run "$@" -o out.h5
	exits "$what" 0
	untouched "$what"
	[ -s out.h5 ] && [ ! -L out.h5 ] && [ ! -e out.h5.partial ] || fail "$what: $(ls -l)"
}

state_of s.yaml
for name in $names; do
	planted "resume" soft "$name" s.yaml --resume -j1
done
for kind in soft hard dangling; do
	planted "a plain run" $kind "$names" s.yaml -j1
	planted "two at a time" $kind "$names" s.yaml --resume -j2
done
for world in sim native; do
	state_of hosts.yaml --world $world
	planted "several hosts, $world" soft "$names" hosts.yaml --resume --world $world
	planted "several hosts, $world" hard "$names" hosts.yaml --resume --world $world
done
# The state file cannot be created anew, since its lock marks the owner of the folder.
for kind in soft hard dangling; do
	rm -rf out.h5 out.h5.partial
	mkdir out.h5.partial
	plant out.h5.partial/state $kind
	meshsim run s.yaml --resume -o out.h5
	exits "a state, $kind" 2
	contains "a state, $kind" "$err" 'meshsim: cannot write out.h5.partial/state: it is a '
	untouched "a state, $kind"
done
rm -rf out.h5.partial
ln -s . out.h5.partial
meshsim run s.yaml --resume -o out.h5
exits 'a folder' 2
equal 'a folder' "$err" \
	'meshsim: cannot write out.h5: out.h5.partial is no folder of meshsim: it is a symbolic link'
rm out.h5.partial

# ---- files of failing seeds ----
head_of limited <<'END'
workload: [finish]
limits: {events: 10}
END
mkdir found probe
# which seeds are refused, and so do not fail, depends on what is drawn
meshsim fuzz limited.yaml --keep --seeds 8 -o probe
seed=$(find probe -name 'fuzz-*.yaml' | tr -dc '0-9\n' | sort -n | head -1)
for kind in soft hard dangling; do
	plant "found/fuzz-$seed.yaml" $kind
	meshsim fuzz limited.yaml --keep --seed "$seed" --seeds 1 -o found
	exits "fuzz, $kind" 1
	[ -s "found/fuzz-$seed.yaml" ] && [ ! -L "found/fuzz-$seed.yaml" ] ||
		fail "fuzz, $kind: $(ls -l found)"
	untouched "fuzz, $kind"
done

# ---- outputs with names from the user: links are rejected, see test_errors_outputs ----
files=$MESHSIM_SOURCE_DIR/tests/real/fixtures
boards=$files/cluster_descriptors/two_dual_boards.yaml
mkdir placed
for kind in soft dangling; do
	for name in rank_bindings.yaml rankfile.txt visible_devices.txt; do
		plant placed/$name $kind
		meshsim place --mgd "$files/mgd/pair_of_boards.textproto" --cluster "$boards" -o placed
		exits "place, $name, $kind" 2
		equal "place, $name, $kind" "$err" \
			"meshsim: will not replace placed/$name: it is a symbolic link"
		untouched "place, $name, $kind"
		rm -f placed/*
	done
	plant drawing.svg $kind
	printf 'shape: [4, 4]\n' >tensor.yaml
	for command in "place --mgd $files/mgd/pair_of_boards.textproto --cluster $boards" \
		"shard --shape 8x8 --dim 0"; do
		# shellcheck disable=SC2086 # words
		meshsim $command --svg drawing.svg
		exits "$command, $kind" 2
		contains "$command, $kind" "$err" 'meshsim: will not replace drawing.svg: it is a symbolic link'
		untouched "$command, $kind"
	done
	mkdir -p results
	plant history.html $kind
	meshsim history results -o history.html
	exits "history, $kind" 2
	untouched "history, $kind"
done
finish

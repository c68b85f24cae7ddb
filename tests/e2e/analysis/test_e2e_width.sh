# label: slow
# timeout: 600
# `explain` and `check` print lines of at most 80 columns to a pipe, for shipped scenarios; `explain`
# folds rows that are alike, and its JSON keeps each. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# narrow WHAT: the lines of $out that are wider than 80 columns
narrow() {
	equal "$1: lines of more than 80 columns" \
		"$(printf '%s\n' "$out" | LC_ALL=C.UTF-8 awk 'length($0) > 80 { print length($0) ": " $0 }')" ""
}

for name in quickstart tgg-broadcast-grid tgg-event-paths tgg-host-threads tgg-releases; do
	scenario=$source_directory/scenarios/$name.yaml
	meshsim run "$scenario" -o a.h5
	exits "$name" 0
	meshsim run "$scenario" -o b.h5 --set platform.firmware.dispatch_go.value=91 \
		--set platform.chip.router_send.value=121 --set platform.host.work.doorbell.cost.value=130
	exits "$name, slower" 0
	rm -f b.yaml
	meshsim check a.h5 --baseline b.yaml --update
	meshsim check b.h5 --baseline b.yaml
	exits "check $name" 1
	narrow "check $name"
	[ "$(printf '%s\n' "$out" | wc -l)" -lt 80 ] || fail "check $name: more than 80 lines"
	meshsim check b.h5 --baseline b.yaml --rows
	narrow "check $name --rows"
	for runs in "a.h5 0" "a.h5 b.h5" "a.h5 b.h5 0 0"; do
		# shellcheck disable=SC2086 # words
		meshsim explain $runs
		exits "explain $name: $runs" 0
		narrow "explain $name: $runs"
		[ "$(printf '%s\n' "$out" | wc -l)" -lt 50 ] || fail "explain $name: more than 50 lines"
		# shellcheck disable=SC2086 # words
		meshsim explain $runs --all
		narrow "explain $name: $runs --all"
	done
done

scenario=$source_directory/scenarios/tgg-broadcast-grid.yaml
meshsim run "$scenario" -o grid.h5 --set 'sweep={runtime.completion: [table, per-device]}'
exits grid 0
meshsim explain grid.h5 0 1 --all
printf '%s\n' "$out" | grep -qE '^  PCIe from chip 64-71 +8 +[0-9.]+ +[0-9.]+ +[0-9.]+$' ||
	fail "the links of 8 chips are one row: $out"
meshsim explain grid.h5 0 1 --json
equal 'the JSON keeps each' "$(printf '%s\n' "$out" | grep -c '"name": "PCIe from chip ')" 8
finish

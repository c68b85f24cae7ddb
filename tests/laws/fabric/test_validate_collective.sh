# label: full, timeout: 600
# Collectives against figures measured on hardware: errors of the calibration rows, and that all rows
# run. And what is too long to be run whole goes on as it did from one length to the other: the same as
# when it is run whole.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

meshsim validate --family collective --json
exits "calibration rows" 0
at_most "median error, per mille" "$(number "$out" collective median)" 60
at_most "nine of ten, per mille" "$(number "$out" collective p90)" 230
at_most "1000 less the ranking, per mille" $((1000 - $(number "$out" collective ranking))) 20
equal "rows that did not run" "$(number "$out" collective not_run)" 0

if ! /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
	echo 'without h5py there is nothing to read results with'
	exit 77
fi

# whole OP SHAPE TOPOLOGY BYTES: device time in ns, all of it run
whole() {
	cat >whole.yaml <<END
meshsim: 1
name: whole
platform: {extends: t3k, fabric: {packet: {value: 6144, unit: B, kind: published, source: the row}}}
model: {noise: off}
runtime: {mesh: {shape: [$2]}, fabric: {topology: $3}}
workload:
  - repeat: 2
    do: [collective: {op: $1, topology: $3, page_bytes: 6144, size_bytes: $4}]
  - finish
END
	meshsim run whole.yaml -o whole.h5
	exits "$1 whole" 0
	time_ns=$(/usr/bin/python3 -c '
import h5py
ops = [op for op in h5py.File("whole.h5")["ops"] if op["kind"] == b"collective"]
print(round((ops[-1]["done"] - ops[-1]["reach"]) / 1000))')
}

# Of 1,600 pages for each device (the longer run has 960), within so many percent. Streams of an
# all-to-all meet at the routers of a line in one of two ways, 6 % apart, and a few ns decide which: a
# whole run shows either.
predict "what goes on" 3 'collective,t3k,' ';packet_bytes=6144,device_time,1,us,,x' <<END
op=all_gather;devices=4;topology=line;size_bytes=$((4 * 1600 * 6144))
op=reduce_scatter;devices=8;topology=ring;size_bytes=$((8 * 1600 * 6144))
op=all_to_all;devices=4;topology=line;size_bytes=$((16 * 1600 * 6144))
END
for case in "1:all_gather:1, 4:line:4:$a" "1:reduce_scatter:2, 4:ring:8:$b" "7:all_to_all:1, 4:line:16:$c"; do
	off=${case%%:*} case=${case#*:}
	seen=${case##*:} case=${case%:*}
	parts=${case##*:} case=${case%:*}
	whole "${case%%:*}" "$(echo "$case" | cut -d: -f2)" "${case##*:}" $((parts * 1600 * 6144))
	at_most "$case: what goes on is no longer than the whole" $((seen * 100)) $((time_ns * (100 + off)))
	at_most "$case: ... and no shorter" $((time_ns * (100 - off))) $((seen * 100))
done

finish

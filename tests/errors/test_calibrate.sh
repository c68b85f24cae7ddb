# `meshsim calibrate --fit`: its errors, and that it recovers a constant that was changed, and
# writes it with the quality of the fit. label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

meshsim calibrate
exits "without --fit" 2
contains "without --fit" "$err" "say --fit, or --host"

meshsim calibrate --fit --constant chip.noc_latency
exits "a measured constant" 2
contains "a measured constant" "$err" "chip.noc_latency is measured: only constants of kind fitted"

meshsim calibrate --fit --constant chip.rings
exits "no constant" 2
contains "no constant" "$err" "there is no constant 'chip.rings'"

meshsim calibrate --fit --group op
exits "groups without folds" 2
contains "groups without folds" "$err" "--group and --errors are about folds: say --folds N"
meshsim calibrate --fit --folds 3 --group oop
exits "an unknown group" 2
contains "an unknown group" "$err" "--group: no row has a key 'oop', did you mean 'op'?"
printf 'month,rent\nMay,800\n' >notes.txt
meshsim calibrate --fit --folds 3 --errors notes.txt
exits "a file of somebody else" 2
contains "a file of somebody else" "$err" "notes.txt"

# Two rows of one kind of measurement, one of another. With groups by topology, each group is
# predicted from the others: the constant that only rings show is fitted by no other group, which
# the output says.
cat >kept.csv <<'END'
family,system,params,metric,value,unit,spread,source
fabric_latency,t3k,op=write;topology=linear;payload_bytes=16,round_trip_avg,1602.51,ns,,x
fabric_latency,t3k,op=write;topology=linear;payload_bytes=4096,round_trip_avg,2885.54,ns,,x
fabric_latency,t3k,op=write;topology=ring;payload_bytes=16,round_trip_avg,3645.00,ns,,x
END
# median FAMILY COLUMN: column of the table of folds, in tenths of a percent
column() {
	printf '%s\n' "$out" | awk -v n="$1" '$1 == "fabric_latency" { printf "%d", $n * 10 }'
}
meshsim calibrate --fit --reference kept.csv --family fabric_latency --folds 2 --group topology \
	--errors kept.yaml
exits "folds" 0
contains "folds" "$out" "3 rows in 2 groups, 2 folds"
[ "$(column 5)" -gt 400 ] || fail "the ring that takes twice as long is predicted from lines: $out"
contains "its table" "$(cat kept.yaml)" "meshsim_errors: 1"
contains "constants have families" "$(cat kept.yaml)" "  chip.ethernet_latency: fabric_latency"
meshsim calibrate --fit --reference kept.csv --family fabric_latency --folds 3 --group payload_bytes
exits "other groups" 0
contains "other groups" "$out" "3 rows in 2 groups, 3 folds"

# Two machines whose routers have constants of their own. Each is predicted from the other: the Galaxy
# as if its file had none of them.
cat >two.csv <<'END'
family,system,params,metric,value,unit,spread,source
fabric_latency,t3k,op=write;topology=linear;payload_bytes=16,round_trip_avg,1602.51,ns,,x
fabric_latency,t3k,op=write;topology=linear;payload_bytes=4096,round_trip_avg,2885.54,ns,,x
fabric_latency,galaxy,op=write;topology=linear;payload_bytes=16,round_trip_avg,1500,ns,,x
fabric_latency,galaxy,op=write;topology=linear;payload_bytes=4096,round_trip_avg,2700,ns,,x
host_cost,any,op=trace_replay,time,1.87,us,,x
END
meshsim calibrate --fit --reference two.csv --folds 2 --group system
exits "machines" 0
contains "machines" "$out" "each of 3 machines predicted from the others"
lacks "a family of one machine" "$out" "host_cost"
lacks "no table of groups" "$out" "kept out of the fit"
borrowed=$(printf '%s\n' "$out" | awk '$2 == "galaxy" { printf "%d", $4 * 10 }')
cp -r "$MESHSIM_SOURCE_DIR/platforms" foreign
awk '/router_|ring/ && /:$/ { next } /kind: fitted, source: "goldens, fabric/ { next } { print }' \
	"$MESHSIM_SOURCE_DIR/platforms/galaxy.yaml" >foreign/galaxy.yaml
! grep -q fitted foreign/galaxy.yaml || fail "the Galaxy still has fitted constants"
grep -v ,t3k, two.csv >galaxy.csv
MESHSIM_PLATFORMS=$PWD/foreign "$binary" validate --reference galaxy.csv --json >foreign.json 2>/dev/null
foreign=$(sed -n 's/.*"fabric_latency": {.*"median": \([-0-9.e]*\),.*/\1/p' foreign.json | awk '{printf "%d", $1 * 1000}')
own=$("$binary" validate --reference galaxy.csv --json 2>/dev/null |
	sed -n 's/.*"fabric_latency": {.*"median": \([-0-9.e]*\),.*/\1/p' | awk '{printf "%d", $1 * 1000}')
[ "${borrowed:-0}" -ge $((foreign - 10)) ] && [ "${borrowed:-0}" -le $((foreign + 10)) ] ||
	fail "the Galaxy is off by ${borrowed:-nothing} per mille from t3k, by $foreign without its constants"
[ "$own" -lt $((foreign - 20)) ] || [ "$own" -gt $((foreign + 20)) ] ||
	fail "the test shows nothing: $own per mille with the Galaxy's constants, $foreign without"
meshsim calibrate --fit --folds 2 --group system --errors kept.yaml
exits "machines alone" 2
contains "machines alone" "$err" "--errors is about folds of all rows, too"

# A machine's own figures say nothing about its prediction from the others, and theirs do. `predicted SHARE` prints two
# errors that were made with figures of the second machine times SHARE: of the first machine, and what it predicts for
# the second, in per mille of the figure before it was multiplied.
predicted() {
	{
		echo family,system,params,metric,value,unit,spread,source
		echo 'fabric_latency,p150-x4,op=write;topology=linear;payload_bytes=16,round_trip_avg,1300,ns,,x'
		echo "fabric_latency,p150-x8,op=write;topology=linear;payload_bytes=16,round_trip_avg,$((1300 * $1 / 100)),ns,,x"
	} >twins.csv
	meshsim calibrate --fit --reference twins.csv --folds 2 --group system --constant chip.router_handover_latency
	printf '%s\n' "$out" | awk -v share="$1" '$2 == "p150-x4" { first = $4 }
		$2 == "p150-x8" { print first, int(10 * (share > 100 ? (1 - $4 / 100) * share : (1 + $4 / 100) * share) / 10 + 0.5) }'
}
low=$(predicted 80) high=$(predicted 125)
equal "its own figures do not move its prediction" "${low#* }" "${high#* }"
[ "${low% *}" != "${high% *}" ] || fail "the other's figures do not move its prediction: ${low% *} % both times"

# A separate platform directory, in which rings cost a quarter less. From a much lower value the fit
# would stop early: full rings either jam or not, and slopes there are of little use.
mkdir bench
cp -r "$MESHSIM_SOURCE_DIR/platforms" platforms
cp -r "$MESHSIM_SOURCE_DIR/bench/reference" bench/reference
sed -i '/^  ring:/{n;s/value: [0-9.]*,/value: 150,/}' platforms/_wormhole.yaml
grep -q 'value: 150,' platforms/_wormhole.yaml || fail "no constant was moved"
MESHSIM_PLATFORMS=$PWD/platforms
export MESHSIM_PLATFORMS
{ head -1 bench/reference/figures.csv; grep 't3k,.*full_ring' bench/reference/figures.csv; } >rings.csv
meshsim calibrate --fit --reference rings.csv --family fabric_bandwidth --constant chip.ring \
	--evaluations 8 -o new.yaml
exits "fit" 0
after=$(printf '%s\n' "$out" | awk '$1 == "chip.ring" { printf "%d", $4 }')
[ "${after:-0}" -ge 180 ] && [ "$after" -le 210 ] || fail "ring: fitted to ${after:-nothing}"
contains "fit" "$out" "before       7 rows"
contains "the file" "$(cat new.yaml)" "calibrate --fit on 7 published figures: median"
equal "the file's other lines" "$(diff new.yaml platforms/_wormhole.yaml | grep -c '^>')" 2
cp new.yaml platforms/_wormhole.yaml
meshsim validate --reference rings.csv
exits "validate what was written" 0
contains "validate what was written" "$out" "fabric_bandwidth      7    7"

finish

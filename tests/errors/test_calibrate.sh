# `meshsim calibrate --fit`: what it refuses, and that it finds its way back to a constant that was
# moved away, and writes it down with how well it fits. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

meshsim calibrate
exits "without --fit" 2
contains "without --fit" "$err" "say --fit"

meshsim calibrate --fit --constant chip.noc_latency
exits "a measured constant" 2
contains "a measured constant" "$err" "chip.noc_latency is measured: only constants of kind fitted"

meshsim calibrate --fit --constant chip.rings
exits "no constant" 2
contains "no constant" "$err" "there is no constant 'chip.rings'"

# A platform directory of its own, in which rings cost half as much as they do.
mkdir bench
cp -r "$MESHSIM_SOURCE_DIR/platforms" platforms
cp -r "$MESHSIM_SOURCE_DIR/bench/reference" bench/reference
sed -i '/^  ring:/{n;s/value: [0-9.]*,/value: 97,/}' platforms/_wormhole.yaml
grep -q 'value: 97,' platforms/_wormhole.yaml || fail "no constant was moved"
MESHSIM_PLATFORMS=$PWD/platforms
export MESHSIM_PLATFORMS
{ head -1 bench/reference/figures.csv; grep 't3k,.*full_ring' bench/reference/figures.csv; } >rings.csv
meshsim calibrate --fit --reference rings.csv --family fabric_bandwidth --constant chip.ring \
	--evaluations 25 -o new.yaml
exits "fit" 0
after=$(printf '%s\n' "$out" | awk '$1 == "chip.ring" { printf "%d", $3 }')
[ "${after:-0}" -ge 180 ] && [ "$after" -le 210 ] || fail "ring: fitted to ${after:-nothing}"
contains "fit" "$out" "before     7 rows"
contains "the file" "$(cat new.yaml)" "calibrate --fit on 7 published figures: median"
equal "the file's other lines" "$(diff new.yaml platforms/_wormhole.yaml | grep -c '^>')" 2
cp new.yaml platforms/_wormhole.yaml
meshsim validate --reference rings.csv
exits "validate what was written" 0
contains "validate what was written" "$out" "fabric_bandwidth      7    7"

finish

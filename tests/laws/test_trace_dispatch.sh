# Laws of traced programs on one chip. Binaries that stay in the config ring cost nothing, whatever their size, until
# those of a trace no longer fit together. The time per program is that of the slowest stage, not the sum of all stages.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# ask PARAMS, and after the run answer PARAMS: the time per program, in whole ns
rows=rows.csv
echo "family,system,params,metric,value,unit,spread,source" >"$rows"
ask() {
	echo "program_dispatch,n300,$1,time_per_program,1,us,,law" >>"$rows"
}
answer() {
	awk -v params="$1" '/ n300 / { if ($NF == params) { printf "%d\n", $2 * 1000; exit } }' seen
}

# between NAME SEEN LEAST MOST
between() {
	[ -n "$2" ] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] && return 0
	fail "$1: $2 ns, expected $3 to $4"
}

every="processors=all;cores=all"
floor="$every;kernel_bytes=256;kernel_cycles=0;trace=yes"
large="processors=brisc;cores=all;kernel_bytes=12288;kernel_cycles=0;trace=yes"
three="$every;kernel_bytes=4096;kernel_cycles=0;trace=yes;working_set_of_prefetcher_cache=0.08"
four="$every;kernel_bytes=4096;kernel_cycles=0;trace=yes;working_set_of_prefetcher_cache=0.1"
short="$every;kernel_bytes=256;kernel_cycles=250;trace=yes"
middle="$every;kernel_bytes=256;kernel_cycles=5000;trace=yes"
long="$every;kernel_bytes=256;kernel_cycles=40000;trace=yes"
untraced="$every;kernel_bytes=8192;kernel_cycles=0;trace=no"
traced="$every;kernel_bytes=8192;kernel_cycles=0;trace=yes"
one="$floor;fast_programs_behind_slow=0"
slow="$every;kernel_bytes=256;kernel_cycles=10000;trace=yes;fast_programs_behind_slow=4"
for params in "$floor" "$large" "$three" "$four" "$short" "$middle" "$long" "$untraced" "$traced" \
	"$one" "$slow"; do
	ask "$params"
done
meshsim validate --reference "$rows" --rows
echo "$out" >seen

base=$(answer "$floor")
between "the floor" "$base" 1000 1500
between "a large binary that stays" "$(answer "$large")" $((base - 20)) $((base + 20))
fits=$(answer "$three")
between "three programs of 20 KiB in a ring of 69 KiB" "$fits" "$base" $((base * 3 / 2))
between "four of them" "$(answer "$four")" $((fits * 2)) $((fits * 5))
between "a kernel shorter than the dispatch" "$(answer "$short")" "$base" $((base + 20))
fixed=$(($(answer "$middle") - 5000))
between "fixed part beside a kernel" "$fixed" 500 "$base"
between "the same beside a longer one" $(($(answer "$long") - 40000)) $((fixed - 10)) $((fixed + 10))
between "a trace of large binaries" "$(answer "$traced")" "$base" $(($(answer "$untraced") / 2))
between "a key that is what it is anyway" "$(answer "$one")" "$base" "$base"
between "fast programs behind a slow one" "$(answer "$slow")" $((10000 + 5 * fixed - 100)) \
	$((10000 + fixed + 4 * base - 100))
finish

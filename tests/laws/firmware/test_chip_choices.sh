# Laws of the choices that one chip and its host have: command buffers, the kernel cache, and the time for which threads
# spin. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

# ask SCENARIO OPTION METRIC KIND: a row; afterwards predicted OPTION has its figure, in ns or thousandths of a percent
echo "id,system,scenario,option,metric,value,unit,source,kind" >rows.csv
rows=0
ask() {
	rows=$((rows + 1))
	echo "row$rows,n300,$1,$2,$3,1,us,law,$4" >>rows.csv
}
predicted() {
	printf '%s\n' "$out" | sed -n 's/.*"option": "\([^"]*\)".*"predicted": \([0-9.e+-]*\)}.*/\1:\2/p' |
		awk -F : -v option="$1" '$1 == option { printf "%d", $2 * 1000; exit }'
}

for buffers in one two; do
	ask "writes over NoC command buffers" "$buffers; 8192 B kernels" time dispatch
	ask "writes over NoC command buffers" "$buffers; 256 B kernels" time dispatch
	ask "writes over NoC command buffers" "$buffers; 256 B kernels; 32 args" time dispatch
done
for cache in on off; do
	ask "prefetcher cache" "cache $cache" time dispatch
	ask "prefetcher cache" "cache $cache; traced; 1 kernel groups" time dispatch
done
for window in 1 100 10000; do
	ask "threads that spin before they sleep" "$window us window" "host CPU" events
done
for wait in spinning parking; do
	ask "threads that spin or sleep" "$wait" "host CPU" events
	ask "threads that spin or sleep" "$wait now" time events
done
meshsim validate --decisions rows.csv --json
exits "choices" 0

# less NAME A B: option A's figure is below B's
less() {
	first=$(predicted "$2") second=$(predicted "$3")
	[ -n "$first" ] && [ -n "$second" ] && [ "$first" -lt "$second" ] && return 0
	fail "$1: '$2' takes $first, '$3' $second"
}
less "pieces of a multicast are prepared meanwhile" "two; 8192 B kernels" "one; 8192 B kernels"
less "so are arguments" "two; 256 B kernels; 32 args" "one; 256 B kernels; 32 args"
equal "a lone multicast waits for acknowledgements" \
	"$(predicted "one; 256 B kernels")" "$(predicted "two; 256 B kernels")"
less "kernels in the cache are not read again" "cache on" "cache off"
equal "kernels that stay in the workers are in no cache" \
	"$(predicted "cache off; traced; 1 kernel groups")" "$(predicted "cache on; traced; 1 kernel groups")"
less "a window costs its time" "1 us window" "100 us window"
less "... up to the wait" "100 us window" "10000 us window"
less "a parked thread leaves its core" parking spinning
less "... and is woken" "spinning now" "parking now"
at_most "a spinning thread is always on its core, in thousandths of a percent" 99000 "$(predicted spinning)"
at_most "one that parks hardly ever" "$(predicted parking)" 1000
finish

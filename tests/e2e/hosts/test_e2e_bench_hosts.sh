# bench-hosts runs controller and executor natively and simulated, with constants that it has measured here, and prints
# a row for each placement: figures, the prediction and its error. The figures themselves are not checked. label: full
# timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

bench=$(dirname "$binary")/bench-hosts
[ -x "$bench" ] || {
	echo "skipped: there is no bench-hosts beside $binary"
	exit 77
}
out=$("$bench" --quick unix 2>err)
equal 'it comes to its end' $? 0
equal 'and says nothing but that it has measured' \
	"$(errors_of err | grep -v ': [0-9]* constants of loopback\(-apart\)\{0,1\}$')" ''
rows=$(printf '%s\n' "$out" | grep '^unix ')
equal 'a row for one core, one for a core each and one for all' "$(printf '%s\n' "$rows" | awk '{print $2}' | tr '\n' ' ')" 'one own all '
number='[0-9]+\.[0-9]'
off='[+-][0-9]+ %[! ]'
figures=" +$number +$number +$number +$number +$off"
bad=$(printf '%s\n' "$rows" | grep -Ev "^unix +(one|own|all) $figures $figures +$number +$number +$number +[0-9]+\.[0-9]+( +$number)?\$")
woken=$(printf '%s\n' "$rows" | awk 'NF == 19 {printf "%s ", $2}')
equal 'with a core each, what a wake-up took' "$woken" 'own '
equal 'figures, prediction and error, twice; events; the library alone' "$bad" ''
"$bench" --quick unx >/dev/null 2>err && fail 'a name that is none is refused'
contains 'which' "$(cat err)" "transport 'unx' is not in this build"
finish

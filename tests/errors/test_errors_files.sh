# Files prepared by a stranger: pipes do not block a command, the text of a file named by another
# file does not appear in a message, and no argument reaches the terminal raw. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

mkfifo pipe.yaml
printf 'meshsim: 1\nname: x\nplatform: {extends: ./pipe.yaml}\nworkload: [finish]\n' >extends_pipe.yaml
# in_time NAME ARGUMENT...: the command ends by itself with 2 and names the pipe
in_time() {
	name=$1
	shift
	code=0
	timeout 20 "$binary" "$@" >"$work.out" 2>"$work.err" || code=$?
	err=$(errors_of "$work.err")
	exits "$name" 2
	contains "$name" "$err" "it is a pipe"
}
in_time "a scenario" run pipe.yaml
in_time "a layer" run extends_pipe.yaml
in_time "a layer on the command line" platform show ./pipe.yaml
in_time "a mesh graph" place --mgd pipe.yaml --psd pipe.yaml
in_time "reference figures" validate --reference pipe.yaml
in_time "a tensor" layout pipe.yaml

# A file outside the folder of the file that names it: one error at the name, none of its text.
mkdir -p inside outside
printf 'zebra: quagga\n' >outside/map.yaml
printf 'zebra:x:0:0:quagga\nquagga:x:1:1:\n' >outside/lines
printf 'zebra: [quagga\n' >outside/broken.yaml
ln -s ../outside/lines inside/link.yaml
scenario() {
	printf 'meshsim: 1\nname: x\nplatform: {extends: %s}\nworkload: [finish]\n' "$1" >inside/s.yaml
}
for file in ../outside/map.yaml ../outside/lines ../outside/broken.yaml ./link.yaml; do
	scenario "$file"
	cd inside || exit 1
	meshsim run s.yaml
	cd .. || exit 1
	exits "$file" 2
	case $file in
	*broken.yaml) contains "$file: place" "$err" "s.yaml:3:21: error: '$file' has errors, not shown here" ;;
	esac
	for word in zebra quagga; do
		case $err in
		*"$word"*) fail "$file: a message shows its text: $err" ;;
		esac
	done
done
# If the user names it, or it is below the working directory, it is shown.
scenario ../outside/broken.yaml
meshsim run inside/s.yaml
contains "below the working directory" "$err" "inside/../outside/broken.yaml:1:15: error: not YAML"
cd inside || exit 1
meshsim platform show ../outside/broken.yaml
cd .. || exit 1
contains "named by the user" "$err" "../outside/broken.yaml:1:15: error: not YAML"

# Arguments: no terminal escape, no forged line, no bidirectional control.
for bad in "$(printf 'x\033[31my')" "$(printf 'x\nerror: forged')" "$(printf 'x\342\200\216y')" \
	"$(printf 'x\330\234y')" "$(printf 'x\377y')"; do
	meshsim show "$bad"
	exits "argument" 2
	contains "argument" "$err" "meshsim: argument 2 holds a control character or is not UTF-8: 'x?"
	[ "$(printf '%s\n' "$err" | wc -l)" -eq 1 ] || fail "more than a line: $err"
done
# Invalid file names: the message states the reason.
# name NAME WHY
name() {
	printf "meshsim: 1\nname: '%s'\nplatform: n150\nworkload: [finish]\n" "$1" >named.yaml
	meshsim run named.yaml
	exits "the name $1" 2
	contains "the name $1" "$err" "named.yaml:2:7: error: 'name': files are named after it, and it $2"
}
name .x "begins with '.'"
name a/b "has a '/'"
name "$(printf '%0129d' 0)x" 'has more than 128 bytes'
name ::error::a "has '::' before a word, or '#' twice before '[': a command in logs of GitHub"
finish

# Commands replace files at the user's output path only if these are of their own kind: any other file
# stays unchanged, byte for byte, and the message states its kind. label: slow  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

head_of s <<'END'
workload:
  - repeat: 4
    do: [{enqueue_workload: {cores: 4}}, finish]
END
printf 'month,rent\nMay,800\n' >notes.txt
printf '<?xml version="1.0"?>\n<testsuite name="others"/>\n' >others.xml
printf '<!DOCTYPE html>\n<title>meshsim report</title>\n' >others.html
meshsim run s.yaml -o input.h5
exits 'a result' 0
rings=$PWD/rings.csv
sed -n '1p; /t3k,.*full_ring/{p;q}' "$MESHSIM_SOURCE_DIR/bench/reference/figures.csv" >"$rings"

# write COMMAND TARGET: runs the command that writes a file of this kind; sets $code, $out and $err
write() {
	case $1 in
	result) meshsim run s.yaml -o "$2" ;;
	resumed) meshsim run s.yaml --resume -o "$2" ;;
	report) meshsim report input.h5 --no-errors -o "$2" ;;
	model) meshsim report input.h5 --no-errors --model -o "$2" ;;
	trace | chrome) meshsim timeline input.h5 0 -o "$2" ;;
	baseline) meshsim check input.h5 --baseline "$2" --update ;;
	junit) meshsim check input.h5 --baseline good.baseline --junit "$2" ;;
	wall)
		meshsim check --wall input.h5 input.h5 input.h5 input.h5 input.h5 input.h5 input.h5 \
			input.h5 input.h5 --baseline "$2" --update
		;;
	platform) meshsim calibrate --fit --reference "$rings" --constant chip.ring --evaluations 2 \
		-o "$2" ;;
	esac
}

# name COMMAND: name of a file that the command wrote
name() {
	case $1 in
	chrome) printf 'good.json' ;;
	*) printf 'good.%s' "$1" ;;
	esac
}

# is_kin COMMAND OTHER: both write the same kind of file
is_kin() {
	case $1-$2 in
	result-resumed | resumed-result | report-model | model-report | trace-chrome | chrome-trace) true ;;
	*) [ "$1" = "$2" ] ;;
	esac
}

# seen FILE: everything about it that must not change
seen() {
	stat -c '%F %i %a %s %y %t %T' "$1"
	[ ! -L "$1" ] || readlink "$1"
	[ ! -f "$1" ] || cksum <"$1"
}

# refused COMMAND TARGET PART...: exit code 2, and a line with the target and the parts
refused() {
	command=$1 target=$2
	shift 2
	before=$(seen "$target")
	list=$(ls -A)
	write "$command" "$target"
	exits "$command over $target" 2
	equal "$command over $target: one line" "$(printf '%s\n' "$err" | grep -c .)" 1
	contains "$command over $target: named" "$err" "meshsim: will not replace $target: it is "
	for part; do
		contains "$command over $target" "$err" "$part"
	done
	equal "$command over $target: nothing on standard output" "$out" ""
	equal "$command over $target: as it was" "$(seen "$target")" "$before"
	equal "$command over $target: nothing else is left" "$(ls -A)" "$list"
}

kinds='baseline result resumed report model trace chrome junit wall platform'
for command in $kinds; do
	file=$(name $command)
	write $command "$file"
	exits "$command: a new file" 0
	[ -s "$file" ] || fail "$command: a new file"
	equal "$command: rights of a new file" "$(stat -c %a "$file")" "$(stat -c %a notes.txt)"
done

mkfifo pipe
ln -s notes.txt link
ln -s nothing dangling
# A device that may be lost; the machine's own devices only if they cannot be removed.
devices=
if mknod device c 1 3 2>/dev/null; then
	devices='device'
elif [ "$(id -u)" -ne 0 ]; then
	devices='/dev/null'
fi
[ -n "$devices" ] || printf 'no device to try\n'

for command in $kinds; do
	for device in $devices; do
		refused $command $device 'a device'
	done
	refused $command pipe 'a pipe'
	refused $command link 'a symbolic link'
	refused $command dangling 'a symbolic link'
	ln -s "$(name $command)" to-kin
	refused $command to-kin 'a symbolic link'
	rm to-kin
	for file in s.yaml notes.txt others.xml others.html; do
		refused $command $file 'it is no ' ' of meshsim'
	done
	for other in $kinds; do
		is_kin $command $other || refused $command "$(name $other)" 'it is no '
	done
	case $command in
	result | resumed) ;;
	*) refused $command input.h5 'it is no ' ;;
	esac
done
for command in report trace; do
	refused $command pipe "for standard output give '-'"
done
refused platform "$MESHSIM_SOURCE_DIR/bench/reference/figures.csv" 'no platform file'

# An empty name, and a name in a missing folder, are rejected before any work is done.
for command in $kinds; do
	for target in '' nowhere/; do
		write $command "$target"
		exits "$command to '$target'" 2
		contains "$command to '$target'" "$err" meshsim:
		equal "$command to '$target': nothing on standard output" "$out" ''
		[ ! -e .partial ] && [ ! -e nowhere ] || fail "$command to '$target': something is left"
	done
done

# ---- folders ----
mkdir folder
for command in report model trace chrome junit wall platform; do
	refused $command folder 'a directory'
done
write result folder
exits 'a result into a folder' 0
[ -f folder/s.h5 ] || fail 'a result into a folder'
write baseline folder
exits 'a baseline into a folder' 0
[ -f folder/s.yaml ] || fail 'a baseline into a folder'
cp s.yaml folder/s.yaml
refused_in_folder=$(seen folder/s.yaml)
write baseline folder
exits 'a scenario in the folder of baselines' 2
equal 'a scenario in the folder of baselines' "$(seen folder/s.yaml)" "$refused_in_folder"
for command in $kinds; do
	write $command none/x
	exits "$command: a folder that is not there" 2
	equal "$command: a folder that is not there" "$err" \
		'meshsim: cannot write none/x: No such file or directory'
done

# ---- files that may be replaced ----
for command in baseline result report model trace chrome junit wall; do
	: >empty
	write $command empty
	exits "$command over an empty file" 0
	[ -s empty ] || fail "$command over an empty file"
	write $command "$(name $command)"
	exits "$command over its own kind" 0
done
write report good.model
exits 'a page over a model' 0
write trace good.json
exits 'a trace over a trace' 0
equal 'nothing half-written is left' "$(find . -name '*.new-*')" ''

# ---- standard output ----
"$binary" report input.h5 --no-errors -o - | cmp - good.report || fail 'report: standard output'
"$binary" timeline input.h5 0 -o - | cmp - good.trace || fail 'timeline: standard output'
for command in baseline result resumed junit wall platform; do
	write $command -
	exits "$command to standard output" 2
	contains "$command to standard output" "$err" 'does not go to standard output: give a name'
	equal "$command to standard output" "$out" ''
done
[ ! -e - ] || fail "no file is called '-'"
if [ -w /dev/full ]; then
	"$binary" report input.h5 --no-errors -o - >/dev/full 2>full.err && fail 'a full device'
	contains 'a full device' "$(cat full.err)" 'cannot write to standard output: No space left on device'
fi
finish

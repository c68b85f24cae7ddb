# Hostile names of scenarios, programs, runs, platforms, hosts and files reach no output raw: neither a terminal, a
# rank file, a list of devices, Markdown, JUnit, JSON, SVG, a page nor a log of GitHub. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip 'no python3'
fixtures=$source_directory/tests/real/fixtures
baseline=baseline.yaml

mkdir seen
# keep WHAT [FILE...]: collects meshsim's last output, and these files, for the check at the end
keep() {
	what=$(printf '%s' "$1" | tr -c 'a-zA-Z0-9_.\n-' _ | tr '\n' _)
	shift
	seen=$(ls seen | wc -l)
	cp "$work.out" "seen/$seen-$what.out"
	errors_of "$work.err" >"seen/$seen-$what.err"
	for file in "$@"; do
		cp "$file" "seen/$seen-$what-${file##*/}"
	done
}

# say WHAT CODE ARGUMENT...: runs meshsim, which must exit with CODE, and collects its output
say() {
	what_said=$1 code_wanted=$2
	shift 2
	meshsim "$@"
	exits "$what_said" "$code_wanted"
	keep "$what_said"
}

newline='
'
escape=$(printf '\033[31m')
turned=$(printf '\342\200\256')   # U+202E
mark=$(printf '\342\200\216')     # U+200E
wide=$(printf '\343\200\200')     # U+3000, which GitHub drops before a command
printable="-a|b\`c\`<script>alert(1)</script>&\"' ::error::d ##[error]e${wide}::error::f"

# ---- scenarios: every name, raw and with YAML escapes ----
for name in "a${newline}::error::b" "a${escape}b" "a${turned}b" "a${mark}b" '\n::error::a' '\e[31ma' '\u202ea' \
	'\u200ea' '::error::a' '##[error]a' "${wide}::error::a" '<script>alert(1)</script>' 'a|b' 'a`b`' '-a'; do
	cat >s.yaml <<END
meshsim: 1
name: "$name"
description: "$name"
platform: n150
workload:
  - enqueue_workload: {program: "$name", as: "$name"}
  - write_buffer: {buffer: "$name", bytes: "$name"}
nothing: "$name"
"$name": 1
END
	say "a scenario named $name" 2 run s.yaml -o none.h5
done
for name in "a${newline}::error::b" "a${escape}b" "a${turned}b" '::error::a' "${wide}::error::a" -a; do
	say "an override with $name" 2 run s.yaml -o none.h5 --set "name=$name"
	say "a file named $name" 2 run "./$name" "$name"
done

# ---- names that a result may hold, in each output of it ----
cat >s.yaml <<END
meshsim: 1
name: "-a|b\`c\`<script>alert(1)&'"
description: "${printable%%\"*}' ${wide}::error::x <script>alert(2)</script>"
platform: n150
workload:
  - enqueue_workload: {program: "<script>alert(3)|\`p\`"}
sweep: {workload.0.enqueue_workload.program: ["|q\`<script>alert", "-r&'"]}
END
say 'printable names' 0 run s.yaml -o s.h5
say 'show' 0 show s.h5
say 'compare' 2 compare s.h5
say 'explain' 0 explain s.h5 0 1
say 'a baseline' 0 check s.h5 --baseline $baseline --update
sed 's/[0-9][0-9]* *ps/1 ps/; s/: \([0-9]\{4,\}\)/: 1/' $baseline >worse.yaml
for form in '' --markdown; do
	# shellcheck disable=SC2086 # none or one
	say "check $form" 1 check s.h5 --baseline worse.yaml $form --junit junit.xml
	keep "check $form" junit.xml
done
lacks 'Markdown' "$(cat seen/*markdown.out)" '<script>'
meshsim show s.h5 --json
cp "$work.out" show.json
say 'a page' 0 report s.h5 --no-errors -o page.html
keep 'JSON and a page' show.json page.html
say 'runs' 2 explain s.h5 "0${newline}::error::" "${turned}1"

# ---- files in a folder, platforms ----
mkdir folder
for name in -x.h5 "a${newline}::error::b.h5" "a${escape}.h5" "${turned}a.h5" '<script>alert(1).h5' '|`a`.h5' \
	'::error::a.h5'; do
	cp s.h5 "folder/$name"
	cp s.yaml "folder/damaged $name"
done
meshsim history folder -o history.html
keep 'a folder of hostile names' history.html
for name in -x "a${newline}::error::b" "a${escape}" "${turned}a" "${wide}::error::a"; do
	printf 'extends: n150\nname: "%s"\ndescription: "%s"\nchip: {"%s": 1}\n' "$name" "$name" "$name" >p.yaml
	say "a platform named $name" 2 platform show ./p.yaml
	say "the platform $name" 2 platform show "$name"
done

# ---- hosts ----
for name in "a${newline}rank 9=evil slot=0" 'a\nrank 9=evil' 'a rank 9=evil' "a${escape}" "${turned}a" '::error::a' -a \
	'|a' '`a`' '<script>alert(1)' '#a'; do
	NAME=$name awk '{ gsub(/node0/, ENVIRON["NAME"]); print }' "$fixtures/psd/two_hosts.textproto" >hosts.textproto
	rm -rf placed
	meshsim place --psd hosts.textproto --mgd "$fixtures/mgd/grid_2x4.textproto" --relaxed -o placed --svg placed.svg
	keep "a host named $name"
	case $name in
	-a) # a valid name of a host, and it begins no line
		exits "a host named $name" 0
		keep "a host named $name" placed/*.txt placed/*.yaml placed.svg
		;;
	*) exits "a host named $name" 2 ;;
	esac
	grep -qs '^rank 9' placed/rankfile.txt && fail "the host $name adds a rank"
done

seen=$(ls seen | wc -l)
[ "$seen" -ge 120 ] || fail "only $seen outputs were looked at"
faults=$(/usr/bin/python3 "$source_directory/tests/errors/strangers/names.py" seen/* 2>&1) || fail "$faults"
finish

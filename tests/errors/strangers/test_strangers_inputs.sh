# Each argument of each command that names an input file: a pipe, socket, device or folder ends the
# command at once with an error that names it. The text of a foreign file that another file names never
# appears in a message. label: full  timeout: 300
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
command -v python3 >/dev/null || skip 'no python3'

files=$source_directory/tests/real/fixtures
pair=$files/mgd/pair_of_boards.textproto
boards=$files/cluster_descriptors/two_dual_boards.yaml
head_of s <<'END'
workload: [finish]
sweep: {runtime.completion: [table, per-device]}
END
meshsim run s.yaml -o good.h5
exits 'a run' 0
meshsim check good.h5 --baseline good.yaml --update
exits 'a baseline' 0
meshsim place --mgd "$pair" --cluster "$boards" -o placed
exits 'bindings' 0

# Commands with their inputs: COMMAND NAME ARGUMENT..., with FILE in place of the input, which --help
# calls NAME.
inputs() {
	cat <<END
run SCENARIO... run FILE
run --token run hosts.yaml --world native --listen 127.0.0.1:0 --wait 1 --token FILE
executor SCENARIO executor FILE --controller 127.0.0.1:9 --token none --wait 1
executor --token executor hosts.yaml --controller 127.0.0.1:9 --wait 1 --token FILE
show FILE.h5 show FILE
compare FILE.h5 compare FILE
compare [OTHER.h5] compare good.h5 FILE
explain FILE.h5 explain FILE 0 1
explain [OTHER.h5|RUN...] explain good.h5 FILE
report FILE.h5 report FILE --no-errors -o out.html
timeline FILE.h5 timeline FILE 0 -o out.json
check FILE.h5... check FILE --baseline good.yaml
check --baseline check good.h5 --baseline FILE
history FOLDER history FILE -o out.html
layout TENSOR layout FILE
shard --cases shard --cases FILE
platform NAME platform show ./FILE
validate --reference validate --reference FILE
validate --noc-traces validate --noc-traces FILE
validate --op-report validate --op-report FILE
import REPORT.csv|TRACE import FILE
export SCENARIO.yaml|FILE.h5 export --chakra FILE -o out
model FILE model FILE
model [build|show|verify] model verify FILE
model build model build FILE -o out
model show model show FILE
validate [FILE.csv] validate --decisions FILE
place --mgd place --mgd FILE --cluster $boards
place --psd place --mgd $pair --psd FILE
place --cluster place --mgd $pair --cluster FILE
place --groupings place --mgd $pair --cluster $boards --groupings FILE
place --check place --mgd $pair --cluster $boards --check FILE
place --rankfile place --mgd $pair --cluster $boards --check placed/rank_bindings.yaml --rankfile FILE
place --cases place --cases FILE
bring-up SCENARIO bring-up FILE
bring-up --mgd bring-up up.yaml --mgd FILE
bring-up --psd bring-up up.yaml --mgd $pair --psd FILE
manager --psd manager agent --once --host a --psd FILE
manager --mgd manager place a --address 127.0.0.1:9 --mgd FILE
manager --groupings manager serve --address 127.0.0.1:0 --groupings FILE
fuzz [SCENARIO] fuzz FILE --seeds 1
calibrate --reference calibrate --fit --reference FILE
calibrate --into calibrate --host --into FILE
END
}
# Options whose value looks like a file name, but is not an input file.
outputs='run --output,import --output,export --output,model --output,platform --output,manager --output,manager --state,report --output,timeline --output,check --junit,history --output,layout --svg,shard --svg,
validate --plot,validate --scenarios,place --output,place --svg,fuzz --output,calibrate --output,calibrate --errors'

# The table covers every option and argument of --help that names a file.
inputs >table
for command in $("$binary" help | sed -n 's/^  \([a-z-]*\)  .*/\1/p'); do
	"$binary" "$command" --help >help 2>&1
	for option in $(sed -n 's/^ .*\(--[a-z-]*\)=\(FILE\|FOLDER\|DIR\|B\|F\|BINDINGS\)\(\.[a-z0-9]*\)\{0,1\}\( .*\|$\)/\1/p' help); do
		grep -q "^$command $option " table || case ",$(printf '%s' "$outputs" | tr -d '\n')," in
		*",$command $option,"*) ;;
		*) fail "$command $option: neither an input nor an output of this test" ;;
		esac
	done
	for word in $(sed -n 's/^Usage: meshsim [a-z-]* *\[OPTION\.\.\.\]//p' help); do
		case $word in
		-o | FILE.html | FILE | RUN | --* | 'show|describe' | bash* | '[scenario'* | '[COMMAND]') continue ;;
		esac
		grep -qF "$command $word " table || fail "$command $word: no input of this test"
	done
done

printf 'meshsim: 1\nname: hosts\nplatform: tgg-2host\nworkload: [finish]\n' >hosts.yaml
printf 'meshsim: 1\nname: up\nplatform: loopback\nworkload: [finish]\n' >up.yaml
mkfifo pipe
mkdir folder
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
ln -s /dev/zero device
# The objects given in place of FILE, and their kinds.
while read -r command name arguments; do
	for file in pipe socket device folder; do
		case $name-$file in
		FOLDER-folder | --baseline-folder | --noc-traces-folder) continue ;;
		esac
		# shellcheck disable=SC2046 # words
		set -- $(printf '%s' "$arguments" | sed "s|FILE|$file|")
		code=0
		timeout 20 "$binary" "$@" >"$work.out" 2>"$work.err" </dev/null || code=$?
		err=$(errors_of "$work.err")
		what="$command $name: a $file"
		exits "$what" 2
		contains "$what" "$err" "$file"
		case $file in
		folder) contains "$what" "$err" directory ;;
		*)
			[ "$name" = FOLDER ] || contains "$what" "$err" "it is a $file"
			;;
		esac
		[ "$(printf '%s\n' "$err" | grep -c .)" -le 3 ] || fail "$what: $err"
	done
done <table

# In a folder of results they are named and left out.
mkdir results
cp good.h5 results/
mkfifo results/pipe.h5
mkdir results/folder.h5
ln -s /dev/zero results/device.h5
mv socket results/socket.h5
code=0
timeout 20 "$binary" history results -o out.html >"$work.out" 2>"$work.err" || code=$?
err=$(errors_of "$work.err")
exits 'a folder of results' 0
for file in pipe device socket; do
	contains 'a folder of results' "$err" "$file.h5: cannot read: it is a $file"
done

# ---- files named by other files: none of their text appears ----
mkdir inside
printf 'zebra:x:0:0:quagga\nquagga: [1\n' >secret
for secret in ../secret /proc/self/environ /etc/passwd; do
	for text in "platform: {extends: $secret}" "platform: {cluster: $secret}" "platform: $secret" \
		"platform: {mgd: $secret, cluster: $boards}" "platform: {psd: $secret}"; do
		printf 'meshsim: 1\nname: x\n%s\nworkload: [finish]\n' "$text" >inside/s.yaml
		cd inside || exit 1
		ZEBRA=quagga meshsim run s.yaml
		cd .. || exit 1
		exits "$text" 2
		for part in quagga zebra ZEBRA root: /bin/; do
			lacks "$text" "$(printf '%s' "$err" | grep -v extends:)" "$part"
		done
	done
	printf 'mesh_graph_desc_path: %s\nrank_bindings:\n  - rank: 0\n    mesh_id: 0\n' "$secret" \
		>inside/bindings.yaml
	cd inside || exit 1
	ZEBRA=quagga meshsim place --mgd "$pair" --cluster "$boards" --check bindings.yaml
	cd .. || exit 1
	for part in quagga zebra root: /bin/; do
		lacks "bindings that name $secret" "$out$err" "$part"
	done
done
finish

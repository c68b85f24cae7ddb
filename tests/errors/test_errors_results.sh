# label: full
# Every command that reads a result file rejects invalid ones: damaged, truncated, foreign, newer.
# The message names the file, the exit code is 2, and no output file is written.
# timeout: 300  needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

head_of s <<'END'
workload:
  - repeat: 4
    do: [{enqueue_workload: {cores: 4}}, finish]
sweep: {runtime.completion: [table, per-device]}
END
meshsim run s.yaml -o good.h5
exits run 0
meshsim check good.h5 --baseline b.yaml --update
exits update 0

size=$(wc -c <good.h5)
: >empty.h5
echo 'no result' >foreign.h5
head -c 100 good.h5 >head.h5
head -c $((size / 2)) good.h5 >half.h5
head -c $((size - 1000)) good.h5 >tail.h5
# all bits set, except in the first and the last 1,000 bytes
{
	head -c 1000 good.h5
	head -c $((size - 2000)) /dev/zero | tr '\0' '\377'
	tail -c 1000 good.h5
} >damaged.h5
files='empty foreign head half tail damaged missing'
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
	/usr/bin/python3 - <<'END'
import h5py, shutil
h5py.File("other.h5", "w")["x"] = [1, 2]
shutil.copy("good.h5", "newer.h5")
h5py.File("newer.h5", "a").attrs["layout_version"] = 99
END
	files="$files other newer"
fi

# refused ARGUMENT...: of one file
refused() {
	meshsim "$@"
	exits "$*" 2
	contains "$*: the file is named" "$err" "$file.h5"
	equal "$*: nothing on standard output" "$out" ""
}

for file in $files; do
	refused show $file.h5
	refused show $file.h5 --json
	refused compare $file.h5
	refused compare $file.h5 --json --robust
	refused explain $file.h5 0 1
	refused check $file.h5 --baseline b.yaml
	refused check $file.h5 --baseline b.yaml --update
	refused timeline $file.h5 0 -o out.json
	refused timeline $file.h5 0 -o out.pftrace
	refused report $file.h5 -o out.html --no-errors
	[ ! -e out.json ] && [ ! -e out.pftrace ] && [ ! -e out.html ] || fail "$file: a file was written"
done
meshsim compare good.h5
exits 'the good one' 0
finish

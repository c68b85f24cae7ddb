#!/bin/sh
# Installs what is missing, builds meshsim and its tests, runs the tests of each label that is named,
# or the fast and the full ones, and ends with a summary. The other labels are slow and long. Options
# behind them go to ctest: sh tests/run.sh slow -R results
set -eu
cd "$(dirname "$0")/.."
. bench/setup.sh

build_packages
need_packages python3-h5py python3-pandas python3-jsonschema python3-yaml hdf5-tools valgrind dpkg-dev \
	protobuf-compiler chromium chromium-driver python3-selenium munge slurmctld slurmd slurm-client
build all

labels=
while :; do
	case ${1:-} in
	fast | full | slow | long) labels="$labels $1" ;;
	*) break ;;
	esac
	shift
done
labels=${labels:-fast full}

failed=0
logs=
for label in $labels; do
	echo "== $label tests"
	began=$(date +%s)
	log=build/ctest-$label.log
	logs="$logs $log"
	ctest --test-dir build -L "^$label\$" -j "$(nproc)" --output-on-failure --no-tests=ignore \
		"$@" >"$log" 2>&1 || failed=1
	grep -v '^ *Start \|^ *[0-9]*/[0-9]* Test .* Passed ' "$log" || true
	echo "== $label tests took $(($(date +%s) - began)) s"
done

count() {
	# shellcheck disable=SC2086 # a list of words
	cat $logs | grep -c "^ *[0-9]*/[0-9]* Test .*\\($1\\)" || true
}
echo "== $(count ' Passed ') of $(count '') tests passed, $(count 'Skipped') skipped," \
	"$(count 'Failed\|Timeout\|Exception\|Not Run') failed"
exit "$failed"

#!/bin/sh
# Installs what is missing, builds meshsim and its tests, runs the fast tests, then the full ones, and
# ends with a summary. Options go to ctest: sh tests/run.sh -R results
set -eu
cd "$(dirname "$0")/.."
. bench/setup.sh

build_packages
need_packages python3-h5py python3-pandas python3-jsonschema python3-yaml hdf5-tools valgrind dpkg-dev \
	protobuf-compiler chromium chromium-driver python3-selenium
build all

failed=0
for label in fast full; do
	echo "== $label tests"
	ctest --test-dir build -L "^$label\$" -j "$(nproc)" --output-on-failure --no-tests=ignore \
		"$@" >"build/ctest-$label.log" 2>&1 || failed=1
	grep -v '^ *Start \|^ *[0-9]*/[0-9]* Test .* Passed ' "build/ctest-$label.log" || true
done

count() {
	cat build/ctest-fast.log build/ctest-full.log | grep -c "^ *[0-9]*/[0-9]* Test .*\\($1\\)" || true
}
echo "== $(count ' Passed ') of $(count '') tests passed, $(count 'Skipped') skipped," \
	"$(count 'Failed\|Timeout\|Exception\|Not Run') failed"
exit "$failed"

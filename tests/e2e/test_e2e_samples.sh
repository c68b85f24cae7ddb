# The samples of output in the README are what meshsim prints. label: full  timeout: 300
set -eu
aside=$(mktemp -d "${TMPDIR:-/tmp}/meshsim-test-XXXXXX")
trap 'rm -rf "$aside"' EXIT
# What AddressSanitizer says of SimGrid's stacks (support/cli.sh) is no sample.
ASAN_OPTIONS=log_path=$aside/asan python3 "${MESHSIM_SOURCE_DIR:?}/bench/samples.py" \
	"${MESHSIM_BINARY:?}" --check "$MESHSIM_SOURCE_DIR/README.md"

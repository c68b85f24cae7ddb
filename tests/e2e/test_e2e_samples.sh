# The README's samples of output equal meshsim's output. label: full  timeout: 300
set -eu
aside=$(mktemp -d "${TMPDIR:-/tmp}/meshsim-test-XXXXXX")
trap 'rm -rf "$aside"' EXIT
# Keeps AddressSanitizer's warnings about SimGrid's stacks (support/cli.sh) out of the samples.
ASAN_OPTIONS=log_path=$aside/asan python3 "${MESHSIM_SOURCE_DIR:?}/bench/samples.py" \
	"${MESHSIM_BINARY:?}" --check "$MESHSIM_SOURCE_DIR/README.md"

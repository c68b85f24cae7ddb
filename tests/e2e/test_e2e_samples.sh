# The samples of output in README.md and in docs/ equal meshsim's output. label: slow  timeout: 600
set -eu
aside=$(mktemp -d "${TMPDIR:-/tmp}/meshsim-test-XXXXXX")
trap 'rm -rf "$aside"' EXIT
cd "${MESHSIM_SOURCE_DIR:?}"
samples=$(grep -l '^<!-- sample: ' README.md docs/*.md)
[ "$(echo "$samples" | wc -l)" -ge 3 ] || {
	echo "samples are expected in README.md and in two pages of docs/ at least: $samples"
	exit 1
}
# Keeps AddressSanitizer's warnings about SimGrid's stacks (support/cli.sh) out of the samples.
# shellcheck disable=SC2086 # a list of words
ASAN_OPTIONS=log_path=$aside/asan python3 bench/samples.py "${MESHSIM_BINARY:?}" --check $samples

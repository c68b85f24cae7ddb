# Every link of a Markdown file leads to a file, and ARCHITECTURE.md and comments of C sources name files that exist; a
# link and a name that do not are reported.
set -u
root=${MESHSIM_SOURCE_DIR:?}
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || exit 77
python3 "$root/tests/style/links.py" "$root" || exit 1

broken=$(mktemp -d) || exit 2
trap 'rm -rf "$broken"' EXIT
git init -q "$broken"
printf 'See [a](b.md) and [this](ARCHITECTURE.md).\nThe file `room/gone.c`.\n' >"$broken/ARCHITECTURE.md"
printf '/* See a.c, and\n * room/gone.h. */\n' >"$broken/a.c"
expected='ARCHITECTURE.md:1: b.md does not exist
ARCHITECTURE.md:2: room/gone.c does not exist
a.c:2: room/gone.h does not exist'
seen=$(python3 "$root/tests/style/links.py" "$broken") && { echo "broken links pass"; exit 1; }
[ "$seen" = "$expected" ] || { printf 'seen:\n%s\nexpected:\n%s\n' "$seen" "$expected"; exit 1; }

# The program that users build is hardened: position independent, read-only relocations bound at start,
# no executable stack, stack protector, checked library calls (SECURITY.md).
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

case $("$binary" --version) in
*sanitizer* | *NOT*) skip "a build for tests, without these flags" ;;
esac
headers=$(readelf -W -h -l -d "$binary")
symbols=$(readelf -W --dyn-syms "$binary")
contains "position independent" "$headers" "DYN (Position-Independent Executable file)"
contains "relocations read-only" "$headers" "GNU_RELRO"
contains "bound at start" "$headers" "BIND_NOW"
stack=$(printf '%s\n' "$headers" | grep GNU_STACK)
lacks "no executable stack" "$stack" "RWE"
contains "stack protector" "$symbols" "__stack_chk_fail"
contains "checked library calls" "$symbols" "_chk@"
finish

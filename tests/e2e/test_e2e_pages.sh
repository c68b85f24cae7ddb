# The pages beside the scenarios equal meshsim's current output; a third of them in the normal test.
# label: slow  timeout: 300  long: 900
set --
[ -n "${MESHSIM_LONG:-}" ] || set -- --share
exec python3 "${MESHSIM_SOURCE_DIR:?}/bench/pages.py" "${MESHSIM_BINARY:?}" --check "$@"

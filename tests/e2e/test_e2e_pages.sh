# The pages beside the scenarios say what meshsim says now; a third of them by itself.
# label: full  timeout: 300  long: 900
set --
[ -n "${MESHSIM_LONG:-}" ] || set -- --share
exec python3 "${MESHSIM_SOURCE_DIR:?}/bench/pages.py" "${MESHSIM_BINARY:?}" --check "$@"

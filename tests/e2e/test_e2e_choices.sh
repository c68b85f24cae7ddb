# The page of what choices cost says what meshsim says now: every third table here, all in the long test.
# label: full  timeout: 600  long: 600
[ -n "${MESHSIM_LONG:-}" ] || set -- --share
exec python3 "${MESHSIM_SOURCE_DIR:?}/bench/choices.py" "${MESHSIM_BINARY:?}" --check "$@"

# The page about the costs of choices equals meshsim's current output: every third table here, all in the
# long test.
# label: slow  timeout: 600  long: 600
[ -n "${MESHSIM_LONG:-}" ] || set -- --share
exec python3 "${MESHSIM_SOURCE_DIR:?}/bench/choices.py" "${MESHSIM_BINARY:?}" --check "$@"

# The margins of the shipped scenarios have a mechanism: without it they vanish. The long test tries all, this one a
# third. label: slow  timeout: 600  long: 1200
exec python3 "${MESHSIM_SOURCE_DIR:?}/tests/laws/verdict/flagship_margins.py" "${MESHSIM_BINARY:?}" "$MESHSIM_SOURCE_DIR/scenarios"

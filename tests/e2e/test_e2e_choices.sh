# The page of what choices cost says what meshsim says now. label: full  timeout: 600
exec python3 "${MESHSIM_SOURCE_DIR:?}/bench/choices.py" "${MESHSIM_BINARY:?}" --check

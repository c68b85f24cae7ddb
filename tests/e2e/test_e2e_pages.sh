# The pages beside the scenarios say what meshsim says now. label: full  timeout: 300
exec python3 "${MESHSIM_SOURCE_DIR:?}/bench/pages.py" "${MESHSIM_BINARY:?}" --check

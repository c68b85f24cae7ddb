# No files call each other in a circle. label: full  timeout: 600
exec python3 "${MESHSIM_SOURCE_DIR:?}/tests/style/circles.py" "${MESHSIM_BUILD_DIR:?}"

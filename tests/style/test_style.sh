# The sources follow the style rules. Prints each breach. label: full
exec sh "${MESHSIM_SOURCE_DIR:?}/tests/style/style.sh" "$MESHSIM_SOURCE_DIR"

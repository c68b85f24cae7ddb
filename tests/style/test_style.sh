# The sources keep the style. Prints each breach.
exec sh "${MESHSIM_SOURCE_DIR:?}/tests/style/style.sh" "$MESHSIM_SOURCE_DIR"

# The samples of output in the README are what meshsim prints. label: full  timeout: 300
exec python3 "${MESHSIM_SOURCE_DIR:?}/bench/samples.py" "${MESHSIM_BINARY:?}" --check \
	"$MESHSIM_SOURCE_DIR/README.md"

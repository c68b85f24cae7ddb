# No files call each other in a circle, but for those listed in circles.txt.
exec python3 "${MESHSIM_SOURCE_DIR:?}/tests/style/circles.py" "${MESHSIM_BUILD_DIR:?}" \
	"$MESHSIM_SOURCE_DIR/tests/style/circles.txt"

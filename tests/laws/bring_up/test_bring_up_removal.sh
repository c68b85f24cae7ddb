# label: full
# Leaving a message out of a flow leaves exactly the faults that it tells of without it.
exec /usr/bin/python3 "$MESHSIM_SOURCE_DIR/tests/laws/bring_up/bring_up_laws.py" "$MESHSIM_BINARY" \
	"$MESHSIM_SOURCE_DIR/tests/laws/bring_up" removal

# label: full
# A simulated bring-up prints the same bytes each time, and sends the messages of the native one.
exec /usr/bin/python3 "$MESHSIM_SOURCE_DIR/tests/laws/bring_up/bring_up_laws.py" "$MESHSIM_BINARY" \
	"$MESHSIM_SOURCE_DIR/tests/laws/bring_up" same

# label: full
# Each flow of bring-up notices each fault when and by which message the table says, in both worlds.
exec /usr/bin/python3 "$MESHSIM_SOURCE_DIR/tests/laws/bring_up/bring_up_laws.py" "$MESHSIM_BINARY" \
	"$MESHSIM_SOURCE_DIR/tests/laws/bring_up" faults

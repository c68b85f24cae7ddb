# label: full
# Messages of bring-up grow with hosts as they must, and margins go with the cost that makes them.
exec /usr/bin/python3 "$MESHSIM_SOURCE_DIR/tests/laws/bring_up/bring_up_laws.py" "$MESHSIM_BINARY" \
	"$MESHSIM_SOURCE_DIR/tests/laws/bring_up" scale

# label: full
# All flows of bring-up reach the first dispatch with the same bindings, in both worlds.
exec /usr/bin/python3 "$MESHSIM_SOURCE_DIR/tests/laws/bring_up/bring_up_laws.py" "$MESHSIM_BINARY" \
	"$MESHSIM_SOURCE_DIR/tests/laws/bring_up" flows

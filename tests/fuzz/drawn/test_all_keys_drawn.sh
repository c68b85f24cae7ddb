# Every key of a scenario and every kind of step is drawn by `meshsim fuzz`, except for those that drawn_keys.py lists
# with a reason. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

meshsim schema
printf '%s\n' "$out" >schema.json
meshsim fuzz --seeds 500 --print
printf '%s\n' "$out" >any.yaml
meshsim fuzz --hosts --seeds 250 --print
printf '%s\n' "$out" >hosts.yaml
python3 "$source_directory/tests/fuzz/drawn/drawn_keys.py" schema.json any.yaml hosts.yaml >seen || fail "$(cat seen)"
equal 'what is drawn otherwise than the list says' "$(grep -v 'keys and steps are drawn$' seen)" ''
drawn=$(sed -n 's/ keys and steps are drawn$//p' seen)
[ "${drawn:-0}" -ge 250 ] || fail "only ${drawn:-no} keys and steps are drawn"
finish

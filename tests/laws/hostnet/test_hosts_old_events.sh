# label: full
# Over several hosts a queue may wait for an event however many were recorded after it. needs: simgrid
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >old.yaml <<'END'
meshsim: 1
name: old
platform: loopback
runtime: {mesh: {shape: [2, 1]}}
workload:
  - record_event: {event: first, to_host: true}
  - repeat: 17000
    do: [{record_event: {event: other}}]
  - wait_event: {event: first}
  - finish
END
meshsim run old.yaml -o old.h5
exits 'an event of 17,000 ago' 0

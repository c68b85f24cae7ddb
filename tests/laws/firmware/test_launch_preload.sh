# Laws of the preload of launches: a core starts its kernels at the go, or when its set-up is over if that is later. The
# set-up begins when the core's last launch is over. 80 programs of a trace follow each other, so a cost that each
# program waits for appears 80 times in the simulated time of the run.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >preload.yaml <<'END'
meshsim: 1
name: preload
platform: n300
runtime: {mesh: {shape: [1, 1]}}
workload:
  - trace: 10
    do:
      - repeat: 8
        do:
          - enqueue_workload: {program: p, cores: all, processors: all, kernel_bytes: 256, run_ns: 3000}
  - finish
model: {noise: none}
measure: {warmup: 2}
END
programs=80
setup=platform.firmware.worker_launch
off="--set runtime.launch_preload=false"

# ask NAME OPTION...: simulates with these options, and writes the simulated time in ps to the file NAME
ask() {
	name=$1
	shift
	meshsim run preload.yaml -o preload.h5 "$@"
	[ "$code" -eq 0 ] || fail "run $*: exit code $code: $err"
	meshsim show preload.h5 --json
	echo "$out" | sed -n 's/.*"simulated": *\([0-9]*\).*/\1/p' | tail -1 >"$name"
}

# apart NAME MORE LESS NS: the runs MORE and LESS differ by NS for each program. Parts of a ns are rounded, since prices
# are parts of cycles, and the first program does not wait for as many of them as the others.
apart() {
	seen=$((($(cat "$2") - $(cat "$3") + programs * 500) / programs / 1000))
	[ "$seen" -eq "$4" ] || fail "$1: $seen ns a program, expected $4"
}

# more NAME MORE LESS: the run MORE takes longer
more() {
	[ "$(cat "$2")" -gt "$(cat "$3")" ] || fail "$1: $(cat "$2") ps, expected more than $(cat "$3")"
}

ask preload
ask none $off
ask chip --set model.cores=chip
ask chip_none --set model.cores=chip $off
ask long --set $setup=2000
ask longer --set $setup=3000
ask long_none --set $setup=2000 $off
ask longer_none --set $setup=3000 $off
ask short --set $setup=0
ask shorter --set $setup=100
ask short_none --set $setup=0 $off
ask shorter_none --set $setup=100 $off

apart "a set-up longer than the way of the go is waited for" longer long 1000
apart "a set-up shorter than the way of the go is hidden" shorter short 0
apart "without preload a long set-up is waited for" longer_none long_none 1000
apart "without preload a short set-up is waited for, too" shorter_none short_none 100
more "without preload the set-up begins at the go" none preload
apart "all cores at once, with preload" chip preload 0
apart "all cores at once, without" chip_none none 0
# Hardware under its profiler: kernels of a trace start 2,050 ns after the last end. This needs a set-up of 1,740 cycles.
# The constant of the platform is smaller, since the cost of the profiler is not modelled. So this is no check of the
# constant: it shows that the way of the go does not add to a long set-up.
meshsim run preload.yaml -o preload.h5 --set $setup=1740
gap=$(echo "$out" | awk '/^enqueue_workload/ { found = 1 } found && $1 == "0" { printf "%d", 1e9 / $NF - 3000; exit }')
[ "$gap" -ge 1845 ] && [ "$gap" -le 2255 ] || fail "gap of profiled programs: $gap ns, expected 2050 +- 10 %"
finish

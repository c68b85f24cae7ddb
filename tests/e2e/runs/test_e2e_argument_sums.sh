# The sums of arguments that cores report at the end of a run agree with those given to them, for all ways
# to choose cores and for groups of columns. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# agrees NAME CORES: launches with arguments of their own, in four groups of columns
agrees() {
	head_of sums <<END
workload:
  - repeat: 3
    do:
      - enqueue_workload: {program: p, cores: $2, kernel_groups: 4, runtime_args: 3, common_runtime_args: 2, run_ns: 100}
  - finish
measure: {verify_cores: 64}
END
	meshsim run sums.yaml
	exits "$1" 0
}

agrees "all cores" all
agrees "the first of them" 29
agrees "a rectangle" "[6, 5]"
finish

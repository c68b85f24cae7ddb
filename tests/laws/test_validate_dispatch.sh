# label: full  timeout: 300
# Program dispatch compared with figures measured on hardware: errors of the calibration rows, and
# the effects of its mechanisms: which stage pays for arguments, groups, working sets and slow
# programs.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

figures_of n300
meshsim validate --reference figures.csv --family program_dispatch --by system --json
exits "calibration rows" 0
at_most "median error, per mille" "$(number "$out" program_dispatch median)" 12
at_most "nine of ten, per mille" "$(number "$out" program_dispatch p90)" 60
stands program_dispatch n300
at_most "1000 less the ranking, per mille" \
	$((1000 - $(number "$out" program_dispatch ranking))) 99
equal "rows that did not run" "$(number "$out" program_dispatch not_run)" 0

# predicted NAME: predictions for six rows on standard input, in ns
predicted() {
	predict "$1" 6 'program_dispatch,n300,processors=all;' ',time_per_program,1,us,,x'
}

predicted "arguments" <<'END'
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;runtime_args=128
cores=1;kernel_bytes=256;kernel_cycles=0;trace=yes
cores=1;kernel_bytes=256;kernel_cycles=0;trace=yes;runtime_args=128
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;common_runtime_args=1
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;common_runtime_args=128
END
at_most "unique arguments are written core by core" $(((d - c) * 10)) $((b - a))
at_most "common arguments are one multicast" $((a + 500)) "$e"
at_most "... whatever their number, nearly" $((f - e)) $(((e - a) / 5))
at_most "... and cheaper than unique ones" $(((f - a) * 4)) $((b - a))

predicted "groups" <<'END'
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;kernel_groups=4
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;kernel_groups=8
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;circular_buffers=1
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;circular_buffers=32
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;circular_buffers=1;circular_buffer_groups=8
END
at_most "kernel groups cost in proportion: eight against four" $(((c - a) * 10)) $(((b - a) * 25))
at_most "... and not less" $(((b - a) * 20)) $(((c - a) * 10))
at_most "circular buffers of one set of cores are one multicast" $((e - d)) $(((d - a) / 5))
at_most "circular buffers of eight sets are eight" $(((d - a) * 3)) $((f - a))

predicted "binaries of groups" <<'END'
cores=all;kernel_bytes=256;kernel_cycles=0;trace=no;kernel_groups=8
cores=all;kernel_bytes=1024;kernel_cycles=0;trace=no;kernel_groups=8
cores=all;kernel_bytes=2048;kernel_cycles=0;trace=no;kernel_groups=8
cores=all;kernel_bytes=4096;kernel_cycles=0;trace=no;kernel_groups=8
cores=all;kernel_bytes=256;kernel_cycles=0;trace=no
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;kernel_groups=8
END
at_most "small binaries cost as much as those that leave while the next is prepared" "$b" $((a + a / 20))
at_most "larger ones cost what they take to leave" $((c + 2000)) "$d"
at_most "groups cost more if their binaries are sent" $((f + 2000)) "$a"

predicted "slow programs" <<'END'
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;kernel_groups=8
cores=all;kernel_bytes=256;kernel_cycles=40000;trace=yes;kernel_groups=8
cores=all;kernel_bytes=256;kernel_cycles=40000;trace=yes;kernel_groups=8;fast_programs_behind_slow=4
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes;kernel_groups=8;fast_programs_behind_slow=4
cores=all;kernel_bytes=256;kernel_cycles=0;trace=yes
cores=all;kernel_bytes=256;kernel_cycles=40000;trace=yes;fast_programs_behind_slow=4
END
at_most "dispatch alone is the floor of programs that end at once" $((a * 49 / 10)) "$d"
at_most "a slow program hides the dispatch of the fast ones behind it" $((c - b)) $((a * 2))
at_most "... so that groups cost nothing" "$c" $((f + f / 50))
at_most "... and the fast ones still take their time" $((b + e)) "$c"

predicted "working sets" <<'END'
cores=all;kernel_bytes=8192;kernel_cycles=0;trace=yes
cores=all;kernel_bytes=8192;kernel_cycles=0;trace=yes;working_set_of_prefetcher_cache=0.5
cores=all;kernel_bytes=8192;kernel_cycles=0;trace=yes;working_set_of_prefetcher_cache=2
cores=all;kernel_bytes=8192;kernel_cycles=0;trace=no
cores=all;kernel_bytes=8192;kernel_cycles=0;trace=no;working_set_of_prefetcher_cache=0.5
cores=all;kernel_bytes=12288;kernel_cycles=0;trace=no
END
at_most "binaries that stay in the config ring are not sent again" $((a * 2)) "$b"
at_most "what the prefetchers' cache holds is no slower than what it does not" "$b" $((c + 10))
at_most "without a trace they are sent every time" $((d * 98)) $((e * 100))
at_most "larger ones take longer" $((d + 1000)) "$f"

# With many unique arguments and no trace, the host is the limit. From a trace, it is the prefetcher,
# which reads commands of a trace and then relays them. So traces gain nothing here.
many='cores=all;kernel_bytes=512;kernel_cycles=0;runtime_args=128;circular_buffers=32;semaphores=4'
# many_arguments TRACE KEY=VALUE: the prediction for $many, in ns
many_arguments() {
	{
		echo 'family,system,params,metric,value,unit,spread,source'
		echo "program_dispatch,n300,processors=all;$many;trace=$1,time_per_program,1,us,,x"
	} >many.csv
	meshsim validate --reference many.csv --json --rows --set "platform.$2"
	exits "arguments, trace $1, $2" 0
	printf '%s\n' "$out" | sed -n 's/.*"predicted": \([0-9.e+]*\),.*/\1/p' |
		awk '{printf "%d", $1 * 1000}'
}
a=$(many_arguments no firmware.execute_parts=1)
b=$(many_arguments yes firmware.execute_parts=1)
c=$(many_arguments yes firmware.execute_parts=2)
d=$(many_arguments no firmware.execute_parts=2)
e=$(many_arguments no firmware.dispatch_flush=0.57)
f=$(many_arguments no firmware.dispatch_flush=0)
at_most "many arguments take as long from a trace as without" "$a" $((b + b / 20))
at_most "... or longer" "$b" $((a + a / 20))
at_most "... since reads of a trace's commands do not overlap with their relay" $((c + c / 6)) "$b"
equal "... which is the same without a trace" "$d" "$a"
at_most "a dispatcher that waits until each page of arguments has left is slower" $((f + f / 10)) "$e"

finish

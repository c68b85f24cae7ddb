# label: slow
# Transfers of buffers compared with figures measured on hardware: errors of the calibration rows,
# and the effects of their mechanisms: a cost per page, the host's copy, pinned memory, shards.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

figures_of n300
meshsim validate --reference figures.csv --family buffer_transfer --by system --json
exits "calibration rows" 0
at_most "median error, per mille" "$(number "$out" buffer_transfer median)" 49
at_most "nine of ten, per mille" "$(number "$out" buffer_transfer p90)" 149
stands buffer_transfer n300
equal "rows that did not run" "$(number "$out" buffer_transfer not_run)" 0

# predicted NAME: predictions for four rows on standard input, in MB/s
predicted() {
	predict "$1" 4 'buffer_transfer,n300,size_bytes=8388608;' ',throughput,1,GB/s,,x'
}

for memory in dram l1; do
	predicted "small pages, $memory" <<END
direction=write;memory=$memory;page_bytes=32
direction=write;memory=$memory;page_bytes=64
direction=read;memory=$memory;page_bytes=32
direction=read;memory=$memory;page_bytes=64
END
	at_most "$memory: pages twice as large are written at nearly twice the rate" \
		$((a * 190)) $((b * 100))
	at_most "... and not at more" "$b" $((a * 2))
	at_most "$memory: and read" $((c * 180)) $((d * 100))
	at_most "... and not at more" "$d" $((c * 2))
	[ $memory = l1 ] || at_most "$memory: a page is dearer to read" "$c" "$a"
done

for direction in write read; do
	predicted "pinned memory, $direction" <<END
direction=$direction;memory=dram;page_bytes=64;pinned=no
direction=$direction;memory=dram;page_bytes=64;pinned=yes
direction=$direction;memory=dram;page_bytes=2048;pinned=no
direction=$direction;memory=dram;page_bytes=2048;pinned=yes
END
	at_most "$direction: pinned memory costs small pages nothing" $((a * 99)) $((b * 100))
	at_most "$direction: and gives them little" $((b * 100)) $((a * 105))
	at_most "$direction: the host's copy is what limits large ones" $((c * 130)) $((d * 100))
	at_most "$direction: PCIe carries no more than it can" "$d" 26400

	predicted "shards, $direction" <<END
direction=$direction;memory=dram;page_bytes=64;layout=sharded;contiguous_pages=1
direction=$direction;memory=dram;page_bytes=64;layout=sharded;contiguous_pages=8
direction=$direction;memory=dram;page_bytes=64;layout=sharded;contiguous_pages=512
direction=$direction;memory=dram;page_bytes=2048;layout=interleaved
END
	at_most "$direction: runs of pages in the host's memory count" $((a * 2)) "$b"
	at_most "$direction: longer ones more" "$b" "$c"
	at_most "$direction: long ones are as good as large pages" $((d * 93)) $((c * 100))

	predicted "shards in pinned memory, $direction" <<END
direction=$direction;memory=l1;page_bytes=2048;layout=sharded;contiguous_pages=8;pinned=no
direction=$direction;memory=l1;page_bytes=2048;layout=sharded;contiguous_pages=8;pinned=yes
direction=$direction;memory=l1;page_bytes=2048;layout=sharded;contiguous_pages=64;pinned=no
direction=$direction;memory=l1;page_bytes=2048;layout=sharded;contiguous_pages=64;pinned=yes
END
	at_most "$direction: short shards gain nothing by pinned memory" $((a * 99)) $((b * 100))
	at_most "$direction: long ones do" $((c * 115)) $((d * 100))
done

# The dispatcher writes to the host beside the prefetcher's reads, on a chip with PCIe alone.
predicted_with() {
	what=$1
	shift
	predict "$what" 4 'buffer_transfer,n300,size_bytes=8388608;page_bytes=2048;' \
		',throughput,1,GB/s,,x' "$@" <<END
direction=read;memory=dram;device=mmio;pinned=yes
direction=write;memory=dram;device=mmio;pinned=yes
direction=read;memory=dram;device=remote;pinned=yes
direction=write;memory=dram;device=remote;pinned=yes
END
}
predicted_with "mapped memory"
read=$a write=$b read_far=$c write_far=$d
predicted_with "no turn" --set platform.firmware.relay_turn=0
at_most "halves of the scratch turn slowly where they go to the host" $((read * 110)) $((a * 100))
equal "... and not where they come from it" "$b" "$write"
equal "... nor behind a gateway" "$c $d" "$read_far $write_far"
predicted_with "credits for a half of a ring" --set platform.firmware.fabric_ring_blocks=2
at_most "fewer credits leave the links more room" $((read_far * 105)) $((c * 100))
equal "... and change nothing where there are no links" "$a $b" "$read $write"

# run NAME KEYS: writes and reads a buffer of 4 MiB; sets $copied to the bytes that the host copied
run() {
	cat >run.yaml <<END
meshsim: 1
name: run
platform: n300
runtime: {mesh: {shape: [1, 1]}}
workload:
  - write_buffer: {bytes: 4194304, $2}
  - finish
  - read_buffer: {blocking: true, pinned: $3}
END
	meshsim run run.yaml -o run.h5
	exits "$1" 0
	contains "$1: verified" "$out" "verified"
	meshsim show run.h5
	copied=$(printf '%s\n' "$out" | awk '/copy (uncached_source|pinned)>/ {n += $3} END {print n + 0}')
}

run "a copy each way" "layout: sharded, contiguous_pages: 5" false
at_most "every byte is copied there and back" 8388608 "$copied"
at_most "and little else is" "$copied" 8390000
run "no copy" "pinned: true" true
at_most "pinned memory: the host copies records of reads" "$copied" 100
run "no copy of shards" "layout: sharded, pinned: true" true
at_most "pinned shards: the host copies records of reads" "$copied" 2000
run "padded pages" "page_bytes: 1024, pinned: true, layout: sharded, contiguous_pages: 3" true
at_most "short shards are copied, pinned or not" 8388608 "$copied"

# taken WHAT CONSTANT: sets $taken to the simulated time with this constant, in us
taken() {
	meshsim run constants.yaml -o run.h5 ${2:+--set "platform.$2"}
	exits "$1" 0
	taken=$(printf '%s\n' "$out" |
		awk '/^whole run/ {seen = 1} seen && $1 == "0" {printf "%d", $2 * 1000; exit}')
}

cat >constants.yaml <<'END'
meshsim: 1
name: constants
platform: n300
model: {noise: off}
runtime: {mesh: {shape: [1, 1]}}
workload:
  - write_buffer: {bytes: 4194304, page_bytes: 512}
  - finish
  - read_buffer: {blocking: true}
  - write_buffer: {buffer: s, bytes: 4194304, page_bytes: 512, layout: sharded, contiguous_pages: 3}
  - finish
END
taken "as the platform says" ""
usual=$taken
for constant in firmware.relay_turn=0 host.cache_size=8 host.work.copy_run.cost=0 \
	host.copy.uncached_source.pinned.bandwidth=100; do
	taken "$constant" "$constant"
	at_most "$constant is faster" $((taken + 10)) "$usual"
done
for constant in firmware.dispatch_buffer_page=1000 firmware.relay_read=100 \
	host.copy.pinned.uncached_source.bandwidth=5; do
	taken "$constant" "$constant"
	at_most "$constant is slower" $((usual + 5)) "$taken"
done

finish

# Prints of kernels are in the result file, with the same values in both worlds, for show and
# timeline. A limited number is kept, the rest counted. A print takes the time of its constant.
# Printing something that does not exist halts the kernel, and the error names it. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cat >prints.yaml <<'YAML'
meshsim: 1
name: prints
platform: n150
workload:
  - write_buffer: {buffer: a, bytes: 8192, page_bytes: 2048}
  - enqueue_workload:
      cores: 2
      buffers: {from: a}
      circular_buffers: 1
      circular_buffer_bytes: 2048
      circular_buffer_pages: 2
      kernels:
        - processor: ncrisc
          arguments: [core]
          text: |
              argument r1, 0
              print r1, 7
              page r4:5, r1, from
              reserve 0, 1
              back r6, 0
              read r6, r4, 2048
              wait_reads
              push 0, 1
        - processor: brisc
          text: |
              await 0, 1
              add r2, r0, 33
              print_tile 0, bf16, r2 + 1
              add r3, r0, 3
              again: print r3, 9
              subtract r3, r3, 1
              jump_unequal r3, r0, again
              pop 0, 1
  - finish
YAML

# said FILE: prints without their times, sorted
said() {
	meshsim show "$1" --wide
	printf '%s\n' "$out" | awk '/^Prints/ { on = 1 } on && NF > 6 { $1 = ""; print }' | sort
}
meshsim run prints.yaml -o sim.h5
exits 'a kernel that prints' 0
sim=$(said sim.h5)
contains 'an argument' "$sim" ' 0 12 ncrisc 2 1 r1 7 1'
contains 'a counter' "$sim" ' 0 11 brisc 2 4 r3 9 2'
contains 'an element of a tile, with its place' "$sim" ' 0 11 brisc 2 2 buffer 0 34 '
equal 'it is one of the data, which are not 0' "$(printf '%s\n' "$sim" | grep -c 'buffer 0 34 0 *$')" 0
equal 'values printed' "$(printf '%s\n' "$sim" | grep -c risc)" 10
meshsim run prints.yaml -o native.h5 --world native
exits 'the same on threads' 0
equal 'the same on threads' "$(said native.h5)" "$sim"

# With `values`, data are numbers below 2 of a type, in place of any bits.
element() {
	meshsim run prints.yaml -o numbers.h5 --seed $1 --set workload.0.write_buffer.values=$2
	said numbers.h5 | awk '/buffer 0 34/ { size = $NF < 0 ? -$NF : $NF; print (size >= 1 / 128 && size < 2) ? "small" : "large" }' | sort -u
}
for seed in 1 2 3 4; do
	equal "numbers of bf16, seed $seed" "$(element $seed bf16)" small
done
contains 'any bits' "$(for seed in 1 2 3 4; do element $seed bits; done)" large

meshsim run prints.yaml -o few.h5 --set measure.prints=4
meshsim show few.h5
contains 'all are counted' "$out" 'Prints of kernels, run 0: 10'
contains 'so many are kept' "$out" '6 were not kept (measure.prints)'
equal 'rows' "$(said few.h5 | grep -c risc)" 4

meshsim timeline sim.h5 0 -o prints.json
contains 'on the timeline' "$(cat prints.json)" '9: r3 = 2'
contains 'its track' "$(cat prints.json)" 'chip 0 tile 11 brisc'

simulated() {
	meshsim run prints.yaml -o times.h5 --json --set model.noise=none "$@"
	printf '%s\n' "$out" | sed -n 's/.*"simulated": \([0-9]*\),*$/\1/p'
}
plain=$(simulated)
slow=$(simulated --set platform.firmware.kernel_print.value=10060)
equal "10,000 cycles more for each of a core's four in a row: $plain, $slow ps" \
	"$((slow > plain + 39000000 && slow < plain + 51000000))" 1

sed 's/await 0, 1/busy 1/; s/argument r1, 0/end/' prints.yaml >wild.yaml
meshsim run wild.yaml -o wild.h5
exits 'a tile that nobody pushed' 4
contains 'a tile that nobody pushed' "$err" 'instruction 2: halted: an element of a page that was not pushed'
sed 's/r2 + 1/r2 + 991/' prints.yaml >wild.yaml
meshsim run wild.yaml -o wild.h5
exits 'no such element' 4
contains 'no such element' "$err" 'halted: an element outside its tile'

meshsim run prints.yaml -o idle.h5 --set 'workload.1.enqueue_workload.kernels=[{text: busy 1}]' \
	--set measure.prints=5
contains 'a key without effect' "$err" 'measure.prints has no effect without kernels that print'
finish

# Kernels of a scenario that send over the fabric: routes as arguments. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

# routes ARGUMENT: device 0 of a T3K sends along a route, and devices 1 and 2 wait for it
routes() {
	cat >routes.yaml <<YAML
meshsim: 1
name: routes
platform: t3k
workload:
  - enqueue_workload:
      programs:
        - program: sender
          devices: {shape: [1, 1], offset: [0, 0]}
          circular_buffers: 1
          circular_buffer_pages: 1
          circular_buffer_bytes: 1088
          semaphores: 1
          kernels:
            - core: [0, 0]
              arguments: [$1]
              text: |
                back r9, 0
                argument r8, 0
                busy 200000
                own_tile r4
                add r5, r9, 0
                semaphore r6, 0
                print r0, 0
                fabric_increment r8, r4, 1088
                end
        - program: receivers
          devices: {shape: [1, 2], offset: [0, 1]}
          circular_buffers: 1
          circular_buffer_pages: 1
          circular_buffer_bytes: 1088
          semaphores: 1
          kernels:
            - core: [0, 0]
              text: |
                add r5, r0, 1
                until_least r5, 0
                print r0, 1
                end
  - finish
measure: {warmup: 0, verify: false, prints: 10}
YAML
	meshsim run routes.yaml -o routes.h5
}

routes '{route: [0, 1, 2], each: true}'
exits 'a route to each device' 0
meshsim show routes.h5
times=$(printf '%s\n' "$out" | awk '$4 == "brisc" {print $2, $1}' | sort -n)
contains 'a print of each device' "$times" '2 '
ascend=$(printf '%s\n' "$times" | awk '$2 <= last + 0.3 {print} {last = $2}')
equal "a packet takes a while for each hop: $times" "$ascend" ''

routes '{route: [0, 1, 2]}'
exits 'only the last device receives it' 4
contains 'device 1 waits' "$err$out" 'chip 1'

# refused WHAT ARGUMENT MESSAGE
refused() {
	routes "$2"
	exits "$1" 2
	contains "$1" "$err" "$3"
}
refused 'another device' '{route: [1, 2]}' \
	"routes.yaml:15:27: error: program 'sender': a route begins at the one device that runs the program"
refused 'no neighbours' '{route: [0, 2]}' 'a route from device 0 to device 2 leads over links that are not there'
refused 'no such link' '{route: [0, 1], link: 2}' 'link 2 of a route, but 2 join devices 0 and 1'
refused 'no such device' '{route: [0, 8]}' 'device 8 of a mesh of 8'
refused 'one device' '{route: [0]}' 'route'
refused 'an unknown key' '{route: [0, 1], lnk: 1}' "unknown key 'lnk', did you mean 'link'?"
refused 'a wrong value' '{route: [0, 1], each: 2}' "'each'"

# fetches WORLD PLATFORM SHAPE READER HOLDER ROUTE: the device at HOLDER stores a number in its L1; then the one at READER
# reads the number over the fabric and prints it
fetches() {
	cat >fetches.yaml <<YAML
meshsim: 1
name: fetches
platform: $2
runtime: {mesh: {shape: $3}}
workload:
  - enqueue_workload:
      programs:
        - program: holder
          devices: {shape: [1, 1], offset: $5}
          circular_buffers: 1
          circular_buffer_pages: 1
          circular_buffer_bytes: 1088
          kernels:
            - core: [0, 0]
              text: |
                back r9, 0
                add r3, r0, 4711
                store r3, r9, 60
                end
  - finish
  - enqueue_workload:
      programs:
        - program: reader
          devices: {shape: [1, 1], offset: $4}
          circular_buffers: 1
          circular_buffer_pages: 1
          circular_buffer_bytes: 1088
          kernels:
            - core: [0, 0]
              arguments: [{route: $6}]
              text: |
                back r9, 0
                argument r8, 0
                own_tile r4
                add r5, r9, 0
                fabric_read r8, r4, 64
                wait_reads
                load r2, r9, 60
                print r2, 3
                end
  - finish
measure: {warmup: 0, verify: false, prints: 10}
limits: {wall_s: 20}
YAML
	meshsim run fetches.yaml -o fetches.h5 --world "$1"
}

for world in sim native; do
	fetches $world t3k '[2, 4]' '[0, 0]' '[0, 2]' '[0, 1, 2]'
	exits "a read over the fabric, $world: $err" 0
	meshsim show fetches.h5
	contains "the number that was read, $world" "$out" 4711
done
joined='{extends: galaxy-x2-joined, topology: {mesh: [2, 4]}}'
for world in sim native; do
	fetches $world "$joined" '[4, 4]' '[0, 0]' '[3, 0]' '[0, 4, 8, 12]'
	exits "a read from another host, $world: $err" 0
	meshsim show fetches.h5
	contains "the number that another host stored, $world" "$out" 4711
done
for network in ideal fluid; do
	fetches sim t3k '[2, 4]' '[0, 0]' '[0, 2]' '[0, 1, 2]'
	meshsim run fetches.yaml -o fetches.h5 --set model.network=$network
	exits "a read, network $network: $err" 0
	meshsim show fetches.h5
	contains "the number, network $network" "$out" 4711
done

finish

# One runtime for both worlds: every runtime object exists once, the command links those very objects
# beside both rows, and nothing above the seams refers to SimGrid, threads, clocks or sockets.
# Built with -DMESHSIM_SANITIZE the sanitizer's own references do not matter: only these names do.
set -u

build=${MESHSIM_BUILD_DIR:?is the build folder}
map=${MESHSIM_LINK_MAP:-}
failed=0

fail() {
	echo "$1"
	failed=1
}

# Matched against whole names of undefined symbols.
simgrid='(sg|simgrid|xbt|smpi|sthread|msg|SIMIX)_.*|_ZN7simgrid.*'
threads='pthread_.*|thrd_.*|mtx_.*|cnd_.*|sem_(init|wait|timedwait|post|open)|fork|vfork'
clocks='clock|clock_gettime|clock_nanosleep|nanosleep|usleep|sleep|gettimeofday|time|times|alarm'
chance='rand|rand_r|random|srand|srandom|drand48|lrand48|getrandom'
sockets='socket|connect|accept|listen|send|recv|sendto|recvfrom|poll|ppoll|select|epoll_.*'

# Undefined symbols of $1 that match $2, as "object symbol".
undefined() {
	nm -A -u "$1" 2>/dev/null | sed 's/^[^:]*:\([^:]*\): */\1 /; s/@.*//' |
		awk -v names="^($2)\$" '$NF ~ names { print $1, $NF }' | sort -u
}

objects=0
for room in base world command memory fabric firmware mesh; do
	library=$build/runtime/$room/libmeshsim_$room.a
	if [ ! -f "$library" ]; then
		fail "no library of room $room at $library"
		continue
	fi
	seen=$(undefined "$library" "$simgrid")
	[ -z "$seen" ] || fail "room $room refers to SimGrid:
$seen"
	seen=$(undefined "$library" "$threads|$clocks|$chance|$sockets" | grep -v '^native_')
	[ -z "$seen" ] || fail "room $room refers to what only native rows may use:
$seen"
	for object in $(ar t "$library"); do
		objects=$((objects + 1))
		case $object in
		native_*) ;;
		*) ar p "$library" "$object" >"${TMPDIR:-/tmp}/link-map-$$.o"
			if objdump -h "${TMPDIR:-/tmp}/link-map-$$.o" | grep -q '\.t\(bss\|data\)'; then
				fail "$object of room $room has thread-local data"
			fi ;;
		esac
	done
	rm -f "${TMPDIR:-/tmp}/link-map-$$.o"
done
[ "$objects" -gt 0 ] || fail "no runtime object found"

# Compiled once: a second copy with other flags would be a second entry.
twice=$(sed -n 's/^ *"file": "\(.*\)",*$/\1/p' "$build/compile_commands.json" |
	grep '/runtime/' | sort | uniq -d)
[ -z "$twice" ] || fail "compiled more than once:
$twice"

# The link map begins with the members that the linker took out of archives.
if [ -n "$map" ]; then
	members=$(awk '/^Archive member included/ { inside = 1; next }
		inside && /^$/ && any { exit }
		inside && /^[^ ].*libmeshsim_[a-z]*\.a\(/ { any = 1; print $1 }' "$map")
	twice=$(echo "$members" | sort | uniq -d)
	[ -z "$twice" ] || fail "linked more than once:
$twice"
	for member in 'runtime/world/libmeshsim_world.a(native_device.c.o)' \
		'runtime/world/libmeshsim_world.a(native_world.c.o)' \
		'model/chip/libmeshsim_chip.a(' 'model/host/libmeshsim_host.a(' \
		'runtime/firmware/libmeshsim_firmware.a(' 'runtime/mesh/libmeshsim_mesh.a('; do
		echo "$members" | grep -qF "$member" || fail "$member is not in the command"
	done
fi

[ "$failed" -eq 0 ] && echo "$objects runtime objects, each once"
exit "$failed"

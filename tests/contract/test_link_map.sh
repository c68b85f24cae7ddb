# One runtime for both worlds: every runtime object exists once, the command links those very objects
# beside both rows, and nothing above the seams refers to SimGrid, threads, clocks or sockets.
# Built with -DMESHSIM_SANITIZE the sanitizer's own references do not matter: only these names do.
# label: full
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
for hall in base world wire command memory fabric firmware mesh programs; do
	libraries=$(cd "$build/runtime/$hall" && find . -name 'libmeshsim_*.a' | sort)
	[ -n "$libraries" ] || fail "no library of $hall in $build/runtime"
	for library in $libraries; do
		library=$build/runtime/$hall/$library
		room=$(basename "$library" .a)
		seen=$(undefined "$library" "$simgrid")
		[ -z "$seen" ] || fail "$room refers to SimGrid:
$seen"
		seen=$(undefined "$library" "$threads|$clocks|$chance|$sockets" | grep -v '^native_')
		[ -z "$seen" ] || fail "$room refers to what only native rows may use:
$seen"
		objects=$((objects + $(ar t "$library" | grep -c '')))
		seen=$(objdump -h "$library" | awk '/file format/ { object = $1; sub(/:$/, "", object) }
			$2 ~ /^\.t(bss|data)/ && object !~ /^native_/ { print object }' | sort -u)
		[ -z "$seen" ] || fail "of $room these have thread-local data:
$seen"
	done
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
		inside && /^[^ ].*libmeshsim_[a-z_]*\.a\(/ { any = 1; print $1 }' "$map")
	twice=$(echo "$members" | sort | uniq -d)
	[ -z "$twice" ] || fail "linked more than once:
$twice"
	for member in 'native_device.c.o' 'native_world.c.o' 'sim_device.c.o' 'dispatcher.c.o' \
		'mesh.c.o'; do
		echo "$members" | grep -qF "($member)" || fail "$member is not in the command"
	done
fi

[ "$failed" -eq 0 ] && echo "$objects runtime objects, each once"
exit "$failed"

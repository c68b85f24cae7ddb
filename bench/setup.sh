# Packages and build of meshsim; sourced by bench/run.sh and tests/run.sh from the repository's root.
# Does nothing that was done before, and prints a line for each step that it does.

# step WORDS COMMAND...: runs a command, and says on standard error how long it took; what it prints
# only if it fails
step() {
	words=$1
	shift
	mkdir -p build
	printf '%s ...' "$words" >&2
	began=$(date +%s)
	if "$@" >build/step.log 2>&1; then
		echo " $(($(date +%s) - began)) s" >&2
		return 0
	fi
	echo ' failed' >&2
	cat build/step.log >&2
	return 1
}

need_packages() {
	missing=
	for package in "$@"; do
		dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
			missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	sudo=
	[ "$(id -u)" -eq 0 ] || sudo=sudo
	step "list of packages" $sudo apt-get update -qq
	# shellcheck disable=SC2086 # a list of words
	step "install $(echo $missing | wc -w) packages" $sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends $missing
}

build_packages() {
	need_packages cmake ninja-build gcc libc6-dev pkg-config git libsimgrid-dev libyaml-dev \
		libhdf5-dev zlib1g-dev libcmocka-dev libgsl-dev libsodium-dev node-d3 libzmq3-dev libnng-dev libucx-dev libgrpc-dev libsqlite3-dev libmunge-dev \
		libopenmpi-dev openmpi-bin g++ libflatbuffers-dev flatbuffers-compiler libprotobuf-c-dev protobuf-c-compiler libmsgpack-dev
}

# build TARGET...: the release build in build/, or that of MESHSIM_PRESET; silent unless something has to be done
build() {
	# Made for another checkout, or for this one where it stood before: it would build that.
	if [ -f build/CMakeCache.txt ] &&
		! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" build/CMakeCache.txt; then
		echo "build/ was made for another folder: making it anew" >&2
		rm -rf build
	fi
	[ -f build/build.ninja ] || step configure cmake --preset "${MESHSIM_PRESET:-release}"
	step "build $*" cmake --build build --target "$@"
}

# label: slow
# An installed meshsim needs nothing from the checkout and the build: run, validate, report, manual pages
# and completions work with both folders hidden; the Debian package lists its libraries.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

prefix=$PWD/prefix
cmake --install "$MESHSIM_BUILD_DIR" --prefix "$prefix" >install.log 2>&1 || fail "install: $(cat install.log)"
here=$PWD

# Installs exactly what the README's front command builds.
ninja -C "$MESHSIM_BUILD_DIR" -t commands $(sed -n 's/^build //p' "$source_directory/bench/run.sh") >made.txt ||
	fail "commands: $(cat made.txt)"
find "$MESHSIM_BUILD_DIR" -name cmake_install.cmake -exec grep -oh "\"$MESHSIM_BUILD_DIR/[^\"$]*\"" {} + |
	tr -d '"' | grep -v '/cmake_install.cmake$' | sed "s|^$MESHSIM_BUILD_DIR/||" | sort -u >wanted.txt
[ "$(wc -l <wanted.txt)" -gt 10 ] || fail "few files of the build are installed: $(cat wanted.txt)"
while IFS= read -r file; do
	grep -qE "(-o |> .*/)$file(\"| |$)" made.txt || fail "sh bench/run.sh does not build $file"
done <wanted.txt

# away COMMAND: runs it with empty folders in place of checkout and build, if the kernel permits
away()
{
	if unshare -rm true 2>/dev/null; then
		unshare -rm sh -c '
			for folder in "$MESHSIM_SOURCE_DIR" "$MESHSIM_BUILD_DIR"; do
				case $1/ in "$folder"/*) ;; *) mount -t tmpfs none "$folder" ;; esac
			done
			cd "$1" && shift && exec "$@"' sh "$here" "$@"
	else
		"$@"
	fi
}

export PATH="$prefix/bin:$PATH"
unset MESHSIM_PLATFORMS
# every tenth figure, since a table of all takes long
figures=$prefix/share/meshsim/bench/reference/figures.csv
sed -n '1p; 2~10p' "$figures" >few.csv && mv few.csv "$figures"
away meshsim run quickstart -o q.h5 >run.txt 2>&1 || fail "run: $(cat run.txt)"
grep -q 'q.h5$' run.txt || fail "run prints no path: $(cat run.txt)"
away meshsim report q.h5 -o q.html >report.txt 2>&1 || fail "report: $(cat report.txt)"
grep -q 'fabric_latency' q.html || fail "the report has no error table"
away meshsim validate --family host_cost >validate.txt 2>&1 || fail "validate: $(cat validate.txt)"
grep -q '^host_cost' validate.txt || fail "validate: $(cat validate.txt)"
away meshsim platform show n150 >platform.txt 2>&1 || fail "platform: $(cat platform.txt)"

for page in meshsim meshsim-run meshsim-compare meshsim-help; do
	[ -s "$prefix/share/man/man1/$page.1" ] || fail "no manual page $page"
done
for word in --resume --seed --jobs 'EXIT STATUS'; do
	plain=$(sed 's/\\-/-/g' "$prefix/share/man/man1/meshsim-run.1")
	case $plain in *"$word"*) ;; *) fail "the page of run does not have $word" ;; esac
done
seen=$(bash -c '. "$1"; COMP_WORDS=(meshsim compare --ro); COMP_CWORD=2; compopt() { :; }; _meshsim
	echo "${COMPREPLY[@]}"' bash "$prefix/share/bash-completion/completions/meshsim")
[ "$seen" = --robust ] || fail "bash completes --ro to '$seen'"
seen=$(bash -c '. "$1"; COMP_WORDS=(meshsim run --world = n); COMP_CWORD=4; compopt() { :; }; _meshsim
	echo "${COMPREPLY[@]}"' bash "$prefix/share/bash-completion/completions/meshsim")
[ "$seen" = native ] || fail "bash completes --world=n to '$seen'"
# Sanitizers name source locations by paths that no compiler option maps.
set -- "$MESHSIM_BUILD_DIR" "$MESHSIM_SOURCE_DIR"
grep -q '^MESHSIM_SANITIZE:[A-Z]*=.' "$MESHSIM_BUILD_DIR/CMakeCache.txt" && set --
for folder; do
	if strings "$prefix/bin/meshsim" | grep -F "$folder/"; then
		fail "the program holds the path of its checkout"
	fi
done

if command -v dpkg-shlibdeps >/dev/null && command -v dpkg-deb >/dev/null; then
	(cd "$MESHSIM_BUILD_DIR" && cpack -B "$here/deb") >cpack.log 2>&1 || fail "cpack: $(cat cpack.log)"
	dpkg-deb -f deb/meshsim_*.deb Depends >depends.txt || fail "no package: $(cat cpack.log)"
	libraries="libc6 libsimgrid"
	grep -q '^MESHSIM_ARCHIVES:BOOL=ON' "$MESHSIM_BUILD_DIR/CMakeCache.txt" || # else they are part of the program
		libraries="$libraries libhdf5 libyaml libgsl"
	for library in $libraries; do
		grep -q "$library" depends.txt || fail "no dependency on $library: $(cat depends.txt)"
	done
	dpkg-deb -x deb/meshsim_*.deb root || fail "the package does not unpack"
	away "$here/root/usr/bin/meshsim" run quickstart -o p.h5 >run.txt 2>&1 || fail "run: $(cat run.txt)"
fi
finish

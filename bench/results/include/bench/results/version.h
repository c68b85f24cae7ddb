/* Version of this binary and how it was built, for --version and for result files. */
#ifndef BENCH_VERSION_H
#define BENCH_VERSION_H

/* These functions return static texts. version_number() returns the version, like "0.1.0".
 * version_commit() returns the git commit, with "-dirty" if files were changed, or "unknown" if
 * meshsim was not built in a git checkout. version_build() returns a line with the type of build,
 * compiler, optimization and sanitizers. */
const char *version_number(void);
const char *version_commit(void);
const char *version_build(void);

#endif

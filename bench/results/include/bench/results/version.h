/* Version of this binary and how it was built, for --version and for result files. */
#ifndef BENCH_VERSION_H
#define BENCH_VERSION_H

/* Three static texts. version_number() is like "0.1.0". version_commit() is the git commit, with
 * "-dirty" after local changes, or "unknown" outside of a checkout. version_build() is a line with
 * type of build, compiler, optimization and sanitizers. */
const char *version_number(void);
const char *version_commit(void);
const char *version_build(void);

#endif

/* Version of this binary and how it was built, for --version and for result files. */
#ifndef BENCH_VERSION_H
#define BENCH_VERSION_H

/* "0.1.0"; the git commit ("unknown" outside a checkout, with "-dirty" after local changes); one
 * line on the build: type, compiler, optimization, sanitizers. Static texts. */
const char *version_number(void);
const char *version_commit(void);
const char *version_build(void);

#endif

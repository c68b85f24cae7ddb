/* Version texts, see bench/results/version.h. The commit comes from a header made by commit.cmake.
 */
#include "bench/results/version.h"

#include "commit.h"

#ifdef __OPTIMIZE__
#define OPTIMIZATION "optimized"
#else
#define OPTIMIZATION "NOT optimized: simulates several times slower"
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZER ", address sanitizer: slow"
#elif defined(__SANITIZE_THREAD__)
#define SANITIZER ", thread sanitizer: slow"
#else
#define SANITIZER ""
#endif

const char *version_number(void)
{
	return MESHSIM_VERSION;
}

const char *version_commit(void)
{
	return MESHSIM_COMMIT;
}

const char *version_build(void)
{
	return MESHSIM_BUILD_TYPE ", gcc " __VERSION__ ", " OPTIMIZATION SANITIZER;
}

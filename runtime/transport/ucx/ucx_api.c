/* Loads the UCX library, unless the program has already loaded it (ucx_line.h). Turns off the
 * library's signal handlers and its log on standard output, unless environment variables turn them
 * on. */
#define _GNU_SOURCE /* setenv, RTLD_LOCAL */
#include "ucx_line.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "rows_private.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct ucx_api api;
static bool is_loaded;

static void ucx_api_load(void)
{
	void *library;

	library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
	if (!library) {
		(void)setenv("UCX_HANDLE_ERRORS", "none", 0);
		(void)setenv("UCX_LOG_LEVEL", "fatal", 0);
		(void)setenv("UCX_WARN_UNUSED_ENV_VARS", "n", 0);
		library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
	}
	if (!library)
		return;
	is_loaded = true;
#define X(function) is_loaded &= library_symbol(library, #function, &api.function);
	UCX_FUNCTIONS(X)
#undef X
}

const struct ucx_api *ucx_api(void)
{
	pthread_once(&once, ucx_api_load);
	return is_loaded ? &api : NULL;
}

/* Loads the gRPC library when it is first needed (grpc_line.h). Turns off the library's log on
 * standard error, unless the environment sets GRPC_VERBOSITY. */
#define _GNU_SOURCE /* setenv, RTLD_LOCAL */
#include "grpc_line.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "rows_private.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct grpc_api api;
static bool is_loaded;

static void grpc_api_load(void)
{
	void *library;

	(void)setenv("GRPC_VERBOSITY", "NONE", 0);
	library = dlopen("libgrpc_unsecure.so.29", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return;
	is_loaded = true;
#define X(function) is_loaded &= library_symbol(library, #function, &api.function);
	GRPC_FUNCTIONS(X)
#undef X
}

const struct grpc_api *grpc_api(void)
{
	pthread_once(&once, grpc_api_load);
	return is_loaded ? &api : NULL;
}

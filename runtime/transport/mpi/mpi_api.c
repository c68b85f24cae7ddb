/* Loads Open MPI once, see mpi_process.h. mpi_process.c initializes it. */
#define _GNU_SOURCE /* RTLD_GLOBAL */
#include "mpi_process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#include "rows_private.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct mpi_api api;
static bool is_loaded;

/* Loads the library. RTLD_GLOBAL is needed because the library loads its modules with dlopen(), and
 * these modules use the library's symbols. */
static void mpi_api_load(void)
{
	void *library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);

	if (!library)
		return;
	is_loaded = true;
#define X(function) is_loaded &= library_symbol(library, #function, &api.function);
	MPI_FUNCTIONS(X)
#undef X
	is_loaded &= library_symbol(library, "ompi_mpi_comm_self", &api.self);
	is_loaded &= library_symbol(library, "ompi_mpi_byte", &api.byte);
	is_loaded &= library_symbol(library, "ompi_mpi_errors_return", &api.errors_return);
	is_loaded &= library_symbol(library, "ompi_mpi_info_null", &api.no_info);
	is_loaded &= library_symbol(library, "ompi_request_null", &api.no_request);
}

const struct mpi_api *mpi_api(void)
{
	pthread_once(&once, mpi_api_load);
	return is_loaded ? &api : NULL;
}

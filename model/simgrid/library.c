/* Wrappers of SimGrid's functions. The first call of a wrapper loads the library. */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#include "simgrid/library.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>
#include <simgrid/version.h>

#include "base/ensure.h"

#define TEXT_OF(number)	      #number
#define LIBRARY(major, minor) "libsimgrid.so." TEXT_OF(major) "." TEXT_OF(minor)

/* With RTLD_DEEPBIND, symbols are looked up first in SimGrid's own libraries. This is faster,
 * because the process has many other libraries. Sanitizers do not work with this order, because
 * their own functions must be found first. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LOOK_AT_HOME = 0 };
#else
enum { LOOK_AT_HOME = RTLD_DEEPBIND };
#endif

static struct {
#define GIVES(result, name, parameters, arguments) result(*name) parameters;
#define DOES(name, parameters, arguments)	   GIVES(void, name, parameters, arguments)
#include "functions.def"
#undef DOES
#undef GIVES
	bool is_loaded;
} simgrid;

/* Returns true if the address space of the process is limited. Then a lack of memory may be the
 * reason if SimGrid cannot be loaded. The loader's message is the same as for a broken library. */
static bool may_lack_room(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static void library_end(void)
{
	ensure_memory(!may_lack_room(), "SimGrid: %s", dlerror());
	fprintf(stderr, "meshsim: cannot load SimGrid: %s\n", dlerror());
	_Exit(127);
}

static void simgrid_library_find(void *library, const char *name, void *pointer)
{
	void *found = dlsym(library, name);

	if (!found)
		library_end();
	memcpy(pointer, &found, sizeof found);
}

/* SimGrid and its libraries allocate while they are loaded, and abort if they get no memory. */
static void library_aborts(int signal)
{
	static const char why[] = "meshsim: no memory for SimGrid: it aborts while it is loaded\n";

	(void)signal;
	if (write(STDERR_FILENO, why, sizeof why - 1) < 0) {
		/* the message is lost, but the exit code has the same meaning */
	}
	_Exit(ENSURE_MEMORY_EXIT);
}

static void *library_open(void)
{
	void (*before)(int) = may_lack_room() ? signal(SIGABRT, library_aborts) : SIG_ERR;
	void *library = dlopen(LIBRARY(SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR),
		RTLD_LAZY | RTLD_LOCAL | LOOK_AT_HOME);

	if (before != SIG_ERR)
		signal(SIGABRT, before);
	return library;
}

void simgrid_library_load(void)
{
	void *library;

	if (simgrid.is_loaded)
		return;
	library = library_open();
	if (!library)
		library_end();
#define GIVES(result, name, parameters, arguments)                                                 \
	simgrid_library_find(library, #name, &simgrid.name);
#define DOES(name, parameters, arguments) GIVES(void, name, parameters, arguments)
#include "functions.def"
#undef DOES
#undef GIVES
	simgrid.is_loaded = true;
}

static inline void loaded(void)
{
	if (!simgrid.is_loaded)
		simgrid_library_load();
}

/* SimGrid's headers declare f(), which in C does not declare the parameters. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define GIVES(result, name, parameters, arguments)                                                 \
	result name parameters                                                                     \
	{                                                                                          \
		loaded();                                                                          \
		return simgrid.name arguments;                                                     \
	}
#define DOES(name, parameters, arguments)                                                          \
	void name parameters                                                                       \
	{                                                                                          \
		loaded();                                                                          \
		simgrid.name arguments;                                                            \
	}
#include "functions.def"

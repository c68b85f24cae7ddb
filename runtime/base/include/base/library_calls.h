/* Defines all functions of a library that is loaded when it is first needed. If programs were
 * linked with the library instead, every start would load it and all libraries that it needs.
 *
 * Included once in a file that defines before it: LIBRARY_NAME, the name for people; LIBRARY_FILE,
 * the name of the shared object; and LIBRARY_FUNCTIONS, a file of rows GIVES(result, name,
 * parameters, arguments) and DOES(name, parameters, arguments), the latter for functions without a
 * result. library_status() tells whether the library was found. Calling a function without it is a
 * bug. */
#ifndef BASE_LIBRARY_CALLS_H
#define BASE_LIBRARY_CALLS_H

#include <pthread.h>

#include "base/ensure.h"
#include "base/library.h"
#include "base/status.h"
#include "base/text.h"

static struct {
#define GIVES(result, name, parameters, arguments) result(*name) parameters;
#define DOES(name, parameters, arguments)	   GIVES(void, name, parameters, arguments)
#include LIBRARY_FUNCTIONS
#undef DOES
#undef GIVES
	bool is_loaded;
} calls;

static void calls_load(void)
{
	void *library = library_load(LIBRARY_FILE);

	calls.is_loaded = library != NULL;
	if (!library)
		return;
#define GIVES(result, name, parameters, arguments)                                                 \
	calls.is_loaded &= library_symbol(library, #name, &calls.name);
#define DOES(name, parameters, arguments) GIVES(void, name, parameters, arguments)
#include LIBRARY_FUNCTIONS
#undef DOES
#undef GIVES
}

/* Loads the library at the first call. If the library is not found, returns STATUS_UNSUPPORTED,
 * with a sentence in `why` (may be NULL). */
static enum status library_status(struct text *why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, calls_load);
	if (calls.is_loaded)
		return STATUS_OK;
	if (why)
		text_append(why, LIBRARY_NAME " is not on this machine");
	return STATUS_UNSUPPORTED;
}

static void calls_ready(void)
{
	ensure(library_status(NULL) == STATUS_OK, LIBRARY_NAME " is called without its library");
}

#define GIVES(result, name, parameters, arguments)                                                 \
	result name parameters                                                                     \
	{                                                                                          \
		calls_ready();                                                                     \
		return calls.name arguments;                                                       \
	}
#define DOES(name, parameters, arguments)                                                          \
	void name parameters                                                                       \
	{                                                                                          \
		calls_ready();                                                                     \
		calls.name arguments;                                                              \
	}
#include LIBRARY_FUNCTIONS
#undef DOES
#undef GIVES

#endif

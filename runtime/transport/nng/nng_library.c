/* Calls nng's functions in the library, which is loaded when a hub or member is first opened. If
 * programs were linked with nng instead, every start would load nng and all libraries that nng
 * needs. */
#include "nng_line.h"

#include <nng/protocol/pair0/pair.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>

#include "base/ensure.h"
#include "rows_private.h"

static struct {
#define GIVES(result, name, parameters, arguments) result(*name) parameters;
#define DOES(name, parameters, arguments)	   GIVES(void, name, parameters, arguments)
#include "nng_functions.def"
#undef DOES
#undef GIVES
	bool is_loaded;
} nng;

static void nng_load(void)
{
	void *library = library_load("libnng.so.1");

	nng.is_loaded = library != NULL;
	if (!library)
		return;
#define GIVES(result, name, parameters, arguments)                                                 \
	nng.is_loaded &= library_symbol(library, #name, &nng.name);
#define DOES(name, parameters, arguments) GIVES(void, name, parameters, arguments)
#include "nng_functions.def"
#undef DOES
#undef GIVES
}

enum status nng_library(struct text *why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, nng_load);
	if (nng.is_loaded)
		return STATUS_OK;
	if (why)
		text_append(why, "nng is not on this machine");
	return STATUS_UNSUPPORTED;
}

static void loaded(void)
{
	ensure(nng_library(NULL) == STATUS_OK, "nng is called without its library");
}

#define GIVES(result, name, parameters, arguments)                                                 \
	result name parameters                                                                     \
	{                                                                                          \
		loaded();                                                                          \
		return nng.name arguments;                                                         \
	}
#define DOES(name, parameters, arguments)                                                          \
	void name parameters                                                                       \
	{                                                                                          \
		loaded();                                                                          \
		nng.name arguments;                                                                \
	}
#include "nng_functions.def"

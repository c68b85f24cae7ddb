/* Calls ZeroMQ's functions in the library, which is loaded when a hub or member is first opened. If
 * programs were linked with ZeroMQ instead, every start would load ZeroMQ and all libraries that
 * ZeroMQ needs. */
#include "zeromq.h"

#include <pthread.h>
#include <zmq.h>

#include "base/ensure.h"
#include "rows_private.h"

static struct {
#define GIVES(result, name, parameters, arguments) result(*name) parameters;
#define DOES(name, parameters, arguments)	   GIVES(void, name, parameters, arguments)
#include "zeromq_functions.def"
#undef DOES
#undef GIVES
	bool is_loaded;
} zeromq;

static void zeromq_load(void)
{
	void *library = library_load("libzmq.so.5");

	zeromq.is_loaded = library != NULL;
	if (!library)
		return;
#define GIVES(result, name, parameters, arguments)                                                 \
	zeromq.is_loaded &= library_symbol(library, #name, &zeromq.name);
#define DOES(name, parameters, arguments) GIVES(void, name, parameters, arguments)
#include "zeromq_functions.def"
#undef DOES
#undef GIVES
}

enum status zeromq_library(struct text *why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, zeromq_load);
	if (zeromq.is_loaded)
		return STATUS_OK;
	if (why)
		text_append(why, "ZeroMQ is not on this machine");
	return STATUS_UNSUPPORTED;
}

static void loaded(void)
{
	ensure(zeromq_library(NULL) == STATUS_OK, "ZeroMQ is called without its library");
}

#define GIVES(result, name, parameters, arguments)                                                 \
	result name parameters                                                                     \
	{                                                                                          \
		loaded();                                                                          \
		return zeromq.name arguments;                                                      \
	}
#define DOES(name, parameters, arguments)                                                          \
	void name parameters                                                                       \
	{                                                                                          \
		loaded();                                                                          \
		zeromq.name arguments;                                                             \
	}
#include "zeromq_functions.def"

/* Calls nng's functions in the library, which is loaded when a hub or member is first opened. */
#include "nng_line.h"

#include <nng/protocol/pair0/pair.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>

#define LIBRARY_NAME	  "nng"
#define LIBRARY_FILE	  "libnng.so.1"
#define LIBRARY_FUNCTIONS "nng/nng_functions.def"
#include "base/library_calls.h"

enum status nng_library(struct text *why)
{
	return library_status(why);
}

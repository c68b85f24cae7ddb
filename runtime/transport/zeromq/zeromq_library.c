/* Calls ZeroMQ's functions in the library, which is loaded when a hub or member is first opened. */
#include "zeromq.h"

#include <zmq.h>

#define LIBRARY_NAME	  "ZeroMQ"
#define LIBRARY_FILE	  "libzmq.so.5"
#define LIBRARY_FUNCTIONS "zeromq/zeromq_functions.def"
#include "base/library_calls.h"

enum status zeromq_library(struct text *why)
{
	return library_status(why);
}

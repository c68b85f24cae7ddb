/* One way to say no: appends a sentence to the caller's text, if there is one, and gives the
 * status. For the world's refusals; bugs are ensure(). */
#ifndef MESH_REFUSE_H
#define MESH_REFUSE_H

#include "base/status.h"
#include "base/text.h"

#define refuse(why, status, ...)                                                                   \
	((why) != NULL ? (text_printf((why), __VA_ARGS__), (status)) : (status))

#endif

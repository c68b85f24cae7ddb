/* The registry of transports. Refuses nothing: a library that is absent is a row without a table.
 */
#include "transport/rows.h"

#include <string.h>

#include "rows_private.h"

static const struct transport_row rows[] = {
	{"tcp", "4.8", "raw TCP, a connection per member, frames of our own", "", &transport_tcp},
	{"unix", "4.8", "sockets of one machine, otherwise as tcp", "", &transport_unix},
};

const struct transport_row *transport_at(size_t index)
{
	return index < sizeof rows / sizeof rows[0] ? &rows[index] : NULL;
}

const struct transport_row *transport_find(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

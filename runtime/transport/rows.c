/* The table of transports, made from world/transports.def. A transport whose library is not in this
 * build has no operations. */
#include "transport/rows.h"

#include "rows_private.h"

/* OPS(LIBRARY, operations) is the address of a transport's operations, or NULL if this build does
 * not have the library. HAVE_LIBRARY is 0 or 1. */
#define HAVE_OWN		  1
#define HAVE_NONE		  0
#define OPS(library, operations)  OPS_IF(HAVE_##library, operations)
#define OPS_IF(have, operations)  OPS_IF_(have, operations)
#define OPS_IF_(have, operations) OPS_IF_##have(operations)
#define OPS_IF_0(operations)	  NULL
#define OPS_IF_1(operations)	  &operations

static const struct transport_row rows[] = {
#define TRANSPORT(row, symbol, name_, library, capabilities, what, ...)                            \
	{.entry = {.name = name_, .section = "4.8", .description = what},                          \
		.ops = OPS(library, transport_##symbol),                                           \
		__VA_ARGS__},
#include "world/transports.def"
};

REGISTRY_OF_ARRAY(
	transport, transport_row, "runtime.distributed.transport", "transport between hosts", rows)

uint32_t transport_window_max(const struct transport_row *row)
{
	return row->window_max ? row->window_max : CHANNEL_WINDOW_MAX;
}

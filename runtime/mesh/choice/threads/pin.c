/* Binds the caller and every thread of the mesh device to processors, in the order in which the
 * threads start (spec 3.9.1). */
#include "mesh/choice/rows.h"
#include "world/world.h"

/* The variants assign cores in different orders. Returns the position of a thread's core in this
 * order. The caller gets position 0. The other threads get the remaining positions in turn; when
 * all are used, position 1 follows again. If there is only one core, all threads get position 0. */
static uint16_t pin_place(uint16_t host, uint32_t thread)
{
	uint16_t cores = world->core_count(host);

	if (thread == 0 || cores == 1)
		return 0;
	return (uint16_t)(1 + (thread - 1) % (cores - 1u));
}

/* Returns how many cores of the same socket have a lower number than `core`. */
static uint16_t pin_rank(uint16_t host, uint16_t core)
{
	uint16_t before = 0;

	for (uint16_t i = 0; i < core; i++)
		if (world->core_socket(host, i) == world->core_socket(host, core))
			before++;
	return before;
}

static uint16_t compact_core(uint16_t host, uint32_t thread)
{
	return pin_place(host, thread);
}

/* Returns the core at a thread's position if cores are assigned in this order: the first core of
 * every socket, then the second core of every socket, and so on. */
static uint16_t spread_core(uint16_t host, uint32_t thread)
{
	uint16_t cores = world->core_count(host), left = pin_place(host, thread);

	for (uint16_t turn = 0; turn < cores; turn++)
		for (uint16_t core = 0; core < cores; core++)
			if (pin_rank(host, core) == turn && left-- == 0)
				return core;
	return 0;
}

const struct pin_ops pin_none = {
	.entry = {.name = "none",
		.description = "threads run wherever a processor is free",
		.section = "3.9.1",
		.resources = "nothing"},
};

const struct pin_ops pin_compact = {
	.entry = {.name = "compact",
		.description =
			"each thread on a processor of its own, those of a socket first; the "
			"caller's is left to it, the others are shared if there are too few",
		.section = "3.9.1",
		.resources = "a processor per host thread"},
	.core = compact_core,
};

const struct pin_ops pin_spread = {
	.entry = {.name = "spread",
		.description =
			"each thread on a processor of its own, round all sockets; the caller's "
			"is left to it, the others are shared if there are too few",
		.section = "3.9.1",
		.resources = "a processor per host thread"},
	.core = spread_core,
};

/* Converts the configuration, buffers and cores of a mesh device to messages and back. Also defines
 * the controller's queries, and charges the cost of work that either the controller or an executor
 * can do. */
#ifndef DISTRIBUTED_COMMON_DESCRIBED_H
#define DISTRIBUTED_COMMON_DESCRIBED_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/mesh_layout.h"
#include "wire/command.h"
#include "base/arena.h"
#include "mesh/compile/compile.h"
#include "mesh/config.h"
#include "command/launch.h"
#include "mesh/mesh.h"
#include "mesh/program.h"
#include "world/world.h"

/* Checks whether the message CREATE_BUFFER can express the layout. The message has 32 bits for each
 * extent (the height or width in elements); a larger extent must be counted in a larger unit.
 * Returns OK; UNSUPPORTED, with a sentence in `why`, if that is impossible, for example for more
 * than 2^32 - 1 rows that are divided between shards. */
enum status described_check(const struct mesh_layout *layout, struct text *why);

/* Returns the message for a layout that passed described_check(). An extent that does not fit into
 * 32 bits is given in a larger unit, an element that combines several columns (or rows). The caller
 * sets the message's number, buffer and address. */
struct wire_create_buffer described_buffer(
	const struct mesh_layout *layout, const struct buffer_config *config);

/* Reads the layout over all hosts, and the configuration within a device. */
void described_read(const struct wire_create_buffer *message, struct mesh_layout *layout,
	struct buffer_config *config);

struct wire_cores cores_to_wire(struct cores cores);
struct cores cores_from_wire(const struct wire_cores *from);

/* The configuration of a mesh device in messages: the values in struct mesh_config, and the names
 * of the chosen variants. Settings that concern only one host are not sent: costs, limits and
 * faults of the firmware, and the host's server. The reader rejects unknown names and values. */

/* Numbers from configuration keys are sent with bit 63 set, because some codecs write small numbers
 * in fewer bytes. Without this bit, a key's value would change the length of the message, and so
 * the time that the message takes. */
#define OPTION_NUMBER (UINT64_C(1) << 63)

static inline uint64_t option_number(uint64_t value)
{
	return OPTION_NUMBER | value;
}

/* The number in a message; also accepts numbers without the bit. */
static inline uint64_t option_value(uint64_t number)
{
	return number & ~OPTION_NUMBER;
}

/* Fills in the options of OPEN_MESH, in the arena. */
void options_write(
	const struct mesh_config *config, struct arena *arena, struct wire_open_mesh *message);

/* Reads the options in the message into *config. Returns OK; INVALID, with a sentence in `why` (may
 * be NULL), if an option or the name of a variant is unknown, or if a value is too large. */
enum status options_read(
	const struct wire_open_mesh *message, struct mesh_config *config, struct text *why);

/* Queries of the controller to its executors (QUERY), and the format of the answers (TOLD). */

/* These numbers are in messages and must not change. */
enum asked {
	ASKED_REST,	/* no data; answered when nothing is under way on the host's machine */
	ASKED_COUNTERS, /* struct mesh_counters */
	ASKED_RESULT,	/* LAUNCH_RESULT_BYTES of a core */
};

/* Words of the counters: two for each number, the lower one first. */
enum { COUNTERS_WORDS = sizeof(struct mesh_counters) / 4 };

_Static_assert(sizeof(struct mesh_counters) % 8 == 0, "counters are of 64 bits");

/* The costs of two kinds of work that either the controller or an executor does: compiling kernels
 * that are not in the program cache (spec 4.9), and reading from storage. */

/* Compiles those kernels of the program that were not compiled before. */
void compiled_add(struct compiled *compiled, const struct program *program);

/* The cost of reading from storage, such as weights from a file (spec 4.3.3). */

/* Charges one read of consecutive bytes. */
static inline void storage_charge(uint64_t bytes)
{
	world->work(WORK_STORAGE_READ, 1);
	world->work(WORK_STORAGE_KIB, (bytes + 1023) / 1024);
}

#endif

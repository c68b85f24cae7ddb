/* Converts the configuration, buffers and cores of a mesh device to messages and back. Also defines
 * the queries of the controller, and the costs of work that either the controller or an executor
 * does. */
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
 * extent (the height or width in elements). A larger extent must be expressed in units of several
 * elements. Returns OK. Returns UNSUPPORTED, with a sentence in `why`, if this is impossible, for
 * example if more than 2^32 - 1 rows are divided between shards. */
enum status described_check(const struct mesh_layout *layout, struct text *why);

/* Returns the message for a layout that passed described_check(). If the height or width does not
 * fit into 32 bits, the message counts units of several rows or columns. The caller sets the
 * message's number, buffer and address. */
struct wire_create_buffer described_buffer(
	const struct mesh_layout *layout, const struct buffer_config *config);

/* Reads two things from a message: the layout of the buffer over all hosts, and the buffer's
 * configuration within a device. */
void described_read(const struct wire_create_buffer *message, struct mesh_layout *layout,
	struct buffer_config *config);

struct wire_cores cores_to_wire(struct cores cores);
struct cores cores_from_wire(const struct wire_cores *from);

/* The configuration of a mesh device in messages: the values in struct mesh_config, and the names
 * of the chosen variants. Settings that concern only one host are not sent. These are the host's
 * server, and the costs, limits and receiver of faults of its firmware. The reader rejects unknown
 * names and values. */

/* Numbers from configuration keys are sent with bit 63 set. Some codecs write small numbers in
 * fewer bytes than large ones. Thanks to this bit, the length of a message does not depend on the
 * value of a key, nor does the time that the message takes. */
#define OPTION_NUMBER (UINT64_C(1) << 63)

static inline uint64_t option_number(uint64_t value)
{
	return OPTION_NUMBER | value;
}

/* Returns the number in a message. Also accepts numbers without bit 63. */
static inline uint64_t option_value(uint64_t number)
{
	return number & ~OPTION_NUMBER;
}

/* Fills in the options of the message OPEN_MESH. They are allocated in the arena. */
void options_write(
	const struct mesh_config *config, struct arena *arena, struct wire_open_mesh *message);

/* Reads the options in the message into *config. Returns OK. Returns INVALID, with a sentence in
 * `why` (may be NULL), if an option or the name of a variant is unknown, or if a value is too
 * large. */
enum status options_read(
	const struct wire_open_mesh *message, struct mesh_config *config, struct text *why);

/* Queries that the controller sends to its executors (QUERY), and the format of the answers
 * (TOLD). */

/* Messages contain these numbers, so they must not change. */
enum asked {
	ASKED_REST,	/* no data; answered when all activity on the host's machine has ended */
	ASKED_COUNTERS, /* the counters of struct mesh_counters */
	ASKED_RESULT,	/* LAUNCH_RESULT_BYTES bytes of a core's launch result */
};

/* Number of 32-bit words of the counters. Each number has two words; the lower word comes first. */
enum { COUNTERS_WORDS = sizeof(struct mesh_counters) / 4 };

_Static_assert(sizeof(struct mesh_counters) % 8 == 0, "counters are of 64 bits");

/* The costs of two kinds of work that either the controller or an executor does. The first is
 * compiling kernels that are not in the program cache (spec 4.9). The second is reading from
 * storage. */

/* Compiles the kernels of the program that were not compiled before. */
void compiled_add(struct compiled *compiled, const struct program *program);

/* The cost of reading from storage, for example weights from a file (spec 4.3.3). */

/* Charges one read of `bytes` consecutive bytes. */
static inline void storage_charge(uint64_t bytes)
{
	world->work(WORK_STORAGE_READ, 1);
	world->work(WORK_STORAGE_KIB, (bytes + 1023) / 1024);
}

#endif

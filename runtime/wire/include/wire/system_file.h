/* The file of system descriptors (spec 4.2): the machines of all hosts of a controller, as a cache,
 * or given offline. It comes from anywhere: whatever it contains, it is read completely or refused.
 *
 *     0-7    "mshdesc" and NUL       8-11  version       12-15  hosts, 1 to SYSTEM_FILE_HOSTS_MAX
 *     per host: 4 B of clock (MHz), 4 B of length, a SYSTEM_DESCRIPTOR in the codec packed
 *     the last 8 B: a hash of everything before
 *
 * All numbers are little-endian. Readers refuse other versions; a change of the message has its own
 * rules (wire/codec.h). */
#ifndef WIRE_SYSTEM_FILE_H
#define WIRE_SYSTEM_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "world/device.h"

enum {
	SYSTEM_FILE_VERSION = 1,
	SYSTEM_FILE_HOSTS_MAX = 32,
	SYSTEM_FILE_BYTES_MAX = 4 << 20,
};

/* The machines in a file. */
struct system_hosts {
	uint32_t count;
	struct {
		struct cluster_info info;
		uint32_t bytes; /* of its part of the file */
	} host[SYSTEM_FILE_HOSTS_MAX];
};

/* Appends the file of `count` equal hosts to `out`. Returns OK, or an error of wire_encode() or
 * OUT_OF_RANGE for the count, with a sentence in `why`. */
enum status system_file_write(
	const struct cluster_info *info, uint32_t count, struct text *out, struct text *why);

/* Reads a file of `bytes` bytes; everything in *hosts is in the arena. Returns OK, or INVALID with
 * a sentence in `why`: it is no such file, of another version, truncated or changed. */
enum status system_file_read(const uint8_t *file, size_t bytes, struct arena *arena,
	struct system_hosts *hosts, struct text *why);

/* Returns true if a machine is not as it was described, and appends the first difference to `why`:
 * product, clock, meshes, chips, harvesting, dispatch cores, memories or links. */
bool system_differs(
	const struct cluster_info *given, const struct cluster_info *found, struct text *why);

/* True if the bytes begin like a file of any version. */
bool system_file_is(const char *head, size_t length);

#endif

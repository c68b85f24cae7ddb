/* System descriptors, which describe the machines of hosts (spec 4.2), and files with system
 * descriptors. A file describes the machines of all hosts of a controller. The controller keeps the
 * file as a cache, or the user provides it. The file may contain any bytes: if any part of it is
 * not valid, the whole file is rejected.
 *
 *     0-7    "mshdesc" and NUL       8-11  version       12-15  hosts, 1 to SYSTEM_FILE_HOSTS_MAX
 *     per host: 4 B of clock (MHz), 4 B of length, a SYSTEM_DESCRIPTOR in the codec packed
 *     the last 8 B: a hash of everything before
 *
 * All numbers are little-endian. Readers reject files of other versions. The message
 * SYSTEM_DESCRIPTOR has its own version (wire/codec.h). */
#ifndef WIRE_SYSTEM_FILE_H
#define WIRE_SYSTEM_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "wire/command.h"
#include "world/device.h"

/* The system descriptor (spec 4.2, B.1): a message that describes the machine of an executor. An
 * executor sends it to the controller when it joins. So the controller can answer queries about
 * chips although it has no chips itself. The descriptor has the contents of struct cluster_info:
 * the geometry of each chip without its disabled tiles, the chips with PCIe, the mesh, and the
 * links of the fabric. */

/* Returns the SYSTEM_DESCRIPTOR of a machine, with its lists in the arena. The message uses the
 * platform's name in `info` without a copy. This function does not check values against their
 * limits; wire_encode() does. */
struct wire_command wire_system_describe(const struct cluster_info *info, struct arena *arena);

/* Reads the machine in `message` into *info. Sets the clock to 0, because the message does not
 * contain it. All memory is allocated in the arena; *info does not refer to the message. Returns
 * OK. Returns OUT_OF_RANGE, with a sentence in `why` (may be NULL), if the message refers to a
 * chip, shape, tile or word that it does not contain, if a tile has an unknown kind, or if a tile
 * or chip lies outside its grid. */
enum status wire_system_read(const struct wire_system_descriptor *message, struct arena *arena,
	struct cluster_info *info, struct text *why);

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
		uint32_t bytes; /* size of this host's part of the file */
	} host[SYSTEM_FILE_HOSTS_MAX];
};

/* Appends to `out` a file that describes `count` equal hosts. Returns OK, or an error with a
 * sentence in `why`: OUT_OF_RANGE if `count` is wrong, or if the file would have more than
 * SYSTEM_FILE_BYTES_MAX bytes, which no reader accepts; or the errors of wire_encode(). */
enum status system_file_write(
	const struct cluster_info *info, uint32_t count, struct text *out, struct text *why);

/* Reads a file of `bytes` bytes into *hosts, whose parts are allocated in the arena. Returns OK.
 * Returns INVALID, with a sentence in `why`, if the bytes are not a file of descriptors, or if the
 * file has another version, has more than SYSTEM_FILE_BYTES_MAX bytes, is truncated, or was
 * changed. */
enum status system_file_read(const uint8_t *file, size_t bytes, struct arena *arena,
	struct system_hosts *hosts, struct text *why);

/* Compares two descriptions of a machine. `given` comes from the user or a cache, and `found` from
 * the machine itself. Returns true if they differ, and appends the first difference to `why`. The
 * order is: product, clock, number of chips, mesh, links, the chips one by one, channels and
 * packets of the fabric. For a chip it is: position and PCIe, harvesting, dispatch cores, memories,
 * other tiles. */
bool system_differs(
	const struct cluster_info *given, const struct cluster_info *found, struct text *why);

/* True if the bytes begin like a file of system descriptors, of any version. */
bool system_file_is(const char *head, size_t length);

#endif

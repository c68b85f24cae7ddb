/* Fuzzes messages with the tables of a chip, which come from other hosts. Length and hash are made
 * right, so that the fields are read. What is accepted is written as a message that is accepted
 * again, and can be followed from each place from which a packet may come. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "bring_up/control_plane.h"

/* of a head and a hash */
enum { LEAST_BYTES = 24 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Looks up the way of every packet. */
static void follow_all(const struct chip_tables *tables)
{
	for (uint32_t port = 0; port < tables->port_count; port++)
		for (uint8_t vc = 0; vc < tables->vcs; vc++)
			for (uint32_t chip = 0; chip < tables->mesh_chips; chip++) {
				struct hop hop =
					tables_next(tables, (struct hop){(uint8_t)port, vc},
						tables->first_device + chip, tables->mesh);

				ensure(hop.vc < tables->vcs, "VC %u", hop.vc);
			}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = allocate(size + 1, 1);
	struct arena arena = {0};
	struct chip_tables tables, again;
	struct text text = {0};

	memcpy(copy, bytes, size);
	if (size >= LEAST_BYTES) {
		uint64_t hash;

		for (uint32_t i = 0; i < 4; i++)
			copy[12 + i] = (uint8_t)(size >> 8 * i);
		hash = hash_bytes(copy, size - 8);
		for (uint32_t i = 0; i < 8; i++)
			copy[size - 8 + i] = (uint8_t)(hash >> 8 * i);
	}
	if (tables_read(copy, size, &arena, &tables, NULL) == STATUS_OK) {
		const struct chip_tables **all = allocate(tables.device_count, sizeof(*all));

		tables_write(&tables, &text);
		ensure(tables_read((const uint8_t *)text.bytes, text.length, &arena, &again,
			       NULL) == STATUS_OK,
			"what was written is not accepted");
		follow_all(&tables);
		all[tables.device] = &tables;
		control_plane_check(all, tables.device_count, &text);
		free(all);
	}
	text_fini(&text);
	arena_fini(&arena);
	free(copy);
	return 0;
}

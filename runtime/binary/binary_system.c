/* Compares the machine for which a model binary was built with the machine on which it shall run.
 */
#include <string.h>

#include "base/hash.h"
#include "base/refuse.h"
#include "binary_private.h"
#include "world/device.h"

uint64_t binary_system_hash(const struct model_system *system)
{
	const uint64_t parts[] = {system->mesh.rows, system->mesh.columns, system->worker_rows,
		system->worker_columns, system->dram_banks, system->l1_bytes,
		system->dram_bank_bytes};

	return hash_bytes(parts, sizeof parts);
}

void model_system_init(struct model_system *system, const char *platform, uint16_t rows,
	uint16_t columns, const struct chip_geometry *geometry)
{
	*system = (struct model_system){.platform = platform,
		.mesh = {rows, columns},
		.worker_rows = geometry->worker_rows,
		.worker_columns = geometry->worker_columns,
		.dram_banks = geometry->dram_bank_count,
		.l1_bytes = geometry->l1_bytes,
		.dram_bank_bytes = geometry->dram_bank_bytes};
	system->hash = binary_system_hash(system);
}

enum status model_system_check(
	const struct model_system *binary, const struct model_system *there, struct text *why)
{
	const struct {
		const char *what;
		unsigned long long built, is;
	} rows[] = {
		{"rows of devices", binary->mesh.rows, there->mesh.rows},
		{"columns of devices", binary->mesh.columns, there->mesh.columns},
		{"rows of workers", binary->worker_rows, there->worker_rows},
		{"columns of workers", binary->worker_columns, there->worker_columns},
		{"DRAM banks", binary->dram_banks, there->dram_banks},
		{"bytes of L1", binary->l1_bytes, there->l1_bytes},
		{"bytes of a DRAM bank", binary->dram_bank_bytes, there->dram_bank_bytes},
	};
	const char *between = ": ";

	if (binary->hash == there->hash)
		return STATUS_OK;
	(void)refuse(why, STATUS_UNSUPPORTED, "it was built for another machine (%s, here %s)",
		binary->platform, there->platform);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].built != rows[i].is) {
			(void)refuse(why, STATUS_UNSUPPORTED, "%s%llu %s, here %llu", between,
				rows[i].built, rows[i].what, rows[i].is);
			between = "; ";
		}
	return STATUS_UNSUPPORTED;
}

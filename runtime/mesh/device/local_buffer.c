/* Places buffers that belong to one sub-device on the workers of this sub-device. The functions
 * need only a program site, which may describe devices of other hosts. So a host that allocates
 * buffers for other hosts computes the same cores as these hosts. */
#include "base/refuse.h"
#include "mesh/device/device.h"

static uint8_t owner(const struct program_site *site, uint32_t column, uint32_t row)
{
	return site->divisions[site->loaded]
		->sub_device_of[row * site->limits.worker_columns + column];
}

/* Checks that shards lie only on cores of the sub-device. */
static enum status check_shards(const struct program_site *site, struct worker_rect cores,
	uint8_t sub_device, struct text *why)
{
	uint32_t columns = site->limits.worker_columns, rows = site->limits.worker_rows;

	for (uint32_t row = cores.row0; row <= cores.row1 && row < rows; row++)
		for (uint32_t column = cores.column0; column <= cores.column1 && column < columns;
			column++)
			if (owner(site, column, row) != sub_device)
				return refuse(why, STATUS_OUT_OF_RANGE,
					"core %u,%u is not of the sub-device", column, row);
	return STATUS_OK;
}

/* Sets *found to the smallest rectangle that contains all workers of a sub-device. Returns false if
 * the rectangle also contains other workers. */
static bool find_rectangle(
	const struct program_site *site, uint8_t sub_device, struct worker_rect *found)
{
	struct worker_rect rect = {UINT8_MAX, UINT8_MAX, 0, 0};

	for (uint32_t row = 0; row < site->limits.worker_rows; row++)
		for (uint32_t column = 0; column < site->limits.worker_columns; column++) {
			if (owner(site, column, row) != sub_device)
				continue;
			rect.column0 = column < rect.column0 ? (uint8_t)column : rect.column0;
			rect.row0 = row < rect.row0 ? (uint8_t)row : rect.row0;
			rect.column1 = column > rect.column1 ? (uint8_t)column : rect.column1;
			rect.row1 = (uint8_t)row;
		}
	*found = rect;
	return rect.row0 != UINT8_MAX && check_shards(site, rect, sub_device, NULL) == STATUS_OK;
}

/* Changes the layout in *config from interleaved pages to shards of one page. The workers of the
 * sub-device get these shards in turn. */
static enum status deal_pages(const struct program_site *site, uint8_t sub_device,
	uint64_t device_bytes, struct buffer_config *config, struct text *why)
{
	struct worker_rect cores;

	if (!find_rectangle(site, sub_device, &cores))
		return refuse(why, STATUS_UNSUPPORTED,
			"pages interleaved over cores that are no rectangle");
	config->layout = LAYOUT_HEIGHT_SHARDED;
	config->shard = (struct shard_parameters){.pages_wide = 1,
		.shard_pages_high = 1,
		.shard_pages_wide = 1,
		.cores = cores,
		.round_robin = true};
	if (config->page_bytes > 0 && device_bytes / config->page_bytes <= UINT32_MAX)
		config->shard.pages_high = (uint32_t)(device_bytes / config->page_bytes);
	return STATUS_OK;
}

enum status sub_device_deal(const struct program_site *site, uint64_t device_bytes,
	struct buffer_config *config, struct text *why)
{
	uint8_t sub_device = (uint8_t)(config->sub_device - 1);

	if (!site->divided || sub_device >= site->sub_devices)
		return refuse(why, STATUS_NOT_FOUND, "the mesh has no sub-device %u", sub_device);
	if (config->type != BUFFER_L1)
		return refuse(why, STATUS_UNSUPPORTED, "sub-devices have no memory but L1");
	return config->layout == LAYOUT_INTERLEAVED
		       ? deal_pages(site, sub_device, device_bytes, config, why)
		       : check_shards(site, config->shard.cores, sub_device, why);
}

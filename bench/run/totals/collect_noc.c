/* Makes rows of the busiest NoC links of each chip, for the table of links
 * (bench/results/results.h). A chip has hundreds of links, so only the busiest links get rows. */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "chip/sim_device.h"
#include "run_world.h"

struct loaded {
	uint32_t index;
	struct sim_noc_link_statistics link;
};

static int busier_first(const void *a, const void *b)
{
	const struct loaded *one = a, *two = b;

	if (one->link.busy_ps != two->link.busy_ps)
		return one->link.busy_ps < two->link.busy_ps ? 1 : -1;
	return one->index < two->index ? -1 : one->index > two->index;
}

uint32_t collect_noc_links(const struct cluster *cluster, uint16_t chip, uint32_t first,
	struct noc_link_rate rate, struct link_row rows[NOC_LINK_ROWS])
{
	struct loaded *loaded;
	uint32_t all = 0, count = 0, kept;
	struct sim_noc_link_statistics link;

	while (sim_noc_link_statistics(cluster, chip, all, &link))
		all++;
	if (all == 0)
		return 0;
	loaded = allocate(all, sizeof *loaded);
	for (uint32_t i = 0; i < all; i++) {
		sim_noc_link_statistics(cluster, chip, i, &link);
		if (link.messages > 0)
			loaded[count++] = (struct loaded){i, link};
	}
	qsort(loaded, count, sizeof *loaded, busier_first);
	kept = count < NOC_LINK_ROWS ? count : NOC_LINK_ROWS;
	for (uint32_t i = 0; i < kept; i++) {
		struct link_row *row = &rows[i];

		link = loaded[i].link;
		*row = (struct link_row){.kind = "noc",
			.from = (int32_t)(first + chip),
			.to = (int32_t)(first + chip),
			.bandwidth = rate.bytes_per_s,
			.bytes = link.bytes,
			.payload = link.bytes,
			.messages = link.messages,
			.busy = link.busy_ps,
			.waited = link.waited_ps};
		if (rate.simulated_ps > 0)
			row->utilization = (double)link.busy_ps / (double)rate.simulated_ps;
		snprintf(row->name, sizeof row->name, "chip %u, NoC %u, (%u, %u) to (%u, %u)",
			first + chip, link.noc, link.x, link.y, link.to_x, link.to_y);
	}
	free(loaded);
	return kept;
}

/* Writes the chips' part of a stall report: blocked stages, links and PCIe reads. Entries that
 * differ only in the chip or the tile share one line. */
#include "chip/machine/cluster.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "chip/fabric/fabric.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

/* The largest number of lines of each kind, and of ranges of numbers in one line. */
enum {
	STAGE_LINES_MAX = 16,
	LINK_LINES_MAX = 6,
	PCIE_LINES_MAX = 4,
	RANGES_MAX = 6,
	DESCRIPTION_BYTES = 160
};

/* Stages with the same name that wait for the same thing. */
struct group {
	const struct task *first;
	uint32_t count;
	bool *chips, *tiles;	   /* [number]: true for chips and tiles of these stages */
	uint32_t now[2], value[2]; /* `now`: smallest and largest present value of the words;
				    * `value`: smallest and largest value for which stages wait */
};

static void report_host(FILE *out, const struct cluster *cluster)
{
	if (cluster->options.host > 0)
		fprintf(out, "host %u ", cluster->options.host);
}

static void report_chip(FILE *out, const struct cluster *cluster, uint16_t chip)
{
	const struct chip_info *info = &cluster->info->chips[chip];

	report_host(out, cluster);
	fprintf(out, "chip %u", chip);
	if (info->mesh_row >= 0)
		fprintf(out, " (mesh %d,%d)", info->mesh_row, info->mesh_column);
}

/* Prints the number of a chip in the fabric, which several hosts may share. */
static void report_fabric_chip(FILE *out, const struct cluster *cluster, uint16_t chip)
{
	const struct chip_info *info = &cluster->fabric->info->chips[chip];

	if (cluster->info->machine == NULL) {
		report_chip(out, cluster, chip);
		return;
	}
	fprintf(out, "host %u chip %u", info->host, chip % cluster->info->chip_count);
	if (info->mesh_row >= 0)
		fprintf(out, " (mesh %d,%d of all hosts)", info->mesh_row, info->mesh_column);
}

/* ---- stages ---- */

static bool is_blocked(const struct task *task)
{
	return task->stage->state == TASK_BLOCKED && !task->stage->wait.idle;
}

static const char *awaited(const struct stage *stage)
{
	return stage->wait.what ? stage->wait.what : "something that it does not name";
}

/* Writes the stage's own description of its state, which may be empty, to `out`. */
static void describe(const struct stage *stage, char out[DESCRIPTION_BYTES])
{
	out[0] = '\0';
	if (stage->ops->describe != NULL)
		stage->ops->describe(stage, out, DESCRIPTION_BYTES);
}

static bool describe_alike(const struct stage *a, const struct stage *b)
{
	char one[DESCRIPTION_BYTES], other[DESCRIPTION_BYTES];

	describe(a, one);
	describe(b, other);
	return strcmp(one, other) == 0;
}

static bool are_alike(const struct stage *a, const struct stage *b)
{
	return a->ops == b->ops && a->wait.on == b->wait.on &&
	       (a->wait.on != STAGE_WAIT_WORD || a->wait.address == b->wait.address) &&
	       strcmp(awaited(a), awaited(b)) == 0 && describe_alike(a, b);
}

/* Returns the present value of the word or count for which the stage waits. */
static uint32_t value_now(const struct task *task)
{
	switch (task->stage->wait.on) {
	case STAGE_WAIT_WORD:
		return sim_tile_word(task->tile, task->stage->wait.address);
	case STAGE_WAIT_READS:
		return task->stage->reads_done;
	case STAGE_WAIT_WRITES:
		return task->stage->writes_done;
	default:
		return 0;
	}
}

static void widen(uint32_t range[2], uint32_t value, bool first)
{
	if (first || value < range[0])
		range[0] = value;
	if (first || value > range[1])
		range[1] = value;
}

/* Collects into *group all stages that are blocked for the same reason as stage `index`. If a stage
 * before `index` belongs to this group, the group has been printed already, and *group stays empty.
 */
static void collect(const struct cluster *cluster, uint32_t index, struct group *group)
{
	const struct task *first = cluster->stages[index];

	group->first = first;
	group->count = 0;
	memset(group->chips, 0, (UINT16_MAX + 1) * sizeof *group->chips);
	memset(group->tiles, 0, (UINT16_MAX + 1) * sizeof *group->tiles);
	for (uint32_t i = 0; i < cluster->stage_count; i++) {
		const struct task *task = cluster->stages[i];

		if (!is_blocked(task) || !are_alike(task->stage, first->stage))
			continue;
		if (i < index)
			return;
		widen(group->now, value_now(task), group->count == 0);
		widen(group->value, task->stage->wait.value, group->count == 0);
		group->count++;
		group->chips[task->stage->device->number] = true;
		group->tiles[task->stage->tile] = true;
	}
}

static uint32_t count_of(const bool *numbers)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i <= UINT16_MAX; i++)
		count += numbers[i];
	return count;
}

/* Writes numbers as ranges: "chip 3", "2 tiles (3, 5)", "64 chips (0-63)". */
static void report_numbers(FILE *out, const char *what, const bool *numbers)
{
	uint32_t count = count_of(numbers), ranges = 0;

	if (count > 1)
		fprintf(out, "%" PRIu32 " %ss (", count, what);
	else
		fprintf(out, "%s ", what);
	for (uint32_t i = 0, end; i <= UINT16_MAX; i = end + 1) {
		for (end = i; end < UINT16_MAX && numbers[i] && numbers[end + 1]; end++)
			;
		if (!numbers[i] || ranges++ > RANGES_MAX)
			continue;
		fprintf(out, "%s", ranges > 1 ? ", " : "");
		if (ranges > RANGES_MAX)
			fprintf(out, "...");
		else if (end > i)
			fprintf(out, "%" PRIu32 "-%" PRIu32, i, end);
		else
			fprintf(out, "%" PRIu32, i);
	}
	fprintf(out, "%s", count > 1 ? ")" : "");
}

static void report_where(FILE *out, struct cluster *cluster, const struct group *group)
{
	const struct stage *stage = group->first->stage;

	fprintf(out, "%s on ", stage->ops->name);
	if (group->count == 1) {
		report_chip(out, cluster, stage->device->number);
		fprintf(out, " tile %u", stage->tile);
		return;
	}
	report_host(out, cluster);
	report_numbers(out, "chip", group->chips);
	fprintf(out, ", ");
	report_numbers(out, "tile", group->tiles);
	if (group->count != count_of(group->chips))
		fprintf(out, ", %" PRIu32 " in all", group->count);
	fputc(',', out);
}

static void report_range(FILE *out, const uint32_t range[2])
{
	fprintf(out, "%" PRIu32, range[0]);
	if (range[1] != range[0])
		fprintf(out, " to %" PRIu32, range[1]);
}

/* Returns true if the stage has met a fault, and waits for nothing. */
static bool is_halted(const struct stage *stage)
{
	return strncmp(awaited(stage), "halted", strlen("halted")) == 0;
}

static void report_group(FILE *out, struct cluster *cluster, const struct group *group)
{
	const struct stage_wait *wait = &group->first->stage->wait;
	const struct fabric_tree *tree = wait->fabric;
	char at[DESCRIPTION_BYTES];

	report_where(out, cluster, group);
	fprintf(out, " %s%s", is_halted(group->first->stage) ? "is " : "waits for ",
		awaited(group->first->stage));
	describe(group->first->stage, at);
	if (at[0] != '\0')
		fprintf(out, " at %s", at);
	if (wait->on == STAGE_WAIT_FABRIC) {
		fprintf(out, " (a slot of the fabric");
		if (group->count == 1 && tree->node_count > 1) {
			fprintf(out, " towards ");
			report_fabric_chip(out, cluster,
				(uint16_t)(tree->nodes[1].chip +
					   (tree->of_machine ? 0 : cluster->first)));
		}
		fprintf(out, ")");
	} else if (wait->on != STAGE_WAIT_TILE) {
		if (wait->on == STAGE_WAIT_WORD)
			fprintf(out, " (word 0x%" PRIx32 " is ", wait->address);
		else
			fprintf(out,
				" (%s done: ", wait->on == STAGE_WAIT_READS ? "reads" : "writes");
		report_range(out, group->now);
		fprintf(out, ", not yet ");
		report_range(out, group->value);
		fprintf(out, ")");
	}
	fprintf(out, "\n");
}

static void report_stages(FILE *out, struct cluster *cluster)
{
	struct group group = {.chips = calloc(UINT16_MAX + 1, sizeof *group.chips),
		.tiles = calloc(UINT16_MAX + 1, sizeof *group.tiles)};
	uint32_t lines = 0, more = 0;

	ensure_memory(group.chips && group.tiles, "a report");
	for (uint32_t i = 0; i < cluster->stage_count; i++) {
		if (!is_blocked(cluster->stages[i]))
			continue;
		collect(cluster, i, &group);
		if (group.count > 0 && lines++ < STAGE_LINES_MAX)
			report_group(out, cluster, &group);
		else
			more += group.count;
	}
	if (more > 0)
		fprintf(out, "and %" PRIu32 " more stages of the firmware wait\n", more);
	free(group.chips);
	free(group.tiles);
}

/* ---- links ---- */

static void report_link(FILE *out, struct cluster *cluster, const struct link *link)
{
	const struct port *buffer = &link->buffer;

	fprintf(out, "fabric link %u from ", link->index);
	report_fabric_chip(out, cluster, link->from);
	fprintf(out, " to ");
	report_fabric_chip(out, cluster, link->to);
	fprintf(out, ": %" PRIu32 " packets wait for a slot,", buffer->waiting);
	if (link->entering_count > 0)
		fprintf(out, " %" PRIu32 " wait to enter the ring,", link->entering_count);
	for (uint32_t c = 0; c < buffer->channels; c++)
		fprintf(out, " %" PRIu32 "/%" PRIu32 " free", buffer->free[c], buffer->slots);
	fprintf(out, "\n");
}

static void report_links(FILE *out, struct cluster *cluster)
{
	uint32_t full = 0;

	for (uint32_t i = 0; i < cluster->fabric->link_count; i++) {
		const struct link *link = &cluster->fabric->links[i];

		if (link->cluster == cluster && link->buffer.waiting + link->entering_count > 0 &&
			full++ < LINK_LINES_MAX)
			report_link(out, cluster, link);
	}
	if (full > LINK_LINES_MAX)
		fprintf(out, "and %" PRIu32 " more links have packets that wait\n",
			full - LINK_LINES_MAX);
}

/* ---- PCIe ---- */

static void report_pcie(FILE *out, struct cluster *cluster)
{
	uint32_t busy = 0;

	for (uint32_t i = 0; i < cluster->info->chip_count; i++) {
		const struct pcie *pcie = cluster->chips[i].pcie;

		if (!pcie || pcie->outstanding + pcie->waiting == 0 || busy++ >= PCIE_LINES_MAX)
			continue;
		fprintf(out, "PCIe of ");
		report_chip(out, cluster, cluster->chips[i].number);
		fprintf(out, ": %" PRIu32 " read requests outstanding, %" PRIu32 " reads wait\n",
			pcie->outstanding, pcie->waiting);
	}
	if (busy > PCIE_LINES_MAX)
		fprintf(out, "and the PCIe of %" PRIu32 " more chips has reads under way\n",
			busy - PCIE_LINES_MAX);
}

void sim_report(void *context, FILE *out)
{
	struct cluster *cluster = context;

	for (uint32_t i = 0; i < cluster->stage_count; i++)
		sim_tile_alone(cluster->stages[i]->tile);
	report_stages(out, cluster);
	report_links(out, cluster);
	report_pcie(out, cluster);
}

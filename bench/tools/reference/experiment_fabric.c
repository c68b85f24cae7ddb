/* Experiments on the fabric: ping-pong, streams of packets, and collectives. They all run programs
 * on the simulated chips. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/reference/experiment.h"

static const char *experiment_fabric_topology_of(const struct reference_row *row)
{
	const char *topology = reference_text(row, "topology", "linear");

	return strcmp(topology, "linear") == 0 ? "line" : topology;
}

/* ---- latency ---- */

const struct experiment_param experiment_latency_params[] = {
	{"pattern", "ping_pong", "ping_pong"},
	{"op", "write|fused_atomic_inc", NULL},
	{"topology", "linear|ring|mesh|torus", NULL},
	{"hops", "#", "1"},
	{"links", "#", "1"},
	{"payload_bytes", "#", NULL},
	{0},
};

void experiment_latency_scenario(const struct reference_row *row, struct text *yaml)
{
	experiment_head(yaml, row->family, experiment_system(row->system)->name);
	text_printf(yaml,
		"runtime: {fabric: {topology: %s}}\nworkload:\n"
		"  - fabric_ping: {op: %s, hops: %s, payload_bytes: %s, samples: 256}\n",
		experiment_fabric_topology_of(row), reference_text(row, "op", "write"),
		reference_text(row, "hops", "1"), reference_text(row, "payload_bytes", "16"));
}

/* Returns the mean round trip, without the time that the responder needs. */
double experiment_latency_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	double sum_ps = 0;
	uint32_t samples = 0;

	(void)row;
	for (uint32_t i = 0; i < count; i++) {
		const struct op_mark *marks = ops[i].marks;

		if (strcmp(ops[i].kind, "fabric_ping") != 0 || marks[MARK_SEEN].count == 0)
			continue;
		sum_ps += (double)(marks[MARK_SEEN].last - marks[MARK_CALLED].first -
				   (marks[MARK_SENT].last - marks[MARK_RECEIVED].first));
		samples++;
	}
	return samples ? sum_ps / samples * 1e-3 : 0;
}

/* ---- bandwidth ---- */

const struct experiment_param experiment_bandwidth_params[] = {
	{"pattern",
		"linear_multicast|unidir_linear_multicast|single_sender_linear_unicast_all_devices|"
		"full_ring_multicast|half_ring_multicast|full_ring_unicast|mesh_multicast|"
		"mesh_multicast_dynamic|single_sender_mesh_unicast_all_devices|"
		"torus_all_to_all_multicast",
		NULL},
	{"op", "write|fused_atomic_inc|scatter_write", NULL},
	{"topology", "linear|ring|mesh|torus", NULL},
	{"devices", "all|#|#x#", "all"},
	{"links", "#", "1"},
	{"packet_bytes", "#", NULL},
	{0},
};

/* Rings of many chips need more packets, since the steady rate begins only when a ring is full. */
enum { PACKETS = 600, PACKETS_OF_MANY = 120, PACKETS_ROUND_MANY = 180 };

/* Sets *rows and *columns to the shape of the mesh. The parameter `devices` of the row gives it: as
 * a shape such as "2x4", or as the number of devices in a part of a row or in several whole rows.
 * Any other value means the whole machine. Some machines have a shape for rings. A ring on such a
 * machine has this shape unless `devices` is a shape. */
static void experiment_fabric_shape_of(
	const struct reference_row *row, unsigned *rows, unsigned *columns)
{
	const struct experiment_system *machine = experiment_system(row->system);
	const char *devices = reference_text(row, "devices", "all");
	unsigned count;

	if (sscanf(devices, "%ux%u", rows, columns) == 2) {
		/* Some rows give [columns, rows]. If the two numbers in this order are the shape of
		 * the machine, exchanges them. */
		if (*rows == machine->columns && *columns == machine->rows) {
			*rows = machine->rows;
			*columns = machine->columns;
		}
		return;
	}
	count = (unsigned)strtoul(devices, NULL, 10);
	*rows = machine->rows;
	*columns = machine->columns;
	if (machine->ring_rows > 0 && experiment_is(row, "topology", "ring", "linear")) {
		*rows = machine->ring_rows;
		*columns = machine->ring_columns;
		return;
	}
	if (count > 0 && count <= machine->columns) {
		*rows = 1;
		*columns = count;
		if (count == machine->rows * machine->columns)
			*rows = machine->rows;
	} else if (count > 0 && count % machine->columns == 0) {
		*rows = count / machine->columns;
	}
}

static unsigned packets_of(const struct reference_row *row, unsigned chips)
{
	if (chips <= 8)
		return PACKETS;
	return experiment_is(row, "topology", "ring", "linear") ||
			       experiment_is(row, "topology", "torus", "linear")
		       ? PACKETS_ROUND_MANY
		       : PACKETS_OF_MANY;
}

/* Appends a scenario that sends the same streams twice, with different lengths. Start and end cost
 * the same for both lengths, so these costs cancel out in the difference. */
void experiment_bandwidth_scenario(const struct reference_row *row, struct text *yaml)
{
	unsigned rows, columns, packets;

	experiment_fabric_shape_of(row, &rows, &columns);
	packets = packets_of(row, rows * columns);
	experiment_head(yaml, row->family, experiment_system(row->system)->name);
	text_printf(yaml, "runtime: {mesh: {shape: [%u, %u]}, fabric: {topology: %s}}\nworkload:\n",
		rows, columns, experiment_fabric_topology_of(row));
	for (unsigned i = 0; i < 2; i++)
		text_printf(yaml,
			"  - fabric_traffic: {pattern: %s, op: %s, links: %s, packet_bytes: %s, "
			"packets: %u, warmup: 1}\n",
			reference_text(row, "pattern", ""), reference_text(row, "op", "write"),
			reference_text(row, "links", "1"),
			reference_text(row, "packet_bytes", "2048"), packets + i * packets / 2);
}

/* Returns the rate of payload in the busiest direction of a link, in GB/s. It is computed from the
 * differences in bytes and time between the longer and the shorter streams, so start and end do not
 * count. */
double experiment_bandwidth_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	double bytes = 0, passed_ps = 0, side = -1;

	(void)row;
	for (uint32_t i = 0; i < count; i++) {
		const struct op_mark *marks = ops[i].marks;

		if (strcmp(ops[i].kind, "fabric_traffic") != 0)
			continue;
		bytes += side * (double)ops[i].bytes;
		passed_ps +=
			side * (double)(marks[MARK_WORKERS_DONE].last - marks[MARK_CALLED].first);
		side = 1;
	}
	return passed_ps > 0 ? bytes / passed_ps * 1e3 : 0;
}

/* ---- collectives ---- */

/* The figure is the time from the last device's go signal until all devices are done. If a
 * collective is too long to simulate, the figure is extrapolated from two shorter ones. */
const struct experiment_param experiment_collective_params[] = {
	{"op", "all_gather|reduce_scatter|all_reduce|all_to_all", NULL},
	{"devices", "2|4|8", NULL},
	{"topology", "line|ring", "line"},
	{"links", "#", "1"},
	{"size_bytes", "#", NULL},
	{"packet_bytes", "#", "6144"},
	{0},
};

/* LONG_PAGES and SHORT_PAGES are lengths of collectives: numbers of pages of an item. An item is
 * the data that a device has for one other device or, in some operations, for all. Each length is a
 * whole number of chunks on every link. SHORT_PAGES is long enough for a steady state. */
enum { LONG_PAGES = 960, SHORT_PAGES = 480, PAGE_ALIGN = 32, TILE_BYTES = 2048 };

struct sizes {
	uint64_t devices, parts; /* number of devices; number of parts of the tensor */
	uint64_t item_bytes, page_bytes;
	double pages; /* number of pages per item */
};

static struct sizes sizes_of(const struct reference_row *row)
{
	struct sizes sizes = {.devices = experiment_number(row, "devices", 2)};
	uint64_t packet = experiment_number(row, "packet_bytes", 6144), pages, align;
	bool adds = experiment_is(row, "op", "reduce_scatter", "") ||
		    experiment_is(row, "op", "all_reduce", "");

	sizes.parts = sizes.devices *
		      (experiment_is(row, "op", "all_to_all", "all_gather") ? sizes.devices : 1);
	sizes.item_bytes = experiment_number(row, "size_bytes", 0) / sizes.parts;
	if (sizes.item_bytes == 0)
		sizes.item_bytes = 1;
	pages = (sizes.item_bytes + packet - 1) / packet;
	sizes.page_bytes = (sizes.item_bytes + pages - 1) / pages;
	align = adds ? TILE_BYTES : PAGE_ALIGN;
	sizes.page_bytes = (sizes.page_bytes + align - 1) / align * align;
	if (pages > LONG_PAGES)
		sizes.page_bytes = packet;
	sizes.pages =
		pages > LONG_PAGES ? (double)sizes.item_bytes / (double)packet : (double)pages;
	return sizes;
}

static bool is_ring(const struct reference_row *row, const struct sizes *sizes)
{
	return sizes->devices > 2 && experiment_is(row, "topology", "ring", "line");
}

static void add_step(const struct reference_row *row, const struct sizes *sizes, uint64_t pages,
	struct text *yaml)
{
	text_printf(yaml,
		"  - repeat: 2\n    do:\n    - collective: {op: %s, topology: %s, links: %s, "
		"page_bytes: %llu, size_bytes: %llu}\n  - finish: {}\n",
		reference_text(row, "op", ""), is_ring(row, sizes) ? "ring" : "line",
		reference_text(row, "links", "1"), (unsigned long long)sizes->page_bytes,
		(unsigned long long)(pages * sizes->page_bytes * sizes->parts));
}

/* Appends a scenario with the collective. Eight devices, and four devices in a ring, form two rows;
 * otherwise, the devices form one row. The fabric has two dimensions if packets turn from rows into
 * columns: in an all_to_all of eight devices that do not form a ring. */
void experiment_collective_scenario(const struct reference_row *row, struct text *yaml)
{
	struct sizes sizes = sizes_of(row);
	bool whole = sizes.pages <= LONG_PAGES, ring = is_ring(row, &sizes);
	bool square = sizes.devices == 8 || (sizes.devices == 4 && ring);
	bool turns = sizes.devices == 8 && !ring && experiment_is(row, "op", "all_to_all", "");

	text_printf(yaml,
		"meshsim: 1\nname: %s\nplatform:\n  extends: %s\n  fabric: {packet: {value: %s, "
		"unit: B, kind: published, source: the row}}\nmodel: {noise: off}\nmeasure: "
		"{verify: false}\n",
		row->family, experiment_system(row->system)->name,
		reference_text(row, "packet_bytes", "6144"));
	text_printf(yaml, "runtime: {mesh: {shape: [%d, %d]}, fabric: {topology: %s}}\nworkload:\n",
		square ? 2 : 1, (int)sizes.devices / (square ? 2 : 1),
		ring	? "ring"
		: turns ? "mesh"
			: "line");
	add_step(row, &sizes, whole ? (uint64_t)sizes.pages : SHORT_PAGES, yaml);
	if (!whole)
		add_step(row, &sizes, LONG_PAGES, yaml);
}

static double device_us(const struct op_row *op)
{
	return (double)(op->marks[MARK_WORKERS_DONE].last - op->marks[MARK_GO].last) * 1e-6;
}

double experiment_collective_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	struct sizes sizes = sizes_of(row);
	double shorter = 0, longer = 0;

	/* use the last operation of each length */
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(ops[i].kind, "collective") == 0) {
			shorter = longer > 0 && ops[i].iteration == 0 ? longer : shorter;
			longer = device_us(&ops[i]);
		}
	if (shorter <= 0)
		return longer;
	return longer +
	       (sizes.pages - LONG_PAGES) * (longer - shorter) / (LONG_PAGES - SHORT_PAGES);
}

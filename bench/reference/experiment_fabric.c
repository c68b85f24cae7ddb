/* The experiments of the fabric: ping-pong, and streams of packets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/reference/experiment.h"

static const char *topology_of(const struct reference_row *row)
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
	experiment_head(yaml, row->family, row->system);
	text_printf(yaml,
		"runtime: {fabric: {topology: %s}}\nworkload:\n"
		"  - fabric_ping: {op: %s, hops: %s, payload_bytes: %s, samples: 256}\n",
		topology_of(row), reference_text(row, "op", "write"),
		reference_text(row, "hops", "1"), reference_text(row, "payload_bytes", "16"));
}

/* Round trip less the responder's own time, mean. */
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
	{"devices", NULL, "all"},
	{"links", "#", "1"},
	{"packet_bytes", "#", NULL},
	{0},
};

struct machine_shape {
	const char *system;
	unsigned rows, columns;
};

/* Rings of many chips fill up first, and come to their pace after that. */
enum { PACKETS = 600, PACKETS_OF_MANY = 120, PACKETS_ROUND_MANY = 180 };

static const struct machine_shape machines[] = {{"t3k", 2, 4}, {"galaxy", 4, 8}};

/* "2x4", or a number of devices that makes a line, a part of a line, or all of the machine. */
static void shape_of(const struct reference_row *row, unsigned *rows, unsigned *columns)
{
	const struct machine_shape *machine =
		&machines[strcmp(row->system, machines[1].system) == 0];
	const char *devices = reference_text(row, "devices", "all");
	unsigned count;

	if (sscanf(devices, "%ux%u", rows, columns) == 2) {
		/* Named as [columns, rows] by some: the machine decides. */
		if (*rows == machine->columns && *columns == machine->rows) {
			*rows = machine->rows;
			*columns = machine->columns;
		}
		return;
	}
	count = (unsigned)strtoul(devices, NULL, 10);
	*rows = machine->rows;
	*columns = machine->columns;
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

/* Two lengths of the same streams: what start and end cost is the same in both. */
void experiment_bandwidth_scenario(const struct reference_row *row, struct text *yaml)
{
	unsigned rows, columns, packets;

	shape_of(row, &rows, &columns);
	packets = packets_of(row, rows * columns);
	experiment_head(yaml, row->family, row->system);
	text_printf(yaml, "runtime: {mesh: {shape: [%u, %u]}, fabric: {topology: %s}}\nworkload:\n",
		rows, columns, topology_of(row));
	for (unsigned i = 0; i < 2; i++)
		text_printf(yaml,
			"  - fabric_traffic: {pattern: %s, op: %s, links: %s, packet_bytes: %s, "
			"packets: %u, warmup: 1}\n",
			reference_text(row, "pattern", ""), reference_text(row, "op", "write"),
			reference_text(row, "links", "1"),
			reference_text(row, "packet_bytes", "2048"), packets + i * packets / 2);
}

/* Payload on the busiest link direction by time, of what the longer streams have more. */
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

/* Reads recorded transfers (see noc_trace.h). The files are JSON, and are read with the YAML
 * reader, because every JSON text is also YAML. */
#include <inttypes.h>
#include <string.h>

#include "base/allocate.h"
#include "base/tree.h"
#include "bench/tools/noc_trace/noc_trace.h"

enum { COORDINATE_MAX = 255, BYTES_MAX = 1 << 20, CHANNEL_MAX = 63, HOPS_MAX = 1023 };

struct reading {
	struct noc_trace *trace;
	struct arena *arena;
	struct diag *diag;
	const struct tree_node *root;
	int64_t first; /* time stamp of the first begin of any kernel */
	bool fabric;   /* also read packets and marks */
};

/* ---- fields of an event ---- */

static const char *text_of(const struct tree_node *event, const char *key)
{
	const struct tree_node *node = tree_get(event, key);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

/* Reads a whole number from `least` to `most`. */
static bool noc_trace_number(const struct reading *reading, const struct tree_node *event,
	const char *key, int64_t least, int64_t most, int64_t *out)
{
	const struct tree_node *node = tree_get(event, key);

	if (!node) {
		diag_error(reading->diag, event->where, "this event has no '%s'", key);
		return false;
	}
	if (node->kind != TREE_SCALAR || tree_integer(node, out) != STATUS_OK || *out < least ||
		*out > most) {
		diag_error(reading->diag, node->where,
			"'%s' is a whole number from %" PRId64 " to %" PRId64, key, least, most);
		return false;
	}
	return true;
}

static bool noc_trace_place(const struct reading *reading, const struct tree_node *event,
	const char *x_key, const char *y_key, uint16_t *x, uint16_t *y)
{
	int64_t column = 0, row = 0;
	bool good = noc_trace_number(reading, event, x_key, 0, COORDINATE_MAX, &column);

	good = noc_trace_number(reading, event, y_key, 0, COORDINATE_MAX, &row) && good;
	*x = (uint16_t)column;
	*y = (uint16_t)row;
	return good;
}

static bool begins_with(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends_with(const char *text, const char *with)
{
	size_t length = strlen(text), end = strlen(with);

	return length >= end && strcmp(text + length - end, with) == 0;
}

/* ---- kernels ---- */

/* Returns true if an event is the begin of a kernel. The profiler also records zones of its own
 * code, which are not kernels. */
static bool is_begin(const struct tree_node *event)
{
	return strcmp(text_of(event, "zone_phase"), "begin") == 0 &&
	       ends_with(text_of(event, "zone"), "-KERNEL");
}

static struct noc_trace_kernel *kernel_of(
	const struct reading *reading, uint16_t x, uint16_t y, const char *processor)
{
	struct noc_trace *trace = reading->trace;

	for (uint32_t i = 0; i < trace->kernel_count; i++) {
		struct noc_trace_kernel *kernel = &trace->kernels[i];

		if (kernel->x == x && kernel->y == y && strcmp(kernel->processor, processor) == 0)
			return kernel;
	}
	return NULL;
}

/* Records the end of a kernel, if the event is the end of a kernel. */
static bool read_end(struct reading *reading, const struct tree_node *event)
{
	struct noc_trace_kernel *kernel;
	uint16_t x, y;
	int64_t at = 0;

	if (strcmp(text_of(event, "zone_phase"), "end") != 0 ||
		!ends_with(text_of(event, "zone"), "-KERNEL"))
		return true;
	if (!noc_trace_place(reading, event, "sx", "sy", &x, &y) ||
		!noc_trace_number(reading, event, "timestamp", reading->first, INT64_MAX, &at))
		return false;
	kernel = kernel_of(reading, x, y, text_of(event, "proc"));
	if (kernel)
		kernel->end = (uint64_t)(at - reading->first);
	return true;
}

/* Adds the kernel that begins with an event. The list has space for one kernel per event. If the
 * profiler sends its records while a kernel runs, it afterwards records the begin of this kernel a
 * second time. The second event adds no kernel. */
static bool read_begin(struct reading *reading, const struct tree_node *event)
{
	struct noc_trace *trace = reading->trace;
	struct noc_trace_kernel *kernel = &trace->kernels[trace->kernel_count], *before;
	int64_t at = 0;

	if (!noc_trace_place(reading, event, "sx", "sy", &kernel->x, &kernel->y) ||
		!noc_trace_number(reading, event, "timestamp", 0, INT64_MAX, &at))
		return false;
	kernel->processor = arena_string(reading->arena, text_of(event, "proc"));
	kernel->where = event->where;
	location_keep(reading->arena, event->where);
	kernel->begin = (uint64_t)at;
	before = kernel_of(reading, kernel->x, kernel->y, kernel->processor);
	if (before && before->begin != kernel->begin) {
		diag_error(reading->diag, event->where,
			"a second kernel begins on %s of core (%u, %u)", kernel->processor,
			kernel->x, kernel->y);
		return false;
	}
	if (before)
		return true;
	if (trace->kernel_count == 0 || at < reading->first)
		reading->first = at;
	trace->kernel_count++;
	return true;
}

/* ---- transfers and barriers ---- */

static void push(struct reading *reading, struct noc_trace_kernel *kernel,
	const struct noc_trace_event *event)
{
	uint32_t count = kernel->event_count;

	if ((count & (count - 1)) == 0) {
		struct noc_trace_event *more =
			arena_array(reading->arena, count > 0 ? 2 * count : 1, sizeof *more);

		if (count > 0)
			memcpy(more, kernel->events, count * sizeof *more);
		kernel->events = more;
	}
	kernel->events[kernel->event_count++] = *event;
	if (event->end > reading->trace->cycles)
		reading->trace->cycles = event->end;
}

static bool read_barrier_end(struct reading *reading, struct noc_trace_kernel *kernel,
	const struct noc_trace_event *event)
{
	struct noc_trace_event *last =
		kernel->event_count > 0 ? &kernel->events[kernel->event_count - 1] : NULL;

	if (!last || last->kind != NOC_TRACE_BARRIER || last->end > last->at) {
		diag_error(reading->diag, event->where, "a barrier ends that has not begun");
		return false;
	}
	last->end = event->at > last->at ? event->at : last->at;
	if (last->end > reading->trace->cycles)
		reading->trace->cycles = last->end;
	reading->trace->barrier_count++;
	return true;
}

/* Skips an event, which is not replayed. In a trace with a fabric, keeps the time of the event. */
static bool skip(
	struct reading *reading, struct noc_trace_kernel *kernel, struct noc_trace_event *event)
{
	reading->trace->skipped++;
	event->kind = NOC_TRACE_MARK;
	if (reading->fabric)
		push(reading, kernel, event);
	return true;
}

static bool read_transfer(struct reading *reading, const struct tree_node *node,
	struct noc_trace_kernel *kernel, struct noc_trace_event *event)
{
	int64_t bytes = 0;

	if (!noc_trace_number(reading, node, "num_bytes", 0, BYTES_MAX, &bytes))
		return false;
	if (bytes == 0) /* state, which later transfers also have in their own events */
		return skip(reading, kernel, event);
	if (!noc_trace_place(reading, node, "dx", "dy", &event->x, &event->y))
		return false;
	event->bytes = (uint32_t)bytes;
	reading->trace->transfer_count++;
	push(reading, kernel, event);
	return true;
}

/* Reads a packet. It is sent either to the device that is a given number of hops away, or to each
 * device within a range of hops. */
static bool read_packet(struct reading *reading, const struct tree_node *node, const char *type,
	struct noc_trace_kernel *kernel, struct noc_trace_event *event)
{
	const struct tree_node *send = tree_get(node, "fabric_send");
	int64_t channel = 0, hops = 0, bytes = 0, start = 1;
	bool range;

	if (!send || send->kind != TREE_MAP) {
		diag_error(reading->diag, node->where, "this packet has no map 'fabric_send'");
		return false;
	}
	range = tree_get(send, "range") != NULL;
	if (!noc_trace_number(reading, send, "eth_chan", 0, CHANNEL_MAX, &channel) ||
		!noc_trace_number(reading, send, range ? "range" : "hops", 1, HOPS_MAX, &hops) ||
		!noc_trace_number(reading, node, "num_bytes", 0, BYTES_MAX, &bytes))
		return false;
	if (range && tree_get(send, "start_distance") &&
		!noc_trace_number(reading, send, "start_distance", 1, HOPS_MAX, &start))
		return false;
	if (!noc_trace_place(reading, node, "dx", "dy", &event->x, &event->y))
		return false;
	event->kind = NOC_TRACE_PACKET;
	event->channel = (uint32_t)channel;
	event->hops = (uint32_t)(hops + start - 1);
	event->each = range || strstr(type, "MULTICAST");
	event->increment = strstr(type, "ATOMIC_INC");
	event->bytes = (uint32_t)bytes;
	reading->trace->packet_count++;
	push(reading, kernel, event);
	return true;
}

/* Sets the NoC of the kernel to that of its first event. A modelled kernel uses only one NoC, so
 * its later events must use the same one. In a trace with a fabric, later events may use the other
 * NoC, too. */
static bool read_noc(const struct reading *reading, const struct tree_node *node,
	struct noc_trace_kernel *kernel)
{
	bool second = strcmp(text_of(node, "noc"), "NOC_1") == 0;

	if (reading->fabric && kernel->event_count > 0)
		return true;
	if (kernel->event_count > 0 && kernel->second_noc != second) {
		diag_error(reading->diag, node->where,
			"%s of core (%u, %u) uses both NoCs, which kernels here cannot",
			kernel->processor, kernel->x, kernel->y);
		return false;
	}
	kernel->second_noc = second;
	return true;
}

static bool read_event(struct reading *reading, const struct tree_node *node)
{
	const char *type = text_of(node, "type");
	struct noc_trace_event event = {.where = node->where};
	struct noc_trace_kernel *kernel;
	uint16_t x, y;
	int64_t at = 0;

	if (!noc_trace_place(reading, node, "sx", "sy", &x, &y) ||
		!noc_trace_number(reading, node, "timestamp", reading->first, INT64_MAX, &at))
		return false;
	kernel = kernel_of(reading, x, y, text_of(node, "proc"));
	if (!kernel) {
		diag_error(reading->diag, node->where, "no kernel begins on '%s' of core (%u, %u)",
			text_of(node, "proc"), x, y);
		return false;
	}
	if (!read_noc(reading, node, kernel))
		return false;
	event.at = event.end = (uint64_t)(at - reading->first);
	location_keep(reading->arena, node->where);
	if (strstr(type, "BARRIER") && ends_with(type, "END"))
		return read_barrier_end(reading, kernel, &event);
	if (strstr(type, "BARRIER") && ends_with(type, "START")) {
		event.kind = NOC_TRACE_BARRIER;
		event.of_writes = !begins_with(type, "READ");
		push(reading, kernel, &event);
		return true;
	}
	if (reading->fabric && begins_with(type, "FABRIC_"))
		return read_packet(reading, node, type, kernel, &event);
	event.kind = begins_with(type, "READ") ? NOC_TRACE_READ : NOC_TRACE_WRITE;
	if ((begins_with(type, "READ") || begins_with(type, "WRITE")) &&
		!strstr(type, "MULTICAST") && !strstr(type, "BARRIER") && !strstr(type, "FLUSH"))
		return read_transfer(reading, node, kernel, &event);
	return skip(reading, kernel, &event);
}

static bool noc_trace_events(struct reading *reading)
{
	bool good = true;

	for (uint32_t i = 0; i < reading->root->count; i++)
		if (is_begin(reading->root->items[i]))
			good = read_begin(reading, reading->root->items[i]) && good;
	if (!good)
		return false;
	for (uint32_t i = 0; i < reading->trace->kernel_count; i++)
		reading->trace->kernels[i].begin -= (uint64_t)reading->first;
	for (uint32_t i = 0; i < reading->root->count; i++)
		if (text_of(reading->root->items[i], "type")[0] != '\0')
			good = read_event(reading, reading->root->items[i]) && good;
	for (uint32_t i = 0; i < reading->root->count && reading->fabric; i++)
		good = read_end(reading, reading->root->items[i]) && good;
	if (good && reading->trace->transfer_count == 0 && !reading->fabric) {
		diag_error(reading->diag, reading->root->where, "this trace has no transfers");
		good = false;
	}
	return good;
}

static const char *noc_trace_name(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	return arena_copy(arena, name, ends_with(name, ".json") ? length - 5 : length);
}

static bool noc_trace_read_file(const char *path, bool fabric, struct arena *arena,
	struct diag *diag, struct noc_trace *trace)
{
	struct reading reading = {.trace = trace, .arena = arena, .diag = diag, .fabric = fabric};
	size_t errors = diag_errors(diag);
	struct tree *tree = tree_read_file(path, diag);
	bool good = tree && diag_errors(diag) == errors;

	*trace = (struct noc_trace){.path = path, .name = noc_trace_name(arena, path)};
	if (good) {
		reading.root = tree_root(tree);
		good = reading.root->kind == TREE_SEQUENCE;
		if (!good)
			diag_error(diag, reading.root->where, "expected a list of events");
	}
	if (good) {
		trace->kernels =
			arena_array(arena, reading.root->count + 1u, sizeof *trace->kernels);
		good = noc_trace_events(&reading);
	}
	tree_free(tree);
	return good;
}

bool noc_trace_read(
	const char *path, struct arena *arena, struct diag *diag, struct noc_trace *trace)
{
	return noc_trace_read_file(path, false, arena, diag, trace);
}

bool noc_trace_read_fabric(
	const char *path, struct arena *arena, struct diag *diag, struct noc_trace *trace)
{
	return noc_trace_read_file(path, true, arena, diag, trace);
}

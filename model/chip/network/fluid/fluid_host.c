/* Network `fluid`: PCIe. pcie.c limits the number of outstanding reads of the device. */
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"
#include "fluid.h"

static struct pcie *pcie_of(struct device *device)
{
	ensure(device->pcie != NULL, "chip %u has no PCIe", device->number);
	return device->pcie;
}

static struct tile *port_of(struct device *device)
{
	return &device->tiles[device->info->geometry->pcie_tile];
}

/* ---- writes by the device ---- */

static void fluid_host_send_up(
	struct fluid_message *message, struct stage *stage, uint64_t host_address, uint32_t bytes)
{
	struct device *device = stage->device;
	struct pcie *pcie = pcie_of(device);

	sim_fluid_counts_as(message, stage, 1);
	message->host_address = host_address;
	message->length = bytes;
	pcie->writes++;
	pcie->written_bytes += bytes;
	pcie->up.bytes += bytes;
	pcie->up.messages++;
	pcie->up.busy_ps += server_transfer_ps(bytes, device->cluster->timing.write_bytes_per_s);
	device->cluster->conservation.pcie_sent_bytes += bytes;
	sim_fluid_send(sim_fluid_part(message, port_of(device), 0, bytes),
		sim_fluid_issue_ps(message->source, bytes,
			device->cluster->timing.noc_injection_bytes_per_s, 0));
}

static void visible(struct fluid_part *part)
{
	const struct fluid_message *message = part->message;
	struct cluster *cluster = part->to->device->cluster;

	cluster->conservation.pcie_delivered_bytes += message->length;
	sim_window_write(&cluster->window, message->host_address, message->span);
}

static void word_visible(struct fluid_part *part)
{
	const struct fluid_message *message = part->message;
	struct cluster *cluster = part->to->device->cluster;

	cluster->conservation.pcie_delivered_bytes += sizeof message->value;
	sim_window_set_word(&cluster->window, message->host_address, message->value);
}

void sim_fluid_pcie_write(struct stage *stage, uint64_t host_address, struct span span)
{
	struct fluid_message *message = sim_fluid_message(sim_own_tile(stage), visible);

	span_hold(span);
	message->span = span;
	fluid_host_send_up(message, stage, host_address, span.length);
}

void sim_fluid_pcie_write_word(struct stage *stage, uint64_t host_address, uint32_t value)
{
	struct fluid_message *message = sim_fluid_message(sim_own_tile(stage), word_visible);

	message->value = value;
	fluid_host_send_up(message, stage, host_address, sizeof value);
}

/* ---- the host: from its threads ---- */

/* The part of the latency from server memory to tile that SimGrid's links do not contain. */
static int64_t down_extra_ps(const struct tile *to)
{
	const struct device *device = to->device;

	return device->cluster->timing.noc_latency_ps / 2 +
	       sim_fluid_hops_ps(&device->tiles[device->info->geometry->pcie_tile], to);
}

static void fluid_host_send_down(struct fluid_message *message, struct tile *to, uint32_t bytes)
{
	struct pcie *pcie = pcie_of(to->device);

	pcie->posts++;
	pcie->posted_bytes += bytes;
	pcie->down.bytes += bytes;
	pcie->down.messages++;
	pcie->down.busy_ps +=
		server_transfer_ps(bytes, to->device->cluster->timing.down_bytes_per_s);
	to->device->cluster->conservation.noc_sent_bytes += bytes;
	sim_fluid_send(sim_fluid_part(message, to, 0, bytes), down_extra_ps(to));
}

void sim_fluid_post_word(struct device *device, uint16_t tile, uint32_t address, uint32_t value)
{
	struct fluid_message *message;

	host_thread_settle();
	message = sim_fluid_message(port_of(device), sim_fluid_noc_word_written);
	message->address = address;
	message->value = value;
	fluid_host_send_down(message, sim_tile(device, tile), sizeof value);
}

void sim_fluid_post(struct device *device, uint16_t tile, uint32_t address, struct span span)
{
	struct fluid_message *message;

	host_thread_settle();
	message = sim_fluid_message(port_of(device), sim_fluid_noc_written);
	span_hold(span);
	message->span = span;
	message->address = address;
	message->length = span.length;
	fluid_host_send_down(message, sim_tile(device, tile), span.length);
}

/* A host thread that waits for the data of its read. */
struct peek {
	struct host_waiter waiter;
	struct cluster *cluster;
	uint32_t address, length;
	void *out;
	enum status status;
};

static void fluid_host_returned_event(void *subject, uint64_t argument)
{
	struct peek *peek = subject;

	(void)argument;
	host_thread_wake(&peek->waiter);
	sim_operation_end(peek->cluster);
}

/* Called when a read by the host has reached the tile, and all earlier posted writes have taken
 * effect there. The rest of the read's latency passes in the host's processor, and not on a link.
 */
static void fluid_host_read_arrived(struct fluid_part *part)
{
	struct peek *peek = part->message->context;
	const struct sim_timing *timing = &peek->cluster->timing;
	int64_t rest_ps = timing->peek_latency_ps - timing->post_latency_ps;

	peek->status = sim_tile_read(part->to, peek->address, peek->length, peek->out);
	sim_operation_begin(peek->cluster);
	cause_rest(CHARGE_PCIE_HOST_READ_LATENCY);
	engine_push(engine_now() + (rest_ps > 0 ? rest_ps : 0) +
			    server_transfer_ps(peek->length, timing->peek_bytes_per_s),
		fluid_host_returned_event, peek, 0);
}

enum status sim_fluid_peek(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	struct peek peek = {
		.cluster = device->cluster, .address = address, .length = length, .out = out};
	struct pcie *pcie = pcie_of(device);
	struct tile *to = sim_tile(device, tile);
	struct fluid_message *message;

	host_thread_settle();
	pcie->peeks++;
	pcie->peeked_bytes += length;
	message = sim_fluid_message(port_of(device), fluid_host_read_arrived);
	message->context = &peek;
	sim_fluid_send(sim_fluid_part(message, to, 0, sizeof(uint32_t)), down_extra_ps(to));
	host_thread_stall(&peek.waiter, "a read over PCIe");
	return peek.status;
}

/* Passes a call to the executors through four stages (spec 4.8): main, resolution, serialization,
 * RPC send. Each stage adds to struct order the data that the next stage needs. After a fault, no
 * more messages are sent. Only after a time-out, may_send() still allows messages for a grace
 * period. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "controller_private.h"

enum { PIECE_MOST = 16 << 20, PIECE_OVERHEAD = 512 };

struct order *order_new(
	const struct mesh_parts *parts, enum wire_kind kind, uint32_t queue, uint32_t hosts)
{
	struct order *order = allocate(1, sizeof *order);

	order->parts = parts;
	order->command.kind = kind;
	order->command.mesh = parts->number;
	order->command.head.queue = queue;
	order->hosts = hosts;
	order->same = true;
	return order;
}

void order_free(struct order *order)
{
	for (uint32_t i = 0; i < order->share_count; i++)
		free(order->shares[i].owned);
	free(order->owned);
	free(order->parcels);
	arena_fini(&order->arena);
	free(order);
}

/* ---- main: numbers ---- */

uint64_t forward_piece_most(const struct controller *controller)
{
	uint64_t most = controller->settings.channel.message_bytes_max - PIECE_OVERHEAD;

	return most < PIECE_MOST ? most : PIECE_MOST;
}

/* Returns the number of messages that `bytes` bytes of data need. Each message has a command
 * number. A host answers a write once, with the number of the last message. */
static uint64_t pieces(const struct controller *controller, uint64_t bytes)
{
	uint64_t most = forward_piece_most(controller);

	return bytes > most ? (bytes + most - 1) / most : 1;
}

uint64_t forward_number(struct controller *controller, const struct order *order)
{
	return controller->number + order->reserved + pieces(controller, order->bytes);
}

void forward(struct controller *controller, struct order *order)
{
	controller->number = forward_number(controller, order);
	order->command.head.number = controller->number;
	station_pass(&controller->resolve, order);
}

/* ---- resolution ---- */

static void add_share(struct order *order, uint32_t host)
{
	order->shares[order->share_count++] =
		(struct share){.host = host, .data = order->data, .bytes = order->bytes};
}

/* Adds a share without data if the mesh device spans all hosts, and this host sends no data. */
static void add_needed(struct order *order, uint32_t host)
{
	bool needed = !order->parts->spans || (order->needed >> host & 1) != 0;

	add_share(order, host);
	if (order->command.kind == WIRE_write_buffer && !needed)
		order->shares[order->share_count - 1].bytes = 0;
}

/* Cuts the host's piece out of the whole buffer, and adds the piece as a share. */
static void add_cut(struct order *order, uint32_t host)
{
	const struct part *part = &order->parts->part[host];
	uint32_t shards = part_shards(part, &order->spread);
	uint64_t bytes = shards * order->spread.device_bytes;
	struct share *share;

	if (shards == 0 && !order->parts->spans)
		return;
	add_share(order, host);
	share = &order->shares[order->share_count - 1];
	share->owned = allocate(1, bytes + 1);
	part_gather(part, &order->spread, order->data, share->owned);
	world->work_copy(bytes, MEMORY_UNCACHED_SOURCE, MEMORY_CACHED);
	share->data = share->owned;
	share->bytes = bytes;
}

static bool is_for_all(const struct controller *controller, const struct order *order)
{
	uint32_t count = controller->settings.host_count;
	uint32_t everybody = count < 32 ? (1u << count) - 1 : UINT32_MAX;

	return count > 1 && order->parts->taking == everybody &&
	       (order->hosts == everybody || controller->settings.resolution->data_whole) &&
	       order->command.kind != WIRE_open_mesh;
}

static void forward_resolve(void *context, void *item)
{
	struct controller *controller = context;
	const struct resolution_ops *row = controller->settings.resolution;
	struct order *order = item;
	bool cut = order->all && !order->same;
	uint32_t hosts = order->hosts;
	bool apart = order->parts->spans && order->command.kind == WIRE_write_buffer &&
		     !row->data_whole; /* hosts are sent only the data that they need */
	bool to_all =
		row->to_all && is_for_all(controller, order) && !apart && (!cut || row->data_whole);

	/* Only the hosts that have the data answer a read. But if a mesh spans all hosts, all of
	 * them must count the read, so all get the command. */
	if (order->parts->spans && order->command.kind == WIRE_read_buffer)
		hosts = order->parts->taking;
	if (order->frees != NULL)
		memory_go_back(order);
	if (order->serves != NULL && !memory_serve(controller, order)) {
		order_free(order);
		return;
	}
	if (to_all) {
		add_share(order, CHANNEL_ALL);
		order->shares[0].whole = cut;
	}
	for (uint32_t i = 0; !to_all && i < controller->settings.host_count; i++)
		if ((hosts >> i & 1) != 0 && cut)
			add_cut(order, i);
		else if ((hosts >> i & 1) != 0)
			add_needed(order, i);
	station_pass(&controller->serialize, order);
}

/* ---- serialization ---- */

static void add_parcel(struct order *order, uint32_t host, struct span message)
{
	if ((order->parcel_count & (order->parcel_count - 1)) == 0)
		order->parcels = allocate_more(order->parcels,
			order->parcel_count ? 2 * order->parcel_count : 1, sizeof *order->parcels);
	order->parcels[order->parcel_count++] = (struct parcel){host, message};
}

static struct span encode(struct controller *controller, const struct wire_command *command)
{
	struct text why = {0};
	struct span message = {0};
	enum status status = mail_write(&controller->writer, command, &message, &why);

	ensure(status == STATUS_OK, "a command of ours: %s", text_string(&why));
	text_fini(&why);
	return message;
}

/* Encodes a write in pieces. The last piece has the order's number. */
static void encode_write(
	struct controller *controller, struct order *order, const struct share *share)
{
	uint64_t most = forward_piece_most(controller), count = pieces(controller, share->bytes);
	struct wire_command command = order->command;

	command.write_buffer.whole = share->whole;
	command.write_buffer.bytes = share->bytes;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t offset = i * most, left = share->bytes - offset;

		command.write_buffer.number = order->command.head.number - (count - 1 - i);
		command.write_buffer.offset = offset;
		command.write_buffer.data = (struct wire_bytes){
			share->data + offset, (uint32_t)(left < most ? left : most)};
		add_parcel(order, share->host, encode(controller, &command));
	}
}

static void serialize(void *context, void *item)
{
	struct controller *controller = context;
	struct order *order = item;
	struct span same = {0};

	for (uint32_t i = 0; i < order->share_count; i++) {
		if (order->command.kind == WIRE_write_buffer) {
			encode_write(controller, order, &order->shares[i]);
			continue;
		}
		if (i == 0)
			same = encode(controller, &order->command);
		else
			span_hold(same);
		add_parcel(order, order->shares[i].host, same);
	}
	station_pass(&controller->send, order);
}

/* ---- RPC send ---- */

/* Returns OK if messages may be sent, otherwise the fault of a host. After a time-out, messages may
 * still be sent during a grace period, for commands that the controller was already handling. Sets
 * *grace_end_ns to the end of this period. */
static enum status may_send(struct controller *controller, int64_t *grace_end_ns)
{
	struct table *table = &controller->table;
	enum status status;

	world->monitor_enter(table->told);
	table->sent_ns = world->now_ns();
	status = table->fault;
	*grace_end_ns = table->grace_end_ns;
	world->monitor_exit(table->told);
	if (status == STATUS_TIMEOUT && world->now_ns() < *grace_end_ns)
		status = STATUS_OK;
	return status;
}

static int64_t patience(const struct controller *controller)
{
	return controller->settings.reply_ns == 0
		       ? DEADLINE_NEVER
		       : world->now_ns() + (int64_t)controller->settings.reply_ns;
}

/* Tries to send a message until the deadline. If there is no thread for receiving, the sender
 * receives between two tries, because the hosts may be waiting until the controller takes their
 * answers. */
static enum status try_to_send(struct controller *controller, uint32_t member, struct span message,
	int64_t deadline_ns, uint32_t *who)
{
	const struct controller_settings *settings = &controller->settings;
	enum status status;

	do {
		int64_t look_ns = settings->pipeline->receive
					  ? patience_look(controller, deadline_ns)
					  : world->now_ns() + (int64_t)settings->look_ns;

		status = settings->transport->hub_send(
			controller->hub, member, message, look_ns, who);
		if (deadline_ns != DEADLINE_NEVER)
			deadline_ns += patience_held_ns(controller, look_ns);
		if (status == STATUS_TIMEOUT && !settings->pipeline->receive &&
			reverse_begin(controller)) {
			(void)reverse_take(controller, world->now_ns());
			reverse_end(controller);
		}
	} while (status == STATUS_TIMEOUT && world->now_ns() < deadline_ns);
	return status;
}

/* Reports a fault for a command that is longer than a message may be. Only data can be sent in
 * pieces. The description of a program, and its arguments, must each fit into one message. */
static void refuse_length(struct controller *controller, const struct parcel *parcel)
{
	struct text what = {0};

	text_printf(&what, "cannot be sent a command of %u B: messages have %u B at most",
		parcel->message.length, controller->settings.channel.message_bytes_max);
	table_fault(controller, parcel->host == CHANNEL_ALL ? 0 : parcel->host, STATUS_OUT_OF_RANGE,
		text_string(&what));
	text_fini(&what);
}

static void send_parcel(struct controller *controller, const struct parcel *parcel)
{
	const char *what = "does not take commands";
	uint32_t member = parcel->host, who = 0;
	int64_t grace_end_ns, until_ns = patience(controller);
	enum status status;

	if (may_send(controller, &grace_end_ns) != STATUS_OK)
		return;
	if (parcel->message.length > controller->settings.channel.message_bytes_max) {
		refuse_length(controller, parcel);
		return;
	}
	if (member != CHANNEL_ALL)
		member = controller->hosts[member].member;
	until_ns = grace_end_ns > until_ns ? grace_end_ns : until_ns;
	status = try_to_send(controller, member, parcel->message, until_ns, &who);
	if (status == STATUS_OK) {
		LOG_TO(DISTRIBUTED, DEBUG, "a message of %u B to %s", parcel->message.length,
			parcel->host == CHANNEL_ALL ? "all hosts"
						    : controller->hosts[parcel->host].name);
		return;
	}
	if (status == STATUS_CLOSED)
		what = "is lost";
	table_fault(controller, controller->member_host[who], status, what);
}

static void forward_send(void *context, void *item)
{
	struct controller *controller = context;
	struct order *order = item;

	for (uint32_t i = 0; i < order->parcel_count; i++) {
		send_parcel(controller, &order->parcels[i]);
		span_release(order->parcels[i].message);
	}
	order_free(order);
}

void forward_start(struct controller *controller)
{
	const struct controller_settings *settings = &controller->settings;
	const struct pipeline_ops *row = settings->pipeline;

	mail_writer_init(&controller->writer, settings->codec);
	station_start(&controller->send, "controller sends", row->send, settings, forward_send,
		controller);
	station_start(&controller->serialize, "controller serializes", row->serialize, settings,
		serialize, controller);
	station_start(&controller->resolve, "controller resolves", row->resolve, settings,
		forward_resolve, controller);
}

void forward_stop(struct controller *controller)
{
	station_stop(&controller->resolve);
	station_stop(&controller->serialize);
	station_stop(&controller->send);
	mail_writer_fini(&controller->writer);
}

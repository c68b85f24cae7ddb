/* dispatch_h runs on a gateway, which is the chip through which a chip without PCIe reaches the
 * host. Over a link, it receives the completion records of the dispatcher on the chip without PCIe.
 * It writes them to event words and to the completion queue in host memory, or announces their
 * events to an aggregator. A malformed record is a fault and halts the stage. */

#include "base/ensure.h"
#include "command/completion.h"
#include "firmware/completion/upstream.h"
#include "world/world.h"

struct dispatch_h {
	struct stage_base base;
	struct link_receiver input;
	struct host_port port;
	struct gate gate;
	bool active; /* the data of `record` are being transferred */
	struct completion_record record;
	uint32_t done; /* bytes of data that were written */
	/* what the next commit() does: */
	struct completion_record next;
	uint32_t chunk, padded;
};

static struct dispatch_h *dispatch_h_of(struct stage_base *base)
{
	return (struct dispatch_h *)base;
}

static void header_write(struct dispatch_h *dispatch, const struct completion_record *record)
{
	uint8_t bytes[COMPLETION_BYTES];
	struct span span;

	completion_encode(record, bytes);
	span = span_copy(bytes, sizeof bytes);
	host_port_write(&dispatch->port, &dispatch->base.stage, span, sizeof bytes);
	span_release(span);
}

static void notified(const struct dispatch_h *dispatch)
{
	if (dispatch->record.operation != 0)
		world->mark(dispatch->record.operation, MARK_NOTIFIED,
			dispatch->base.firmware->first_chip + dispatch->record.chip);
}

/* ---- a new record ---- */

static void dispatch_h_record_commit(struct stage_base *base)
{
	struct dispatch_h *dispatch = dispatch_h_of(base);

	dispatch->record = dispatch->next;
	dispatch->done = 0;
	dispatch->active = dispatch->record.length > 0;
	link_receiver_take(&dispatch->input, &base->stage, COMPLETION_BYTES);
	if (dispatch->record.kind == COMPLETION_GATHERED) {
		gate_announce(&dispatch->gate, base, &dispatch->record);
		return;
	}
	if (dispatch->record.kind == COMPLETION_SLOT)
		device_row->pcie_write_word(
			&base->stage, dispatch->record.address, dispatch->record.tag);
	else if (dispatch->record.kind != COMPLETION_DIRECT)
		header_write(dispatch, &dispatch->record);
	if (!dispatch->active)
		notified(dispatch);
}

static int64_t port_block(struct stage_wait *wait)
{
	return block_on_tile(wait, false, "room in the completion queue");
}

static int64_t dispatch_h_record_begin(struct dispatch_h *dispatch, struct stage_wait *wait)
{
	struct stage_base *base = &dispatch->base;
	uint32_t address = ring_address(&dispatch->input.ring, 0);
	uint8_t bytes[COMPLETION_BYTES];
	enum completion_kind kind;

	if (ring_load(&base->stage, &dispatch->input.ring, 0, sizeof bytes, bytes) != STATUS_OK)
		return stage_fault(base, FAULT_ELIDED, address, "halted: elided record");
	if (completion_decode(bytes, &dispatch->next) != STATUS_OK)
		return stage_fault(
			base, FAULT_RECORD, address, "halted: malformed completion record");
	kind = dispatch->next.kind;
	if (kind == COMPLETION_GATHERED && !dispatch->gate.config.used)
		return stage_fault(
			base, FAULT_RECORD, address, "halted: an event to gather, no aggregator");
	if (kind == COMPLETION_GATHERED) {
		int64_t blocked = gate_check(&dispatch->gate, &base->stage, wait);

		return blocked != 0
			       ? blocked
			       : stage_plan(base,
					 CHARGED(&base->firmware->price, dispatch_h_record, 1) +
						 gate_price(&dispatch->gate, base->firmware),
					 dispatch_h_record_commit);
	}
	if (kind != COMPLETION_SLOT && kind != COMPLETION_DIRECT &&
		dispatch->port.queue.ring_bytes == 0)
		return stage_fault(
			base, FAULT_RECORD, address, "halted: record without a completion queue");
	if (kind != COMPLETION_SLOT && kind != COMPLETION_DIRECT &&
		host_port_room(&dispatch->port, &base->stage) < COMPLETION_BYTES)
		return port_block(wait);
	return stage_plan(base, CHARGED(&base->firmware->price, dispatch_h_record, 1),
		dispatch_h_record_commit);
}

/* ---- its data ---- */

static bool data_left(const struct dispatch_h *dispatch)
{
	return dispatch->done < dispatch->record.length;
}

static void dispatch_h_data_commit(struct stage_base *base)
{
	struct dispatch_h *dispatch = dispatch_h_of(base);
	bool direct = dispatch->record.kind == COMPLETION_DIRECT;
	struct span span = ring_view(&base->stage, &dispatch->input.ring, 0, dispatch->chunk);

	if (direct)
		device_row->pcie_write(
			&base->stage, dispatch->record.address + dispatch->done, span);
	else
		host_port_write(&dispatch->port, &base->stage, span, dispatch->padded);
	span_release(span);
	link_receiver_take(&dispatch->input, &base->stage, dispatch->padded);
	dispatch->done += dispatch->chunk;
	if (data_left(dispatch) || (direct && dispatch->port.queue.ring_bytes > 0))
		return;
	dispatch->active = false;
	notified(dispatch);
}

/* Writes the record of data that went directly into the host's buffer (DISPATCH_DIRECT). All these
 * data were written before, so the host never sees the record before the data. */
static void direct_commit(struct stage_base *base)
{
	struct dispatch_h *dispatch = dispatch_h_of(base);

	header_write(dispatch, &dispatch->record);
	dispatch->active = false;
	notified(dispatch);
}

static int64_t dispatch_h_data_begin(struct dispatch_h *dispatch, struct stage_wait *wait)
{
	struct stage_base *base = &dispatch->base;
	const struct firmware *firmware = base->firmware;
	uint32_t available = link_receiver_available(&dispatch->input, &base->stage);
	uint32_t room = least(
		host_port_room(&dispatch->port, &base->stage), firmware->limits.host_write_bytes);

	if (!data_left(dispatch))
		return room >= COMPLETION_BYTES
			       ? stage_plan(base, CHARGED(&firmware->price, dispatch_h_write, 1),
					 direct_commit)
			       : port_block(wait);
	if (available == 0)
		return block_on_tile(wait, false, "data of a record");
	if (dispatch->record.kind == COMPLETION_DIRECT)
		room = firmware->limits.host_write_bytes;
	dispatch->chunk = upstream_piece(
		dispatch->record.length - dispatch->done, available, room, &dispatch->padded);
	if (dispatch->chunk == 0)
		return room == 0 ? port_block(wait)
				 : block_on_tile(wait, false, "data of a record");
	return stage_plan(
		base, CHARGED(&firmware->price, dispatch_h_write, 1), dispatch_h_data_commit);
}

/* ---- the stage ---- */

static void credits_commit(struct stage_base *base)
{
	link_receiver_return(&dispatch_h_of(base)->input, &base->stage);
}

static int64_t work_begin(struct dispatch_h *dispatch, struct stage_wait *wait)
{
	if (dispatch->active)
		return dispatch_h_data_begin(dispatch, wait);
	if (link_receiver_available(&dispatch->input, &dispatch->base.stage) >= COMPLETION_BYTES)
		return dispatch_h_record_begin(dispatch, wait);
	return block_on_tile(wait, true, "records from a dispatcher");
}

static int64_t dispatch_h_begin(struct stage *stage, struct stage_wait *wait)
{
	struct dispatch_h *dispatch = (struct dispatch_h *)stage;
	int64_t cost = stage_over(&dispatch->base, wait);

	if (cost != 0)
		return cost;
	cost = link_receiver_return_begin(&dispatch->input, &dispatch->base, credits_commit);
	if (cost == STAGE_BLOCKED)
		cost = work_begin(dispatch, wait);
	return cost != STAGE_BLOCKED ? cost : link_receiver_block(&dispatch->input, wait);
}

static const struct stage_ops dispatch_h_ops = STAGE_OPS("dispatch_h", dispatch_h_begin);

enum status dispatch_h_place(struct tile_plan *plan, const struct firmware_limits *limits,
	struct dispatch_h_layout *layout)
{
	enum status status = tile_plan_words(plan, 1, &layout->arrival_word);

	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->read_word);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->open_word);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, limits->dispatch_h_ring_bytes, &layout->ring);
	return status;
}

struct stage *dispatch_h_new(
	const struct firmware *firmware, const struct dispatch_h_config *config)
{
	struct dispatch_h *dispatch =
		stage_new(sizeof *dispatch, &dispatch_h_ops, firmware, config->place);

	ensure(config->input.ring_bytes % COMPLETION_BYTES == 0, "dispatch_h with a ring of %u B",
		config->input.ring_bytes);
	link_receiver_init(&dispatch->input, &config->input);
	host_port_init(&dispatch->port, &config->host);
	gate_init(&dispatch->gate, &config->gate);
	return &dispatch->base.stage;
}

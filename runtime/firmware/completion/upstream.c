/* The path of records and events to the host: over PCIe, or over a link to dispatch_h. */
#include "firmware/completion/upstream.h"

#include "base/ensure.h"

void host_port_init(struct host_port *port, const struct host_queue *queue)
{
	ensure(queue->ring_bytes % COMPLETION_BYTES == 0, "completion queue of %u B",
		queue->ring_bytes);
	*port = (struct host_port){.queue = *queue};
}

uint32_t host_port_room(const struct host_port *port, const struct stage *stage)
{
	uint32_t written = (uint32_t)(port->position / COMPLETION_BYTES), read, used;

	if (port->queue.ring_bytes == 0)
		return 0;
	read = device_row->word(stage, port->queue.read_word);
	used = (written - read) * COMPLETION_BYTES;
	return least(port->queue.ring_bytes - used,
		port->queue.ring_bytes - (uint32_t)(port->position % port->queue.ring_bytes));
}

void host_port_write(struct host_port *port, struct stage *stage, struct span span, uint32_t padded)
{
	device_row->pcie_write(
		stage, port->queue.ring + port->position % port->queue.ring_bytes, span);
	port->position += padded;
	device_row->pcie_write_word(
		stage, port->queue.write_word, (uint32_t)(port->position / COMPLETION_BYTES));
}

/* ---- both paths ---- */

void upstream_init(struct upstream *upstream, const struct stage_base *base, bool remote,
	const struct host_queue *host, const struct link_layout *link)
{
	*upstream = (struct upstream){
		.remote = remote, .piece_max = base->firmware->limits.host_write_bytes};
	if (remote)
		link_sender_init(&upstream->link, base, link);
	else
		host_port_init(&upstream->port, host);
}

uint32_t upstream_room(const struct upstream *upstream, const struct stage *stage)
{
	uint32_t room = upstream->remote ? link_sender_room(&upstream->link, stage)
					 : host_port_room(&upstream->port, stage);

	return least(room, upstream->piece_max) & ~(uint32_t)(COMPLETION_BYTES - 1);
}

uint64_t upstream_price(const struct upstream *upstream, const struct firmware *firmware)
{
	return upstream->remote ? link_sender_price(&upstream->link, firmware) : 0;
}

void upstream_send(
	struct upstream *upstream, struct stage *stage, struct span span, uint32_t padded)
{
	if (upstream->remote)
		link_sender_send_padded(&upstream->link, stage, span, padded);
	else
		host_port_write(&upstream->port, stage, span, padded);
}

void upstream_record(
	struct upstream *upstream, struct stage *stage, const struct completion_record *record)
{
	uint8_t bytes[COMPLETION_BYTES];
	struct span span;

	completion_encode(record, bytes);
	span = span_copy(bytes, sizeof bytes);
	upstream_send(upstream, stage, span, sizeof bytes);
	span_release(span);
}

int64_t upstream_block(
	const struct upstream *upstream, const struct stage *stage, struct stage_wait *wait)
{
	if (upstream->remote)
		return link_sender_block(
			&upstream->link, stage, wait, "room in the ring of dispatch_h");
	return block_on_tile(wait, false, "room in the completion queue");
}

uint32_t upstream_piece(uint32_t left, uint32_t available, uint32_t room, uint32_t *padded)
{
	uint32_t piece = least(least(left, available), room);

	if (piece < left)
		piece &= ~(uint32_t)(COMPLETION_BYTES - 1);
	*padded = completion_padded(piece);
	return piece;
}

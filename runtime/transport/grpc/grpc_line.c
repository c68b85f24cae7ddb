/* Lines over gRPC: each line transports frames on one call (grpc_line.h). Payloads are sent without
 * a copy. The library sends only one message of a call at a time, so the line keeps further
 * messages in a queue. */
#include "grpc_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* A queued frame, or the end of the call. The end comes after all frames. */
struct grpc_leaving {
	struct grpc_leaving *next;
	grpc_byte_buffer *frame; /* NULL: this is the end of the call */
	grpc_status_code code;
};

/* Starts a batch. Returns false if the library rejects it, because the call has ended. */
static bool grpc_line_ask(
	struct grpc_line *line, const grpc_op *operations, size_t count, void *tag)
{
	if (line->queue->api->grpc_call_start_batch(line->call, operations, count, tag, NULL) !=
		GRPC_CALL_OK)
		return false;
	line->asked++;
	return true;
}

/* ---- sending ---- */

static void drop_first(struct grpc_line *line)
{
	struct grpc_leaving *first = line->first;

	line->first = first->next;
	if (!line->first)
		line->last = NULL;
	if (first->frame)
		line->queue->api->grpc_byte_buffer_destroy(first->frame);
	free(first);
}

/* Sends the first frame of the queue. Before it sends the first frame of the call, it sends the
 * call's initial metadata. */
static void send_first(struct grpc_line *line)
{
	grpc_op operations[2] = {{.op = GRPC_OP_SEND_INITIAL_METADATA}};
	grpc_op *last = &operations[line->has_begun ? 0 : 1];

	line->sends = !line->stopped && line->first != NULL;
	if (!line->sends)
		return;
	*last = (grpc_op){.op = GRPC_OP_SEND_MESSAGE};
	if (line->first->frame) {
		last->data.send_message.send_message = line->first->frame;
	} else {
		last->op = GRPC_OP_SEND_STATUS_FROM_SERVER;
		last->data.send_status_from_server.status = line->first->code;
	}
	if (!grpc_line_ask(line, operations, (size_t)(last - operations) + 1, &line->sent))
		line->sends = false;
	line->has_begun = true;
}

static void grpc_line_append(struct grpc_line *line, grpc_byte_buffer *frame, grpc_status_code code)
{
	struct grpc_leaving *leaving = allocate(1, sizeof *leaving);

	*leaving = (struct grpc_leaving){NULL, frame, code};
	if (line->last)
		line->last->next = leaving;
	else
		line->first = leaving;
	line->last = leaving;
	if (!line->sends)
		send_first(line);
}

/* Called when a send is over. Ignores failures: if a send fails, the call has ended, and the
 * library also reports the end of the call to received(). */
static void grpc_line_sent(struct grpc_task *task, bool good)
{
	struct grpc_line *line = task->owner;

	(void)good;
	line->asked--;
	drop_first(line);
	send_first(line);
}

static void let_go(void *extent)
{
	extent_release(extent);
}

bool grpc_line_tell(
	struct grpc_line *line, enum frame_kind kind, uint32_t credit, struct span payload)
{
	const struct grpc_api *api = line->queue->api;
	const struct frame frame = {kind, *line->session, line->next_out, credit, payload.length};
	grpc_slice slices[2];
	grpc_byte_buffer *buffer;
	size_t count = 1;

	if (line->over || line->stopped)
		return false;
	slices[0] = api->grpc_slice_malloc(FRAME_HEADER_BYTES);
	frame_write(&frame, GRPC_SLICE_START_PTR(slices[0]));
	line->next_out++;
	if (payload.length > 0) {
		span_hold(payload);
		slices[count++] =
			api->grpc_slice_new_with_user_data(payload.extent->bytes + payload.offset,
				payload.length, let_go, payload.extent);
	}
	buffer = api->grpc_raw_byte_buffer_create(slices, count);
	for (size_t i = 0; i < count; i++)
		api->grpc_slice_unref(slices[i]);
	grpc_line_append(line, buffer, GRPC_STATUS_OK);
	return true;
}

/* ---- receiving ---- */

/* Copies the header and payload of a message from the slices that the library delivers. */
static struct span grpc_line_read_message(
	struct grpc_line *line, size_t length, uint8_t header[FRAME_HEADER_BYTES])
{
	const struct grpc_api *api = line->queue->api;
	struct extent *extent = NULL;
	grpc_byte_buffer_reader reader;
	grpc_slice slice;
	size_t at = 0;

	if (length > FRAME_HEADER_BYTES)
		extent = extent_new((uint32_t)(length - FRAME_HEADER_BYTES));
	if (!api->grpc_byte_buffer_reader_init(&reader, line->incoming))
		length = 0;
	while (at < length && api->grpc_byte_buffer_reader_next(&reader, &slice)) {
		const uint8_t *bytes = GRPC_SLICE_START_PTR(slice);
		size_t count = GRPC_SLICE_LENGTH(slice), head = 0;

		if (at < FRAME_HEADER_BYTES) {
			head = FRAME_HEADER_BYTES - at < count ? FRAME_HEADER_BYTES - at : count;
			memcpy(header + at, bytes, head);
		}
		if (count > head)
			memcpy(extent->bytes + (at + head - FRAME_HEADER_BYTES), bytes + head,
				count - head);
		at += count;
		api->grpc_slice_unref(slice);
	}
	api->grpc_byte_buffer_reader_destroy(&reader);
	return extent ? span_of(extent) : (struct span){0};
}

static void grpc_line_take(struct grpc_line *line)
{
	size_t length = line->queue->api->grpc_byte_buffer_length(line->incoming);
	uint8_t header[FRAME_HEADER_BYTES];
	struct span payload = {0};

	if (length < FRAME_HEADER_BYTES) {
		line->heard(line, NULL, payload);
		return;
	}
	payload = grpc_line_read_message(line, length, header);
	line->heard(line, header, payload);
}

static void hear_next(struct grpc_line *line, bool first)
{
	grpc_op operations[2] = {{.op = GRPC_OP_RECV_INITIAL_METADATA,
		.data.recv_initial_metadata.recv_initial_metadata = &line->initial}};
	grpc_op *last = &operations[first && !line->serves ? 1 : 0];

	*last = (grpc_op){
		.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &line->incoming};
	if (!line->stopped && !line->over)
		(void)grpc_line_ask(
			line, operations, (size_t)(last - operations) + 1, &line->received);
}

/* Called when a message was received, or when the call has ended. If the call has ended,
 * line->incoming is NULL. */
static void received(struct grpc_task *task, bool good)
{
	struct grpc_line *line = task->owner;
	bool came = line->incoming != NULL;

	line->asked--;
	if (came && good && !line->over)
		grpc_line_take(line);
	if (came)
		line->queue->api->grpc_byte_buffer_destroy(line->incoming);
	line->incoming = NULL;
	if (came && good)
		hear_next(line, false);
	else if (!line->over)
		line->ended(line);
}

/* Only counts down, because received() reports the end of the call. */
static void closed(struct grpc_task *task, bool good)
{
	struct grpc_line *line = task->owner;

	(void)good;
	line->asked--;
}

/* ---- lines ---- */

struct grpc_line *grpc_line_new(struct grpc_queue *queue, grpc_call *call, bool serves)
{
	struct grpc_line *line = allocate(1, sizeof *line);

	line->queue = queue;
	line->call = call;
	line->serves = serves;
	line->sent = (struct grpc_task){grpc_line_sent, line};
	line->received = (struct grpc_task){received, line};
	line->closed = (struct grpc_task){closed, line};
	line->details = queue->api->grpc_slice_from_static_string("");
	queue->api->grpc_metadata_array_init(&line->initial);
	queue->api->grpc_metadata_array_init(&line->trailing);
	return line;
}

void grpc_line_start(struct grpc_line *line)
{
	grpc_op end = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER,
		.data.recv_close_on_server.cancelled = &line->cancelled};

	if (!line->serves) {
		end.op = GRPC_OP_RECV_STATUS_ON_CLIENT;
		end.data.recv_status_on_client.trailing_metadata = &line->trailing;
		end.data.recv_status_on_client.status = &line->code;
		end.data.recv_status_on_client.status_details = &line->details;
		end.data.recv_status_on_client.error_string = NULL;
	}
	(void)grpc_line_ask(line, &end, 1, &line->closed);
	hear_next(line, true);
}

void grpc_line_leave(struct grpc_line *line, grpc_status_code code)
{
	if (line->over)
		return;
	line->over = true;
	if (line->serves)
		grpc_line_append(line, NULL, code);
	else
		grpc_line_stop(line);
}

void grpc_line_stop(struct grpc_line *line)
{
	line->over = line->stopped = true;
	(void)line->queue->api->grpc_call_cancel(line->call, NULL);
}

void grpc_line_free(struct grpc_line *line)
{
	const struct grpc_api *api;

	if (!line)
		return;
	api = line->queue->api;
	while (line->first)
		drop_first(line);
	api->grpc_slice_unref(line->details);
	api->grpc_metadata_array_destroy(&line->initial);
	api->grpc_metadata_array_destroy(&line->trailing);
	api->grpc_call_unref(line->call);
	free(line);
}

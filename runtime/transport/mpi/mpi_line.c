/* Frames between two ranks of MPI (mpi_line.h). A line always has one receive posted, for the next
 * header. A short payload comes in the same message as its header; a longer payload comes in a
 * message of its own. After an invalid header, nothing more is read from the line. */
#include "mpi_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

enum { GRACE_NS = 1000000000 };

/* A message that the library is still sending. */
struct mpi_piece {
	struct mpi_piece *next;
	MPI_Request request;
	struct span payload;
	uint8_t bytes[];
};

/* Lines whose buffers the library may still read or write. They are never freed, because MPI does
 * not report when it has stopped using the buffers of a line whose other end has died. */
struct lost {
	struct lost *next;
	struct mpi_line *line;
};

static struct lost *all_lost;
static pthread_mutex_t lost_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Only one thread at a time may call the library. Hubs and members in one process share this lock,
 * because they exchange their messages inside the library. */
static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER;

static bool called(int error)
{
	pthread_mutex_unlock(&calls);
	return error == MPI_SUCCESS;
}

static const struct mpi_api *call(const struct mpi *mpi)
{
	pthread_mutex_lock(&calls);
	return mpi->api;
}

/* ---- receiving ---- */

static bool mpi_line_receive(struct mpi_line *line, void *to, uint32_t bytes)
{
	struct mpi *mpi = line->mpi;

	return called(call(mpi)->MPI_Irecv(to, (int)bytes, mpi->api->byte, line->rank, line->tag_in,
		line->comm, &mpi->receiving[line->index]));
}

/* Reports a bad frame. The owner determines the fault by reading the header again. */
static void hear_fault(struct mpi_line *line, uint32_t length)
{
	line->heard(line, length >= FRAME_HEADER_BYTES ? line->in : NULL, (struct span){0});
}

/* Handles the payload for which the line has waited. */
static void take_payload(struct mpi_line *line, uint32_t length)
{
	struct span payload = span_of(line->payload);
	uint8_t header[FRAME_HEADER_BYTES];

	line->payload = NULL;
	if (length != payload.length) {
		span_release(payload);
		hear_fault(line, 0);
		return;
	}
	/* copy the header, because the next header may overwrite `in` */
	memcpy(header, line->in, sizeof header);
	line->next_in++;
	if (mpi_line_receive(line, line->in, sizeof line->in))
		line->heard(line, header, payload);
	else
		span_release(payload);
}

static void take_header(struct mpi_line *line, uint32_t length)
{
	const struct frame_bounds bounds = {*line->session, line->next_in, line->length_max};
	uint8_t header[FRAME_HEADER_BYTES];
	struct frame frame;
	struct span payload;
	uint32_t version;

	if (length < FRAME_HEADER_BYTES ||
		frame_read(line->in, &bounds, &frame, &version) != FRAME_GOOD) {
		hear_fault(line, length);
		return;
	}
	if (frame.length > MPI_TOGETHER_BYTES && length == FRAME_HEADER_BYTES) {
		line->payload = extent_new(frame.length);
		if (!mpi_line_receive(line, line->payload->bytes, frame.length))
			hear_fault(line, 0);
		return;
	}
	memcpy(header, line->in, sizeof header);
	payload = span_copy(line->in + FRAME_HEADER_BYTES, length - FRAME_HEADER_BYTES);
	line->next_in++;
	if (mpi_line_receive(line, line->in, sizeof line->in))
		line->heard(line, header, payload);
	else
		span_release(payload);
}

static void mpi_line_take(struct mpi_line *line, const MPI_Status *status)
{
	int length = 0;

	if (line->mpi->api->MPI_Get_count(status, line->mpi->api->byte, &length) != MPI_SUCCESS ||
		length < 0)
		length = 0;
	if (line->payload)
		take_payload(line, (uint32_t)length);
	else
		take_header(line, (uint32_t)length);
}

/* ---- sending ---- */

static void forget_piece(struct mpi_line *line)
{
	struct mpi_piece *piece = line->first;

	line->first = piece->next;
	if (!line->first)
		line->last = NULL;
	span_release(piece->payload);
	free(piece);
}

static bool let_leave(struct mpi_line *line)
{
	bool some = false;

	while (line->first) {
		int done = 0;

		if (!called(call(line->mpi)->MPI_Test(
			    &line->first->request, &done, MPI_STATUS_IGNORE)))
			done = 1;
		if (!done)
			break;
		forget_piece(line);
		some = true;
	}
	return some;
}

static void keep_lost(struct mpi_line *line)
{
	struct lost *lost = allocate(1, sizeof *lost);

	pthread_mutex_lock(&lost_mutex);
	*lost = (struct lost){all_lost, line};
	all_lost = lost;
	pthread_mutex_unlock(&lost_mutex);
}

/* Frees lines that were left, after their frames are sent or the grace time is over. */
static void mpi_line_look_after(struct mpi *mpi)
{
	for (struct mpi_line **at = &mpi->leaving; *at;) {
		struct mpi_line *line = *at;

		let_leave(line);
		if (line->first && line->over_ns > world->now_ns()) {
			at = &line->next;
			continue;
		}
		*at = line->next;
		if (line->first || line->stuck) {
			keep_lost(line);
			continue;
		}
		extent_release(line->payload);
		free(line);
	}
}

/* ---- hearing ---- */

/* Asks the library once for messages that have arrived, and handles all of them. Returns true if
 * there were any. A callback may end a line; mpi_line_look_after() frees the line later. */
static bool hear_some(struct mpi *mpi)
{
	int count = 0;
	bool good;

	if (mpi->count == 0)
		return false;
	mpi->looks++;
	good = called(call(mpi)->MPI_Testsome(
		(int)mpi->count, mpi->receiving, &count, mpi->found, mpi->statuses));
	if (count == MPI_UNDEFINED || count <= 0)
		return false;
	for (int i = 0; i < count; i++)
		mpi->hearing[i] = mpi->lines[mpi->found[i]];
	for (int i = 0; i < count; i++) {
		struct mpi_line *line = mpi->hearing[i];

		if (line->over)
			continue;
		if (good || mpi->statuses[i].MPI_ERROR == MPI_SUCCESS)
			mpi_line_take(line, &mpi->statuses[i]);
		else
			hear_fault(line, 0);
	}
	return true;
}

bool mpi_hear(struct mpi *mpi)
{
	bool some = false;

	while (hear_some(mpi))
		some = true;
	for (uint32_t i = 0; i < mpi->count; i++)
		some |= let_leave(mpi->lines[i]);
	mpi_line_look_after(mpi);
	if (some)
		mpi->heard_ns = world->now_ns();
	return some;
}

/* ---- lines ---- */

static void mpi_line_grow(struct mpi *mpi)
{
	uint32_t capacity = mpi->capacity > 0 ? 2 * mpi->capacity : 8;

	mpi->lines = allocate_more(mpi->lines, capacity, sizeof *mpi->lines);
	mpi->hearing = allocate_more(mpi->hearing, capacity, sizeof *mpi->hearing);
	mpi->receiving = allocate_more(mpi->receiving, capacity, sizeof *mpi->receiving);
	mpi->found = allocate_more(mpi->found, capacity, sizeof *mpi->found);
	mpi->statuses = allocate_more(mpi->statuses, capacity, sizeof *mpi->statuses);
	mpi->capacity = capacity;
}

struct mpi_line *mpi_line_new(struct mpi *mpi, MPI_Comm comm, int rank, int tag_in, int tag_out)
{
	struct mpi_line *line = allocate(1, sizeof *line);

	if (mpi->count == mpi->capacity)
		mpi_line_grow(mpi);
	line->mpi = mpi;
	line->index = mpi->count;
	line->comm = comm;
	line->rank = rank;
	line->tag_in = tag_in;
	line->tag_out = tag_out;
	line->length_max = mpi->end->settings.message_bytes_max;
	if (!mpi_line_receive(line, line->in, sizeof line->in)) {
		free(line);
		return NULL;
	}
	mpi->lines[mpi->count++] = line;
	mpi->heard_ns = world->now_ns();
	return line;
}

/* Sends the last piece of the line. */
static bool mpi_line_send_piece(struct mpi_line *line, const void *bytes, size_t length)
{
	const struct mpi_api *api = line->mpi->api;
	struct mpi_piece *piece = line->last;

	if (called(call(line->mpi)->MPI_Isend(bytes, (int)length, api->byte, line->rank,
		    line->tag_out, line->comm, &piece->request)))
		return true;
	piece->request = api->no_request;
	return false;
}

static struct mpi_piece *add_piece(struct mpi_line *line, struct span payload, size_t bytes)
{
	struct mpi_piece *piece = allocate(1, sizeof *piece + bytes);

	piece->payload = payload;
	span_hold(payload);
	if (line->last)
		line->last->next = piece;
	else
		line->first = piece;
	line->last = piece;
	return piece;
}

bool mpi_line_tell(
	struct mpi_line *line, enum frame_kind kind, uint32_t credit, struct span payload)
{
	const struct frame frame = {kind, *line->session, line->next_out++, credit, payload.length};
	uint32_t together = payload.length <= MPI_TOGETHER_BYTES ? payload.length : 0;
	struct mpi_piece *piece;

	piece = add_piece(line, (struct span){0}, FRAME_HEADER_BYTES + together);
	frame_write(&frame, piece->bytes);
	if (together > 0)
		memcpy(piece->bytes + FRAME_HEADER_BYTES, payload.extent->bytes + payload.offset,
			together);
	if (!mpi_line_send_piece(line, piece->bytes, FRAME_HEADER_BYTES + together))
		return false;
	if (together < payload.length) {
		add_piece(line, payload, 0);
		if (!mpi_line_send_piece(
			    line, payload.extent->bytes + payload.offset, payload.length))
			return false;
	}
	let_leave(line);
	return true;
}

/* Cancels the posted receive. Returns false if the library is still writing to the receive's
 * buffer. */
static bool mpi_line_take_back(struct mpi *mpi, uint32_t index)
{
	MPI_Request *request = &mpi->receiving[index];
	int done = 1;

	if (*request == mpi->api->no_request)
		return true;
	(void)called(call(mpi)->MPI_Cancel(request));
	(void)called(call(mpi)->MPI_Test(request, &done, MPI_STATUS_IGNORE));
	return done;
}

void mpi_line_leave(struct mpi_line *line)
{
	struct mpi *mpi = line->mpi;
	uint32_t last = --mpi->count;

	line->over = true;
	line->over_ns = world->now_ns() + GRACE_NS;
	line->stuck = !mpi_line_take_back(mpi, line->index);
	mpi->lines[line->index] = mpi->lines[last];
	mpi->lines[line->index]->index = line->index;
	mpi->receiving[line->index] = mpi->receiving[last];
	line->next = mpi->leaving;
	mpi->leaving = line;
}

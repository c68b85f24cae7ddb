/* A line transports frames between two ranks of MPI, with one tag for each direction. This header
 * also declares struct mpi, which is MPI's part of an end (a hub or a member). MPI has no
 * descriptor to wait for, so the end polls for messages repeatedly. All functions except mpi_open()
 * and mpi_close() must be called with the end's mutex held. Only for files of this folder. */
#ifndef TRANSPORT_MPI_LINE_H
#define TRANSPORT_MPI_LINE_H

#include <stdatomic.h>

#include "end.h"
#include "mpi_process.h"
#include "world/world.h"
#include "rows_private.h"

/* maximum size of a payload that is sent together with its header */
enum { MPI_TOGETHER_BYTES = 8000 };

struct mpi_line;

/* The library's part of an end. */
struct mpi {
	const struct mpi_api *api;
	struct end *end;
	struct mpi_line **lines;
	MPI_Request *receiving; /* posted receives, indexed by line */
	/* arrays for MPI_Testsome(); valid while there are lines */
	int *found;
	MPI_Status *statuses;
	struct mpi_line **hearing;
	uint32_t count, capacity;
	struct mpi_line *leaving; /* lines that were left and still have frames to send */
	int64_t heard_ns;	  /* time at which the last frame arrived or was sent */
	uint64_t looks;		  /* number of calls that looked for messages */
	bool pausing;		  /* the polling thread sleeps before it looks again */
	int64_t used_ns;	  /* time at which a thread last polled */
	/* this thread receives while no call is in progress, to answer goodbyes */
	pthread_t thread;
	bool has_thread;
	atomic_bool stop;
	int stop_fd;
};

struct mpi_piece;

struct mpi_line {
	struct mpi *mpi;
	struct mpi_line *next; /* in the list `leaving` */
	uint32_t index;
	MPI_Comm comm;
	int rank, tag_in, tag_out;
	uint64_t next_in, next_out;
	uint32_t length_max;		/* maximum length of incoming payloads */
	struct mpi_piece *first, *last; /* pieces that are not sent yet */
	bool over;			/* the line was left, so there are no more callbacks */
	bool stuck;			/* the line is over, and the library may still write to the
					 * line's buffers */
	int64_t over_ns;		/* if the line is over: time until which its queued frames
					 * may still be sent */
	struct extent *payload;		/* the long payload that is being received; NULL if the next
					 * message begins with a header */
	const uint64_t *session;	/* session number of the owner, for the line's frames */
	void *owner;

	/* Called when a message has arrived, with the header and payload of its frame. The callee
	 * must release the payload. The header is NULL if the message is not a frame. */
	void (*heard)(struct mpi_line *line, const uint8_t *header, struct span payload);
	uint8_t in[FRAME_HEADER_BYTES + MPI_TOGETHER_BYTES];
};

/* Initializes `mpi`, the MPI part of `end`, and starts its thread. Returns OK, or IO if the thread
 * could not be started. The caller must call mpi_close() in both cases. */
enum status mpi_open(struct mpi *mpi, struct end *end);

/* Leaves all lines and frees them. Must be called without the mutex. */
void mpi_close(struct mpi *mpi);

/* Handles all messages that have arrived. Returns true if a message had arrived or if a frame was
 * sent. */
bool mpi_hear(struct mpi *mpi);

/* Receives messages, and sets end->look_ns, the time until the next call. The callback list() of
 * struct end calls this function. Returns true if list() need not return the end's descriptors this
 * time. */
bool mpi_look(struct mpi *mpi);

/* Called after sends. Makes the polling thread check for messages at once. */
void mpi_told(struct mpi *mpi);

/* Returns a new line to `rank` of `comm`. tag_in and tag_out are the tags of its two directions.
 * The caller sets `owner`, `session` and heard() before it releases the mutex. Returns NULL if the
 * library failed. */
struct mpi_line *mpi_line_new(struct mpi *mpi, MPI_Comm comm, int rank, int tag_in, int tag_out);

/* Sends a frame. Returns false if the library failed. */
bool mpi_line_tell(
	struct mpi_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* Ends a line; afterwards, heard() is not called for this line. Frames that are already queued may
 * still be sent for one second. */
void mpi_line_leave(struct mpi_line *line);

/* The two ends over MPI. */

/* See hub_open() and join() in world/channel.h. */
enum status mpi_hub_open(
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status mpi_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why);

#endif

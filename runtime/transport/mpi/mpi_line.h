/* A line transports frames between two ranks of MPI, with one tag for each direction. This header
 * also declares struct mpi, the MPI part of an end (a hub or a member). MPI has no descriptor to
 * wait for, so an end checks for messages again and again. All functions except mpi_open() and
 * mpi_close() must be called with the end's mutex held. Only for files of this folder. */
#ifndef TRANSPORT_MPI_LINE_H
#define TRANSPORT_MPI_LINE_H

#include <stdatomic.h>
#include <sys/socket.h>

#include "end.h"
#include "mpi_process.h"
#include "rows_private.h"
#include "stream.h"
#include "world/world.h"

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
	bool pausing;		  /* true: the polling thread sleeps between polls */
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
	struct mpi_line *next; /* next line in the list `leaving` */
	uint32_t index;
	MPI_Comm comm;
	int rank, tag_in, tag_out;
	uint64_t next_in, next_out;
	uint32_t length_max;		/* maximum length of incoming payloads */
	struct mpi_piece *first, *last; /* pieces that are not sent yet */
	bool over;			/* this end has left the line (connection), so heard() is
					 * not called any more */
	bool stuck;			/* the line is over, and the library may still write to the
					 * line's buffers */
	int64_t over_ns;		/* if the line is over: its queued frames may be sent until
					 * this time */
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

/* A lifeline is a socket that a member and the hub use beside their MPI connection. It transports
 * the greeting, and the data that both ends need to connect over MPI. MPI does not report that
 * another process has died, but the lifeline is closed when the process dies. Only for files of
 * this folder. */

/* Parses the address in the settings (world/channel.h) into *address and *length. Returns OK.
 * Otherwise writes a sentence to `why`, and returns INVALID if the address is invalid, or
 * UNSUPPORTED if the library is not installed or if the settings let other machines connect. */
enum status mpi_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* The payload of FRAME_WELCOME, which the hub sends to a member that has proved that it has the
 * key. The member starts MPI with the name server in this payload. Then it sends a FRAME_MESSAGE
 * with the cookie of its own process. The hub answers with a FRAME_MESSAGE that contains the port
 * to which the member must connect. If hub and member are in one process, the hub does not
 * answer. */
struct mpi_invitation {
	uint64_t cookie; /* cookie of the hub's process */
	int tag;	 /* tag of frames to the hub; frames to the member have tag + 1 */
	char server[MPI_SERVER_BYTES];
};

struct span mpi_invitation_write(const struct mpi_invitation *invitation);

/* Returns false if the payload is not an invitation. */
bool mpi_invitation_read(struct span payload, struct mpi_invitation *invitation);

/* Reads a text from the payload. Returns false if the payload is not a text of 1 to `size` - 1
 * characters, all of which are printable ASCII and not blanks. */
bool mpi_text_read(struct span payload, char *text, size_t size);

struct mpi_lifeline {
	struct connection connection;
	/* number of polls for messages (mpi->looks) up to the end of the lifeline. Frames that the
	 * other end sent before this end may still arrive in some later polls */
	uint64_t ended_looks;
	int64_t ended_ns; /* time in ns at which the other end was lost; 0: it is alive */
};

/* Sends as much of a frame as the socket accepts. Returns false if the connection is closed. */
bool mpi_lifeline_tell(struct mpi_lifeline *lifeline, enum frame_kind kind, struct span payload);

/* Records that the other end is lost. Frames that it has sent over MPI may still arrive. */
void mpi_lifeline_lost(struct mpi_lifeline *lifeline, const struct mpi *mpi);

/* Returns true if the other end is lost and all its frames have been received. */
bool mpi_lifeline_is_over(const struct mpi_lifeline *lifeline, const struct mpi *mpi);

#endif

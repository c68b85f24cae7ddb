/* A line is one call over gRPC. Both ends stream frames on the call, with one message for each
 * frame. This header also declares the hub and the member over gRPC, and the completion queue with
 * the thread that waits at it. Only for files of this folder. */
#ifndef TRANSPORT_GRPC_LINE_H
#define TRANSPORT_GRPC_LINE_H

#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>
#include <grpc/support/alloc.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "end.h"
#include "rows_private.h"

/* The functions of gRPC's C core. They are loaded when a hub or member is first opened. If the
 * program were linked with gRPC instead, forty libraries would be loaded whenever the program
 * starts. */

#define GRPC_FUNCTIONS(X)                                                                          \
	X(grpc_init)                                                                               \
	X(grpc_shutdown_blocking)                                                                  \
	X(grpc_completion_queue_create_for_next)                                                   \
	X(grpc_completion_queue_next)                                                              \
	X(grpc_completion_queue_shutdown)                                                          \
	X(grpc_completion_queue_destroy)                                                           \
	X(grpc_insecure_credentials_create)                                                        \
	X(grpc_channel_credentials_release)                                                        \
	X(grpc_channel_create)                                                                     \
	X(grpc_channel_create_call)                                                                \
	X(grpc_channel_destroy)                                                                    \
	X(grpc_insecure_server_credentials_create)                                                 \
	X(grpc_server_credentials_release)                                                         \
	X(grpc_server_create)                                                                      \
	X(grpc_server_register_completion_queue)                                                   \
	X(grpc_server_add_http2_port)                                                              \
	X(grpc_server_start)                                                                       \
	X(grpc_server_request_call)                                                                \
	X(grpc_server_shutdown_and_notify)                                                         \
	X(grpc_server_cancel_all_calls)                                                            \
	X(grpc_server_destroy)                                                                     \
	X(grpc_call_start_batch)                                                                   \
	X(grpc_call_cancel)                                                                        \
	X(grpc_call_get_peer)                                                                      \
	X(gpr_free)                                                                                \
	X(grpc_call_unref)                                                                         \
	X(grpc_call_details_init)                                                                  \
	X(grpc_call_details_destroy)                                                               \
	X(grpc_metadata_array_init)                                                                \
	X(grpc_metadata_array_destroy)                                                             \
	X(grpc_raw_byte_buffer_create)                                                             \
	X(grpc_byte_buffer_length)                                                                 \
	X(grpc_byte_buffer_destroy)                                                                \
	X(grpc_byte_buffer_reader_init)                                                            \
	X(grpc_byte_buffer_reader_next)                                                            \
	X(grpc_byte_buffer_reader_destroy)                                                         \
	X(grpc_slice_malloc)                                                                       \
	X(grpc_slice_new_with_user_data)                                                           \
	X(grpc_slice_from_static_string)                                                           \
	X(grpc_slice_str_cmp)                                                                      \
	X(grpc_slice_unref)                                                                        \
	X(gpr_inf_future)

struct grpc_api {
#define X(function) __typeof__(function) *function;
	GRPC_FUNCTIONS(X)
#undef X
};

/* Returns NULL if the library is not installed. */
const struct grpc_api *grpc_api(void);

/* An operation that was started in the library. The library identifies the operation by the address
 * of this struct. */
struct grpc_task {
	/* Called when the operation has completed; `good` is true if the operation succeeded. Runs
	 * in the queue's thread, with the end's mutex held. */
	void (*over)(struct grpc_task *task, bool good);
	void *owner;
};

/* A completion queue of gRPC, and the thread that waits for completed operations. gRPC polls its
 * sockets in this thread. */
struct grpc_queue {
	const struct grpc_api *api;
	grpc_completion_queue *queue;
	pthread_t thread;
	bool hears; /* the thread is running */
	struct end *end;
};

/* Loads and initializes gRPC, and starts the thread of the queue. Returns OK, or IO if the library
 * is not installed or the thread could not be started. After IO, nothing is left to close. */
enum status grpc_queue_open(struct grpc_queue *queue, struct end *end, struct text *why);

/* Waits until all operations have completed, and joins the queue's thread. Call this without
 * holding the mutex; no operation may be started afterwards. A second call has no effect. */
void grpc_queue_stop(struct grpc_queue *queue);

/* Destroys the queue. Call this after grpc_queue_stop(), when all objects that use the queue have
 * been freed. A second call has no effect. */
void grpc_queue_close(struct grpc_queue *queue);

/* Returns true if another process listens at the address. Tries to bind the address, because the
 * library does not report why it cannot listen. */
bool grpc_somebody_listens(const struct sockaddr_storage *address, socklen_t length);

/* The name of the method that members call. */
#define GRPC_LINE_METHOD "/meshsim/frames"

struct grpc_leaving;

struct grpc_line {
	struct grpc_queue *queue;
	grpc_call *call;
	bool serves;	/* true: this end is the hub */
	uint32_t asked; /* number of batches that were started and have not completed */
	bool over;	/* this end has left the line, so there are no more callbacks */
	bool stopped;	/* the call is cancelled, so no more batches are started */

	struct grpc_task sent, received, closed;
	/* queued frames; while `sends` is set, the library is sending the first one */
	struct grpc_leaving *first, *last;
	bool sends, has_begun; /* has_begun: the initial metadata was sent */
	uint64_t next_out;     /* sequence number of the next frame */
	grpc_byte_buffer *incoming;
	grpc_metadata_array initial, trailing;
	grpc_status_code code;
	grpc_slice details;
	int cancelled;

	const uint64_t *session; /* session number of the owner, for the line's frames */
	void *owner;		 /* the party (at the hub) or the channel (at a member) */

	/* Called when a message has arrived, with the message's header and payload. The header is
	 * NULL if the message is shorter than a header. The callee must release the payload. */
	void (*heard)(struct grpc_line *line, const uint8_t *header, struct span payload);

	/* Called when the call has ended. All messages that arrived before have been delivered. */
	void (*ended)(struct grpc_line *line);
};

/* All functions except grpc_line_free() must be called with the end's mutex held. */

/* Returns a new line for a call. Takes ownership of the call. The caller sets `owner`, `session`,
 * heard() and ended() before it calls grpc_line_start(). */
struct grpc_line *grpc_line_new(struct grpc_queue *queue, grpc_call *call, bool serves);

/* Starts receiving. */
void grpc_line_start(struct grpc_line *line);

/* Queues a frame. Takes its own reference to the payload. Returns false if the line is over. */
bool grpc_line_tell(
	struct grpc_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* Ends the line; afterwards, heard() and ended() are not called. At the hub, the line sends all
 * queued frames and then the status code. At a member, the line cancels the call at once. A second
 * call has no effect. */
void grpc_line_leave(struct grpc_line *line, grpc_status_code code);

/* Cancels the call now. Starts no more batches. */
void grpc_line_stop(struct grpc_line *line);

/* Frees a line. All of its batches must have completed. NULL is allowed. */
void grpc_line_free(struct grpc_line *line);

/* Hub and member over gRPC, for the table of transports. */

/* See the operations of the same names in world/channel.h. */
enum status grpc_hub_open(
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status grpc_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why);

#endif

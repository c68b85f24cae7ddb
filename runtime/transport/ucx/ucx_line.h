/* Lines over UCX. Each line transports frames on the stream of an endpoint, which belongs to the
 * worker of a hub or member. All functions except ucx_open() and ucx_close() must be called with
 * the end's mutex held. Only for files of this folder. */
#ifndef TRANSPORT_UCX_LINE_H
#define TRANSPORT_UCX_LINE_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <ucp/api/ucp.h>

#include "end.h"
#include "world/world.h"
#include "rows_private.h"

/* The functions of UCX. They are loaded when a hub or member is first opened. If the program were
 * linked with UCX instead, every start of the program would install UCX's signal handlers and take
 * a million instructions more. */

#define UCX_FUNCTIONS(X)                                                                           \
	X(ucp_config_read)                                                                         \
	X(ucp_config_modify)                                                                       \
	X(ucp_config_release)                                                                      \
	X(ucp_init_version)                                                                        \
	X(ucp_cleanup)                                                                             \
	X(ucp_worker_create)                                                                       \
	X(ucp_worker_destroy)                                                                      \
	X(ucp_worker_get_efd)                                                                      \
	X(ucp_worker_arm)                                                                          \
	X(ucp_worker_progress)                                                                     \
	X(ucp_listener_create)                                                                     \
	X(ucp_listener_destroy)                                                                    \
	X(ucp_listener_query)                                                                      \
	X(ucp_listener_reject)                                                                     \
	X(ucp_ep_create)                                                                           \
	X(ucp_ep_close_nbx)                                                                        \
	X(ucp_ep_print_info)                                                                       \
	X(ucp_stream_worker_poll)                                                                  \
	X(ucp_stream_recv_data_nb)                                                                 \
	X(ucp_stream_data_release)                                                                 \
	X(ucp_stream_send_nbx)                                                                     \
	X(ucp_request_check_status)                                                                \
	X(ucp_request_free)

struct ucx_api {
#define X(function) __typeof__(function) *function;
	UCX_FUNCTIONS(X)
#undef X
};

/* Returns NULL if the library is not installed. */
const struct ucx_api *ucx_api(void);

/* The UCX transports that a transport of this folder uses. */
struct ucx_style {
	const char *name;
	const char *transports; /* value of UCX_TLS */
	const char *uses;	/* name of the transport that a line must use, in the form in which
				 * UCX prints it */
};

struct ucx_line;

/* The library's part of an end. */
struct ucx {
	const struct ucx_api *api;
	struct end *end;
	ucp_context_h context;
	ucp_worker_h worker;
	int fd;
	struct ucx_line *lines;
	/* this thread receives while no call is in progress, to answer goodbyes */
	pthread_t thread;
	bool has_thread;
	atomic_bool stop;
	int stop_fd;
	int64_t used_ns; /* time at which a thread last polled */
};

struct ucx_line {
	struct ucx_line *next;
	struct ucx *ucx;
	ucp_ep_h endpoint;
	void *closing;	    /* the request that closes the line */
	bool failed, ended; /* failed: the connection is gone; ended: the owner was notified */
	bool over;	    /* this end has left the line. The line makes no more callbacks, and is
			     * freed after it is closed */
	bool refused;	    /* the last frame that was sent was FRAME_REFUSED */
	int64_t over_ns;
	uint32_t sending; /* number of pieces that are not sent yet */
	uint64_t next_in, next_out;
	uint32_t length_max; /* maximum length of incoming payloads */
	uint8_t header[FRAME_HEADER_BYTES];
	uint32_t header_filled, payload_filled;
	struct extent *payload;
	const uint64_t *session; /* session number of the owner, for the line's frames */
	void *owner;

	/* Called when a frame has arrived, with its header and its payload. The callee must release
	 * the payload. */
	void (*heard)(struct ucx_line *line, const uint8_t *header, struct span payload);

	/* Called when the connection is gone. */
	void (*lost)(struct ucx_line *line);
};

/* Parses the address in the settings (world/channel.h) into *address and *length. Returns OK.
 * Otherwise writes a sentence to `why`, and returns INVALID if the address is invalid, or
 * UNSUPPORTED if the library is not installed or if the settings let other machines connect. */
enum status ucx_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* Opens a worker and starts the thread. Returns OK, or IO if this failed. The caller must call
 * ucx_close() in both cases. */
enum status ucx_open(struct ucx *ucx, const struct ucx_style *style, struct end *end);

/* Closes all lines at once and frees them. Must be called without the mutex. */
void ucx_close(struct ucx *ucx);

/* Handles everything that has arrived. Returns true if anything has arrived. */
bool ucx_hear(struct ucx *ucx);

/* The list() of struct end. Returns 1. */
uint32_t ucx_list(struct ucx *ucx, struct pollfd *polls);

/* Returns a new line. It is either a line to `address`, or the line for the connection request
 * `knock`; the other argument must be NULL. The caller sets `owner`, `session`, heard() and lost().
 * Returns NULL if the library failed. */
struct ucx_line *ucx_line_new(struct ucx *ucx, const struct sockaddr_storage *address,
	socklen_t length, ucp_conn_request_h knock);

/* Returns true if the line uses the transport `name`, as UCX prints it. */
bool ucx_line_uses(const struct ucx_line *line, const char *name);

/* Sends a frame. Returns false if the connection is gone. */
bool ucx_line_tell(
	struct ucx_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* Ends a line; afterwards, its callbacks are not called. The caller sets `bye` if it has sent
 * FRAME_BYE on the line. After FRAME_BYE or FRAME_REFUSED, waits, for at most a second, until the
 * other end has closed the connection. Otherwise closes the connection at once. */
void ucx_line_leave(struct ucx_line *line, bool bye);

/* Hub and member over UCX, for the table of transports. */

/* See hub_open() and join() in world/channel.h. */
enum status ucx_hub_open(const struct ucx_style *style, const struct channel_settings *settings,
	struct hub **hub, struct text *why);
enum status ucx_join(const struct ucx_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

#endif

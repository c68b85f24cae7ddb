/* The functions of UCX, loaded when an end is first opened. Linking with UCX would install its
 * signal handlers and cost a million instructions at every start. Private to the room. */
#ifndef TRANSPORT_UCX_API_H
#define TRANSPORT_UCX_API_H

#include <stdbool.h>
#include <ucp/api/ucp.h>

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

/* NULL if the library is not installed. */
const struct ucx_api *ucx_api(void);

#endif

/* The functions of gRPC's C core, loaded when an end is first opened. Linking with gRPC would load
 * forty libraries at every start. Private to the room. */
#ifndef TRANSPORT_GRPC_API_H
#define TRANSPORT_GRPC_API_H

#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>
#include <grpc/support/alloc.h>

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

/* NULL if the library is not installed. */
const struct grpc_api *grpc_api(void);

#endif

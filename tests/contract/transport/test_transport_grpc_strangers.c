/* Tests that a hub over gRPC rejects and counts strangers, and that they have no effect on its
 * members. Strangers send data that is not gRPC, calls that the hub does not have, messages of
 * other versions, messages that are not greetings, frames in pieces, and replayed frames. */
#include <string.h>

#include "bare.h"
#include "check.h"
#include "transport/frame.h"
#include "transports.h"

#if __has_include(<grpc/grpc.h>)
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* A hub with a member, and a stranger that makes a call. */
struct scene {
	struct hub *hub;
	struct channel *channel;
	grpc_completion_queue *queue;
	grpc_channel *connection;
	grpc_call *call;
	bool has_begun;
	grpc_metadata_array initial, trailing;
	grpc_status_code code;
	grpc_slice details;
};

static bool over(struct scene *scene, int64_t ms)
{
	gpr_timespec until =
		gpr_time_add(gpr_now(GPR_CLOCK_REALTIME), gpr_time_from_millis(ms, GPR_TIMESPAN));

	return grpc_completion_queue_next(scene->queue, until, NULL).type == GRPC_OP_COMPLETE;
}

static void ask(struct scene *scene, const grpc_op *operations, size_t count)
{
	check_equal(
		grpc_call_start_batch(scene->call, operations, count, scene, NULL), GRPC_CALL_OK);
}

static struct scene scene_open(const char *method)
{
	struct scene scene = {.hub = transport_hub()};
	grpc_channel_credentials *none;
	char target[256];

	scene.channel = transport_join(scene.hub, "member", 0);
	grpc_init();
	snprintf(target, sizeof target, "ipv4:%s", transport->hub_address(scene.hub));
	none = grpc_insecure_credentials_create();
	scene.connection = grpc_channel_create(target, none, NULL);
	grpc_channel_credentials_release(none);
	scene.queue = grpc_completion_queue_create_for_next(NULL);
	scene.call = grpc_channel_create_call(scene.connection, NULL, GRPC_PROPAGATE_DEFAULTS,
		scene.queue, grpc_slice_from_copied_string(method), NULL,
		gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
	grpc_metadata_array_init(&scene.initial);
	grpc_metadata_array_init(&scene.trailing);
	return scene;
}

static void scene_close(struct scene *scene)
{
	transport_check_goes_on(scene->hub, scene->channel);
	grpc_call_cancel(scene->call, NULL);
	grpc_completion_queue_shutdown(scene->queue);
	while (over(scene, 10000))
		continue;
	grpc_call_unref(scene->call);
	grpc_channel_destroy(scene->connection);
	grpc_completion_queue_destroy(scene->queue);
	grpc_metadata_array_destroy(&scene->initial);
	grpc_metadata_array_destroy(&scene->trailing);
	grpc_shutdown_blocking();
	transport->close(scene->channel);
	transport->hub_close(scene->hub);
}

static void put(struct scene *scene, const void *bytes, size_t length)
{
	grpc_slice slice = grpc_slice_from_copied_buffer(bytes, length);
	grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&slice, 1);
	grpc_op operations[2] = {
		{.op = GRPC_OP_SEND_MESSAGE, .data.send_message.send_message = buffer},
		{.op = GRPC_OP_SEND_INITIAL_METADATA}};

	ask(scene, operations, scene->has_begun ? 1 : 2);
	scene->has_begun = true;
	check(over(scene, 10000), "a message of %zu B does not leave", length);
	grpc_slice_unref(slice);
	grpc_byte_buffer_destroy(buffer);
}

static void put_frame(
	struct scene *scene, enum frame_kind kind, uint16_t version, const char *payload)
{
	const struct frame frame = {kind, 0, 0, 0, (uint32_t)strlen(payload)};
	uint8_t bytes[BARE_BYTES];
	uint32_t count = bare_frame(frame, payload, bytes);

	bytes[4] = (uint8_t)version;
	put(scene, bytes, count);
}

static void put_hello(struct scene *scene, uint16_t version, const char *name)
{
	struct proof proof = bare_proof();
	uint8_t bytes[BARE_BYTES];
	uint32_t count = bare_hello(&proof, name, bytes);

	bytes[4] = (uint8_t)version;
	put(scene, bytes, count);
}

/* The call must end without an answer. The hub rejects it and accepts no member. */
static void check_silence(struct scene *scene)
{
	struct channel_counts counts = {0};
	grpc_byte_buffer *buffer = NULL;
	grpc_op operations[2] = {
		{.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &buffer},
		{.op = GRPC_OP_RECV_INITIAL_METADATA,
			.data.recv_initial_metadata.recv_initial_metadata = &scene->initial}};
	uint32_t number;
	bool came = false;

	ask(scene, operations, 2);
	for (int i = 0; i < 500 && !came; i++) {
		check_status(transport->hub_accept(scene->hub, transport_in_ms(10), &number),
			STATUS_TIMEOUT);
		came = over(scene, 10);
	}
	check(came && !buffer, "a stranger hears something");
	transport->hub_counts(scene->hub, &counts);
	check(counts.stranger[0], "no stranger is named");
}

static const char frames[] = "/meshsim/frames";

static void another_version_is_refused(void)
{
	struct scene scene = scene_open(frames);

	put_hello(&scene, FRAME_VERSION + 6, "stranger");
	check_silence(&scene);
	scene_close(&scene);
}

static void who_begins_with_a_message_is_refused(void)
{
	struct scene scene = scene_open(frames);

	put_frame(&scene, FRAME_MESSAGE, FRAME_VERSION, "hi");
	check_silence(&scene);
	scene_close(&scene);
}

static void pieces_of_a_frame_are_refused(void)
{
	struct scene scene = scene_open(frames);

	put(&scene, "mshT", 4);
	check_silence(&scene);
	scene_close(&scene);
}

static void a_name_that_is_not_printable_is_refused(void)
{
	struct scene scene = scene_open(frames);

	put_hello(&scene, FRAME_VERSION, "a\033[2Jb");
	check_silence(&scene);
	scene_close(&scene);
}

/* The second message should be a proof. */
static void a_greeting_that_is_replayed_is_refused(void)
{
	struct scene scene = scene_open(frames);

	put_hello(&scene, FRAME_VERSION, "stranger");
	put_hello(&scene, FRAME_VERSION, "stranger");
	scene_close(&scene);
}

static void a_call_of_another_name_is_refused(void)
{
	struct scene scene = scene_open("/somebody/else");
	grpc_op operations[3] = {{.op = GRPC_OP_SEND_INITIAL_METADATA},
		{.op = GRPC_OP_RECV_INITIAL_METADATA,
			.data.recv_initial_metadata.recv_initial_metadata = &scene.initial},
		{.op = GRPC_OP_RECV_STATUS_ON_CLIENT,
			.data.recv_status_on_client = {.trailing_metadata = &scene.trailing,
				.status = &scene.code,
				.status_details = &scene.details}}};

	ask(&scene, operations, 3);
	check(over(&scene, 10000), "the call does not end");
	check_equal(scene.code, GRPC_STATUS_UNIMPLEMENTED);
	grpc_slice_unref(scene.details);
	scene_close(&scene);
}

/* The library itself closes the connection, without counting it. */
static void what_is_no_grpc_at_all_is_ended(void)
{
	struct scene scene = scene_open(frames);
	int fd = transport_connect(scene.hub);
	const char noise[] = "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n";
	char bytes[64];

	check_equal(send(fd, noise, sizeof noise, MSG_NOSIGNAL), sizeof noise);
	while (recv(fd, bytes, sizeof bytes, 0) > 0)
		continue;
	close(fd);
	put(&scene, "mshT", 4);
	scene_close(&scene);
}

static bool is_grpc(const char *name)
{
	return strcmp(name, "grpc") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(another_version_is_refused),
		TRANSPORT_CASE(who_begins_with_a_message_is_refused),
		TRANSPORT_CASE(pieces_of_a_frame_are_refused),
		TRANSPORT_CASE(a_name_that_is_not_printable_is_refused),
		TRANSPORT_CASE(a_greeting_that_is_replayed_is_refused),
		TRANSPORT_CASE(a_call_of_another_name_is_refused),
		TRANSPORT_CASE(what_is_no_grpc_at_all_is_ended),
	};

	return transports_run_where(
		"strangers of gRPC", cases, sizeof cases / sizeof cases[0], is_grpc);
}

#else

int main(void)
{
	return 77; /* built without libgrpc-dev */
}

#endif

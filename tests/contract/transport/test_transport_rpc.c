/* Tests that requests reach a service over gRPC and replies come back, that callers learn why a
 * request failed, and that slow, foreign and many callers neither stop the service nor fill its
 * memory. */
#include "test.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/allocate.h"
#include "transport/rpc.h"
#include "row.h"
#include "world/native/native.h"
#include "world/world.h"

enum { MESSAGE_MAX = 1 << 16, NS_PER_MS = 1000000, MANY = 10000 };

/* A service that answers in a thread of its own: with the request, or not at all if the request
 * begins with an 'x'. */
struct service {
	struct rpc_server *server;
	pthread_t thread;
	bool stops;
	uint32_t asked;
};

static bool echo(
	void *context, const char *peer, const char *request, size_t length, struct text *reply)
{
	struct service *service = context;

	assert_string_not_equal(peer, "");
	service->asked++;
	if (length > 0 && request[0] == 'x')
		return false;
	if (length > 0 && request[0] == 'L') {
		while (reply->length <= MESSAGE_MAX)
			text_append(reply, "long");
		return true;
	}
	text_append_bytes(reply, request, length);
	return true;
}

static void *serve(void *argument)
{
	struct service *service = argument;
	const struct rpc_handler handler = {echo, service};

	while (!__atomic_load_n(&service->stops, __ATOMIC_ACQUIRE))
		(void)rpc_server_next(
			service->server, &handler, world->now_ns() + 20 * (int64_t)NS_PER_MS);
	return NULL;
}

static struct rpc_settings settings_of(const char *address)
{
	return (struct rpc_settings){
		.address = address, .method = "/meshsim/test", .message_bytes_max = MESSAGE_MAX};
}

static void service_start(struct service *service)
{
	const struct rpc_settings settings = settings_of("127.0.0.1:0");
	struct text why = {0};

	*service = (struct service){0};
	assert_int_equal(rpc_server_open(&settings, &service->server, &why), STATUS_OK);
	assert_int_equal(pthread_create(&service->thread, NULL, serve, service), 0);
	text_fini(&why);
}

static void service_stop(struct service *service)
{
	__atomic_store_n(&service->stops, true, __ATOMIC_RELEASE);
	pthread_join(service->thread, NULL);
	rpc_server_close(service->server);
}

static enum status ask(const struct service *service, const char *request, size_t length,
	struct text *reply, struct text *why)
{
	const struct rpc_settings settings = settings_of(rpc_server_address(service->server));

	return rpc_call(&settings, request, length, world->now_ns() + 30000 * (int64_t)NS_PER_MS,
		reply, why);
}

TEST(replies_carry_all_bytes_of_requests)
{
	struct service service;
	char *bytes = allocate(MESSAGE_MAX, 1);

	service_start(&service);
	for (size_t length = 0; length <= MESSAGE_MAX; length = length * 4 + 1) {
		struct text reply = {0}, why = {0};

		for (size_t i = 0; i < length; i++)
			bytes[i] = (char)(i * 7 % 101);
		assert_int_equal(ask(&service, bytes, length, &reply, &why), STATUS_OK);
		assert_int_equal(reply.length, length);
		assert_memory_equal(text_string(&reply), bytes, length);
		text_fini(&reply);
		text_fini(&why);
	}
	free(bytes);
	service_stop(&service);
}

TEST(callers_learn_why_a_request_failed)
{
	struct service service;
	struct text reply = {0}, why = {0};
	struct rpc_settings settings;
	char *longer = allocate(MESSAGE_MAX + 2, 1);

	service_start(&service);
	assert_int_equal(ask(&service, "x", 1, &reply, &why), STATUS_INVALID);
	assert_string_equal(text_string(&why), "the request was refused");
	text_clear(&why);
	assert_int_equal(ask(&service, "L", 1, &reply, &why), STATUS_OUT_OF_RANGE);
	assert_int_equal(ask(&service, longer, MESSAGE_MAX + 1, &reply, &why), STATUS_OUT_OF_RANGE);
	settings = settings_of(rpc_server_address(service.server));
	settings.method = "/other/service";
	assert_int_equal(rpc_call(&settings, "a", 1, world->now_ns() + 30000 * (int64_t)NS_PER_MS,
				 &reply, &why),
		STATUS_UNSUPPORTED);
	settings = settings_of(rpc_server_address(service.server));
	settings.message_bytes_max = 2 * MESSAGE_MAX;
	assert_int_equal(rpc_call(&settings, longer, MESSAGE_MAX + 1,
				 world->now_ns() + 30000 * (int64_t)NS_PER_MS, &reply, &why),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(rpc_server_refused(service.server), 4);
	assert_int_equal(service.asked, 2);
	settings = settings_of("nonsense");
	assert_int_equal(
		rpc_call(&settings, "a", 1, world->now_ns(), &reply, &why), STATUS_INVALID);
	settings = settings_of("10.1.2.3:77");
	assert_int_equal(
		rpc_call(&settings, "a", 1, world->now_ns(), &reply, &why), STATUS_INVALID);
	service_stop(&service);
	free(longer);
	text_fini(&reply);
	text_fini(&why);
}

TEST(a_service_that_is_gone_is_closed)
{
	struct service service;
	char address[RPC_PEER_BYTES];
	struct rpc_settings settings;
	struct text reply = {0}, why = {0};

	service_start(&service);
	snprintf(address, sizeof address, "%s", rpc_server_address(service.server));
	settings = settings_of(address);
	{
		struct rpc_server *second = NULL;

		assert_int_equal(rpc_server_open(&settings, &second, &why), STATUS_EXISTS);
	}
	service_stop(&service);
	assert_int_equal(rpc_call(&settings, "a", 1, world->now_ns() + 30000 * (int64_t)NS_PER_MS,
				 &reply, &why),
		STATUS_CLOSED);
	text_fini(&reply);
	text_fini(&why);
}

TEST(a_service_that_does_not_answer_is_a_timeout)
{
	const struct rpc_settings settings = settings_of("127.0.0.1:0");
	struct rpc_server *server;
	struct rpc_settings caller;
	struct text reply = {0}, why = {0};
	int64_t from_ns = world->now_ns();

	assert_int_equal(rpc_server_open(&settings, &server, &why), STATUS_OK);
	caller = settings_of(rpc_server_address(server));
	assert_int_equal(
		rpc_call(&caller, "a", 1, from_ns + 100 * (int64_t)NS_PER_MS, &reply, &why),
		STATUS_TIMEOUT);
	assert_in_range(
		world->now_ns() - from_ns, 90 * (int64_t)NS_PER_MS, 3000 * (int64_t)NS_PER_MS);
	rpc_server_close(server);
	text_fini(&reply);
	text_fini(&why);
}

static int connect_to(const char *address)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1))};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
	return fd;
}

static long peak_kib(void)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Strangers connect and say nothing, or nonsense; an honest caller is still answered. */
TEST(many_strangers_do_not_stop_the_service)
{
	struct service service;
	struct rlimit limit = {0};
	uint32_t many = MANY;
	struct text reply = {0}, why = {0};
	int *fds = allocate(MANY, sizeof *fds);
	long before_kib, after_kib;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	/* both ends of a connection are files of this process */
	limit.rlim_cur = limit.rlim_max < 3 * MANY ? limit.rlim_max : 3 * MANY;
	if (limit.rlim_cur < 2 * MANY + 200)
		many = (uint32_t)(limit.rlim_cur - 200) / 2;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	service_start(&service);
	assert_int_equal(ask(&service, "a", 1, &reply, &why), STATUS_OK);
	before_kib = peak_kib();
	for (uint32_t i = 0; i < many; i++) {
		fds[i] = connect_to(rpc_server_address(service.server));
		if (i % 2)
			(void)!write(fds[i], "GET / HTTP/1.0\r\n\r\n", 18);
	}
	assert_int_equal(ask(&service, "b", 1, &reply, &why), STATUS_OK);
	assert_string_equal(text_string(&reply), "ab");
	after_kib = peak_kib();
	if (after_kib - before_kib > 256 * (long)many)
		fail_msg("%u strangers take %ld KiB, more than 256 each", many,
			after_kib - before_kib);
	assert_int_equal(service.asked, 2);
	for (uint32_t i = 0; i < many; i++)
		close(fds[i]);
	free(fds);
	service_stop(&service);
	text_fini(&reply);
	text_fini(&why);
}

int main(void)
{
	const struct rpc_settings settings = settings_of("127.0.0.1:0");
	struct rpc_server *server = NULL;

	world = &native_world;
	native_world_start(&row_recorder);
	if (rpc_server_open(&settings, &server, NULL) == STATUS_UNSUPPORTED)
		return 77; /* gRPC is not on this machine */
	rpc_server_close(server);
	return TEST_RUN(NULL, NULL);
}

/* Tests that a hub over ZeroMQ reports an address that is in use, even if the library is slow. To
 * make the library slow, each of its mutex locks takes milliseconds in this test. Under
 * ThreadSanitizer the test is skipped, because ThreadSanitizer replaces the functions for locks
 * itself. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "transports.h"

#ifndef __SANITIZE_THREAD__

static __thread bool slow;

/* Replaces the function for the library, too, since definitions of the program take precedence. */
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static const struct timespec pause = {.tv_nsec = 5000000};
	static int (*lock)(pthread_mutex_t * mutex);

	if (lock == NULL)
		lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
	if (slow)
		nanosleep(&pause, NULL);
	return lock(mutex);
}

static void an_address_that_is_taken_is_told_from_other_failures(void)
{
	struct hub *hub = transport_hub(), *second = NULL;
	struct channel_settings settings = transport_member_settings(hub, "hub");
	struct text why = {0};

	slow = true;
	check_status(transport->hub_open(&settings, &second, &why), STATUS_EXISTS);
	slow = false;
	check(strcmp(text_string(&why), "cannot listen there: Address already in use") == 0, "'%s'",
		text_string(&why));
	text_fini(&why);
	transport->hub_close(hub);
}

static bool is_zeromq(const char *name)
{
	return strncmp(name, "zeromq", 6) == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(an_address_that_is_taken_is_told_from_other_failures),
	};

	if (!transport_find("zeromq")->ops)
		return 77; /* built without libzmq3-dev */
	return transports_run_where(
		"slow ZeroMQ", cases, sizeof cases / sizeof cases[0], is_zeromq);
}

#else

int main(void)
{
	return 77;
}

#endif

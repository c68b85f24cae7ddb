/* A distributed device whose last host fails when the test requests it. The host can become slow,
 * lose its connection for a while, or die. In the native world, a layer around the host's channel
 * (channel.h) simulates these faults. In the simulation, the simulated network cuts off the host or
 * kills its program. */
#ifndef TEST_HOSTS_BROKEN_H
#define TEST_HOSTS_BROKEN_H

#include "hosts_case.h"

/* Puts the layer that simulates faults around the transport of a case. Must be called after
 * hosts_case_init(). Only one case at a time may use it. */
void hosts_broken_init(struct hosts_case *hosts);

/* Slows down the last host: after this call, it needs `each_ns` more for each message that it
 * receives. If `each_ns` is 0, the host is no longer slow. */
void hosts_broken_slow(int64_t each_ns);

/* hosts_broken_away() cuts off the last host for `for_ns`, in both directions. A thread then
 * reconnects the host. hosts_broken_await_return() waits for this thread. */
void hosts_broken_away(struct hosts_case *hosts, int64_t for_ns);
void hosts_broken_await_return(void);

/* Kills the program of the last host. */
void hosts_broken_kill(struct hosts_case *hosts);

/* Returns the counters of the controller's end, which must be open. */
struct channel_counts hosts_broken_counts(void);

/* Runs body() for each choice, natively and simulated, each time in its own child process. */
void hosts_broken_in_both(const struct hosts_choice *native, size_t native_count,
	const struct hosts_choice *simulated, size_t simulated_count,
	void (*body)(const struct hosts_choice *choice));

#endif

/* A distributed device whose last host fails when the test says so. The host can be slow, be cut
 * off for a while, or lose its program. Natively, a wrapper of channel.h around the host's
 * connection does this. In the simulation, the network cuts off the host or kills it. */
#ifndef TEST_HOSTS_BROKEN_H
#define TEST_HOSTS_BROKEN_H

#include "hosts_case.h"

/* Wraps the transport of a case, after hosts_case_init(). One case at a time. */
void hosts_broken_init(struct hosts_case *hosts);

/* Slows down the last host from now on: it takes `each_ns` longer for each message that it
 * receives. 0 ends the slowdown. */
void hosts_broken_slow(int64_t each_ns);

/* Cuts off the last host for `for_ns`, in both directions. A thread then reconnects it;
 * hosts_broken_await_return() waits for that thread. */
void hosts_broken_away(struct hosts_case *hosts, int64_t for_ns);
void hosts_broken_await_return(void);

/* Kills the program of the last host. */
void hosts_broken_kill(struct hosts_case *hosts);

/* The counters of the controller's end, which must be open. */
struct channel_counts hosts_broken_counts(void);

/* Runs body() for each choice natively and simulated, in a child process each. */
void hosts_broken_in_both(const struct hosts_choice *native, size_t native_count,
	const struct hosts_choice *simulated, size_t simulated_count,
	void (*body)(const struct hosts_choice *choice));

#endif

/* A distributed device whose last host fails on command: it is slow, it is away for a while, or its
 * program dies. Natively, a wrapper of channel.h around that host's end does it; in the simulation,
 * the network cuts off or kills the host. */
#ifndef TEST_HOSTS_BROKEN_H
#define TEST_HOSTS_BROKEN_H

#include "hosts_case.h"

/* Wraps the transport of a case, after hosts_case_init(). One case at a time. */
void hosts_broken_init(struct hosts_case *hosts);

/* Makes the last host take so long for each message that it receives, from now on; 0: normal
 * again. */
void hosts_broken_slow(int64_t each_ns);

/* Cuts the last host off for so long, in both directions. A thread of the case ends it;
 * hosts_broken_await_return() waits for that. */
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

/* A distributed device whose last host goes wrong when it is told to: it is slow, it is away for a
 * while, or its program dies. Natively a row of channel.h around that host's end does it; simulated
 * hosts are cut off or killed by the network. */
#ifndef TEST_HOSTS_BROKEN_H
#define TEST_HOSTS_BROKEN_H

#include "hosts_case.h"

/* Wraps the transport of a case, after hosts_case_init(). One case at a time. */
void hosts_broken_init(struct hosts_case *hosts);

/* From now on the last host takes so long for each message that it receives; 0: no longer. */
void hosts_broken_slow(int64_t each_ns);

/* From now on nothing reaches it and nothing leaves it, for so long. A thread of the case ends
 * that; wait for it. */
void hosts_broken_away(struct hosts_case *hosts, int64_t for_ns);
void hosts_broken_await_return(void);

/* Its program dies. */
void hosts_broken_kill(struct hosts_case *hosts);

/* What the controller's end has counted; it must be open. */
struct channel_counts hosts_broken_counts(void);

/* Runs body() for each choice natively, and simulated, a child each. */
void hosts_broken_in_both(const struct hosts_choice *native, size_t native_count,
	const struct hosts_choice *simulated, size_t simulated_count,
	void (*body)(const struct hosts_choice *choice));

#endif

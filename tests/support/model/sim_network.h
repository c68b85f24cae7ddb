/* A simulated world of several hosts in a network, for tests: hosts as in sim_host.h, network and
 * libraries with the constants of a shipped machine, or with those of the test. */
#ifndef SUPPORT_SIM_NETWORK_H
#define SUPPORT_SIM_NETWORK_H

#include "hostnet/hostnet.h"
#include "sim_host.h"

/* The constants of galaxy-x2. */
struct hostnet_constants sim_network_constants(void);

/* Round constants: 1 GB/s; 100 ns at each NIC and 300 ns at the switch; frames of 1,000 B with 100
 * B more, bursts of 10,000 B; retry 1 ms; libraries that cost nothing, have headers of 0 B, and
 * whose ends lose each other after 1 s. */
struct hostnet_constants sim_network_free_constants(void);

enum { SIM_NETWORK_HOSTS = 4 };

/* In a child process: opens the engine and a world of SIM_NETWORK_HOSTS hosts with a network, and
 * runs body(argument) as the main thread on host 0. The simulation must finish. */
void sim_network_run(const struct host_constants *host, const struct hostnet_constants *constants,
	void (*body)(void *argument), void *argument);

/* Starts a thread on a host. */
struct thread *sim_network_spawn(
	uint16_t host, const char *name, void (*fn)(void *argument), void *argument);

#endif

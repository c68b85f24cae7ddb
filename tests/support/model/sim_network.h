/* A simulated world of several hosts in a network, for tests. The hosts have the constants of
 * sim_host.h. The network and the transport libraries have the constants of a shipped machine, or
 * constants that the test gives. */
#ifndef SUPPORT_SIM_NETWORK_H
#define SUPPORT_SIM_NETWORK_H

#include "hostnet/hostnet.h"
#include "sim_host.h"

/* Returns the constants of galaxy-x2. */
struct hostnet_constants sim_network_constants(void);

/* Returns constants that are round numbers. The network has 1 GB/s. Each NIC takes 100 ns, and the
 * switch takes 300 ns. Frames have 1,000 B and 100 B of overhead, bursts have 10,000 B. Lost data
 * are sent again after 1 ms. Libraries take no time and have headers of 0 B. If two ends cannot
 * reach each other for 1 s, each counts the other as lost. */
struct hostnet_constants sim_network_free_constants(void);

enum { SIM_NETWORK_HOSTS = 4 };

/* Opens the engine and a world of SIM_NETWORK_HOSTS hosts with a network, in a child process
 * (sim_case.h). Runs body(argument) on the main thread of host 0. Fails the test unless the
 * simulation ends normally. */
void sim_network_run(const struct host_constants *host, const struct hostnet_constants *constants,
	void (*body)(void *argument), void *argument);

/* Starts a thread on a host. */
struct thread *sim_network_spawn(
	uint16_t host, const char *name, void (*fn)(void *argument), void *argument);

#endif

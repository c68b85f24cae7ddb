/* The hosts of a distributed device (hosts_case.h) in a simulation. Each host has a cluster and a
 * server. The controller has a server of its own. A network connects all servers. */
#ifndef TEST_HOSTS_SIM_H
#define TEST_HOSTS_SIM_H

#include "host/constants.h"
#include "hostnet/constants.h"
#include "hosts_same.h"

enum { HOSTS_SIM_MAX = 4 };

/* A ground for struct hosts_choice. It is valid only during hosts_sim_run(). */
extern const struct hosts_ground hosts_sim_ground;

/* Simulated duration and number of events of a run. */
struct hosts_sim_end {
	int64_t simulated_ps;
	uint64_t events;
};

/* Simulates up to HOSTS_SIM_MAX hosts with executors, in a child process (sim_case.h), and runs
 * body(argument) as the main thread of the controller's host. Fails the test unless the simulation
 * ends normally. `recorder`, which may be NULL, gets the marks. */
struct hosts_sim_end hosts_sim_run(uint32_t hosts, const struct recorder *recorder,
	void (*body)(void *argument), void *argument);

/* Works like hosts_sim_run(), but with the constants that the test gives: `host` for every server,
 * and `network`. hosts_sim_run() takes these constants from sim_host.h and galaxy-x2. If `hosts` is
 * 0, there is only the controller's server. */
struct hosts_sim_end hosts_sim_run_on(uint32_t hosts, const struct host_constants *host,
	const struct hostnet_constants *network, const struct recorder *recorder,
	void (*body)(void *argument), void *argument);

/* Runs hosts_same_many() for a choice in a simulation, in a child process. Returns the simulated
 * duration and the number of events. */
struct hosts_sim_end hosts_sim_same(
	struct hosts_choice choice, uint64_t seed, struct hosts_outcome *outcome);

#endif

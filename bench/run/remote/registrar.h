/* The controller's side of executors that are commands of their own. They register, and then a
 * thread of this process stands for each of them: it keeps the other ends of the sockets that a
 * forked executor would have, so processes.c treats both alike. */
#ifndef BENCH_RUN_REGISTRAR_H
#define BENCH_RUN_REGISTRAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/client/client.h"
#include "transport/rows.h"

struct process_report;

/* The ends of a host that the registrar takes over, and closes. */
struct registrar_ends {
	int talk;   /* gets the controller's address, then requests of the state of cores */
	int output; /* is closed when the executor has ended, or is lost */
	int pulse;  /* gets bytes that are sent back when the executor has answered */
	struct process_report *report; /* complete when the executor has said how it ended */
};

/* True if executors_expect() was called. */
bool registrar_expects(void);

/* Listens, starts the commands, and waits until all hosts have an executor. Sets the members of
 * `ground` that the run's channels need: session, key, remote. Returns OK, or an error with a
 * sentence: TIMEOUT if some are missing at the deadline, CLOSED if a command has failed, others as
 * executors_token() and hub_open(). */
enum status registrar_open(
	const struct transport_row *row, struct client_ground *ground, struct text *why);

/* Takes over the ends of a host, once registrar_open() has succeeded. */
void registrar_adopt(uint32_t host, struct registrar_ends ends);

/* Starts the thread. Marks go to the recorder of the client, prints and faults to its faults. */
void registrar_start(struct client *client);

/* Writes the address at which the run's channels open: that of --listen, with a free port. */
void registrar_address(char *address, size_t size);

/* What the executor of a host calls itself: "node3.4711". */
const char *registrar_name(uint32_t host);

/* Time on cores of the executor of a host, as it has last said. */
int64_t registrar_cpu_ps(uint32_t host);

/* Stops the thread, closes everything, and ends the commands that were started. */
void registrar_close(void);

#endif

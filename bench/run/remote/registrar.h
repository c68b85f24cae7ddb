/* The controller's side of executors that are started with `meshsim executor`. When an executor has
 * registered, a thread of this process represents it. It uses the same sockets as a forked
 * executor, so processes.c treats both kinds of executors in the same way. */
#ifndef BENCH_RUN_REGISTRAR_H
#define BENCH_RUN_REGISTRAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/client/client.h"
#include "transport/rows.h"

struct process_report;

/* Ends of sockets and the report of a host. The registrar takes them over and closes them. */
struct registrar_ends {
	int talk;   /* gets the controller's address, then requests of the state of cores */
	int output; /* closed when the executor has ended or is lost */
	int pulse;  /* gets bytes, which are sent back when the executor has answered */
	struct process_report *report; /* complete when the executor has reported its end */
};

/* True if executors_expect() was called. */
bool registrar_expects(void);

/* Listens, starts the commands, and waits until all hosts have an executor. Sets the members of
 * `ground` that the run's channels need: session, key, remote. Returns OK, or an error with a
 * sentence in `why`. TIMEOUT: executors are missing at the deadline. CLOSED: a command has failed.
 * UNSUPPORTED: the run's transport cannot reach other machines. NO_MEMORY or INVALID: all other
 * errors. */
enum status registrar_open(
	const struct transport_row *row, struct client_ground *ground, struct text *why);

/* Takes over the ends of a host. Call it after registrar_open() has succeeded. */
void registrar_adopt(uint32_t host, struct registrar_ends ends);

/* Starts the thread that receives the messages of the executors. It records their marks with the
 * client's recorder, and passes their prints and faults to the client's `faults`. */
void registrar_start(struct client *client);

/* Writes the address at which the run's channels open: the address of --listen with a free port. */
void registrar_address(char *address, size_t size);

/* Returns the name that the executor of a host has given itself, like "node3.4711". */
const char *registrar_name(uint32_t host);

/* Returns the CPU time of the executor of a host, as the executor last reported it. */
int64_t registrar_cpu_ps(uint32_t host);

/* Stops the thread, closes everything, and ends the commands that were started. */
void registrar_close(void);

#endif

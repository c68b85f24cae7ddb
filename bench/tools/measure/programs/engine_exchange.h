/* The exchange that bench-engine measures: a broadcast to every chip of a mesh, passed through
 * firmware stages, a go to every core, an acknowledgement from every core, and a tree of
 * acknowledgements back. Its times do not describe a machine: they are round numbers, distinct to
 * the picosecond per chip, core and command. */
#ifndef BENCH_TOOLS_MEASURE_EXCHANGE_H
#define BENCH_TOOLS_MEASURE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { EXCHANGE_CORES = 80, EXCHANGE_STAGES = 6, EXCHANGE_CREDITS = 4 };
enum { EXCHANGE_COMMAND_BYTES = 2048, EXCHANGE_GO_BYTES = 32, EXCHANGE_ACK_BYTES = 64 };

struct exchange {
	uint32_t columns, rows; /* of the mesh of chips */
	uint32_t commands;	/* per broadcast */
	uint32_t core_events;	/* per core and broadcast, at least 3 */
	uint32_t broadcasts;	/* measured, after one warm-up */
	bool stepping;		/* the event loop never leaps */
};

/* The figures of one child process. */
struct exchange_cost {
	double cpu_s;		     /* of the measured broadcasts */
	uint64_t events, deliveries; /* of them; a delivery is one message to one receiver */
	int64_t simulated_ps;	     /* of them */
	uint64_t bytes;		     /* of memory for the model and the heap */
	uint64_t heap_high_water;
};

/* Call each of the following in a process of its own: they measure the CPU time of the process. */

/* The exchange on the engine: cores and stages are handlers on the heap, the host is an actor. */
void exchange_on_engine(const struct exchange *exchange, struct exchange_cost *cost);

/* The exchange with raw SimGrid: a host and an actor per chip and per core, and a communication per
 * message, without the firmware stages. `commands` and the mesh are as above. */
void exchange_on_simgrid(const struct exchange *exchange, struct exchange_cost *cost);

/* Wake-ups alone: events wake an actor at 1,000 distinct times, for each of `broadcasts`. */
void exchange_wakes(const struct exchange *exchange, struct exchange_cost *cost);

/* Opens the engine on a platform of one host, "host". */
void exchange_open_engine(void);

/* CPU time and resident memory of this process. */
double exchange_cpu_s(void);
uint64_t exchange_resident_bytes(void);

/* The number of children of a chip, and its parent, in the tree that starts at chip 0 and goes
 * along the first row, then down every column. */
uint32_t exchange_children(const struct exchange *exchange, uint32_t chip, uint32_t children[2]);
uint32_t exchange_parent(const struct exchange *exchange, uint32_t chip);

/* Messages delivered by one broadcast. */
uint64_t exchange_deliveries(const struct exchange *exchange);

#endif

/* The exchange that bench-engine measures: a broadcast to every chip of a mesh, handed through
 * firmware stages, a go to every core, an acknowledgement of every core, and a tree of them back.
 * Its times describe no machine: they are round numbers, distinct to the picosecond per chip, core
 * and command. */
#ifndef BENCH_ENGINE_EXCHANGE_H
#define BENCH_ENGINE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { EXCHANGE_CORES = 80, EXCHANGE_STAGES = 6, EXCHANGE_CREDITS = 4 };
enum { EXCHANGE_COMMAND_BYTES = 2048, EXCHANGE_GO_BYTES = 32, EXCHANGE_ACK_BYTES = 64 };

struct exchange {
	uint32_t columns, rows; /* of the mesh of chips */
	uint32_t commands;	/* per broadcast */
	uint32_t core_events;	/* per core and broadcast, at least 3 */
	uint32_t broadcasts;	/* measured, after one that is not */
	bool stepping;		/* the event loop never leaps */
};

/* What one child process measured. */
struct exchange_cost {
	double cpu_s;		     /* of the measured broadcasts */
	uint64_t events, deliveries; /* of them; a delivery is one message at one receiver */
	int64_t simulated_ps;	     /* of them */
	uint64_t bytes;		     /* of memory that model and heap took */
	uint64_t heap_high_water;
};

/* Both run in a process of their own, and measure CPU time of that process. */

/* On the engine: cores and stages are handlers on the heap, the host is an actor. */
void exchange_on_engine(const struct exchange *exchange, struct exchange_cost *cost);

/* With raw SimGrid: a host and an actor per chip and per core, a communication per message; without
 * the stages. `commands` and mesh as above. */
void exchange_on_simgrid(const struct exchange *exchange, struct exchange_cost *cost);

/* Wake-ups alone: an actor that an event wakes at 1,000 distinct times per `broadcasts`. */
void exchange_wakes(const struct exchange *exchange, struct exchange_cost *cost);

/* Opens the engine on a platform of one host, "host". */
void exchange_open_engine(void);

/* CPU time and resident memory of this process. */
double exchange_cpu_s(void);
uint64_t exchange_resident_bytes(void);

/* Number of children of a chip in the tree that starts at chip 0 (along the first row, then down
 * every column), and its parent. */
uint32_t exchange_children(const struct exchange *exchange, uint32_t chip, uint32_t children[2]);
uint32_t exchange_parent(const struct exchange *exchange, uint32_t chip);

/* Messages delivered by one broadcast. */
uint64_t exchange_deliveries(const struct exchange *exchange);

#endif

/* The exchange of messages that bench-engine measures. A broadcast goes through firmware stages to
 * every chip of a mesh. Every core gets a go signal and returns an acknowledgement, and the
 * acknowledgements return to the host along a tree of chips. The times are not those of a real
 * machine. They are round numbers plus a few picoseconds, whose number differs between chips, cores
 * and commands. */
#ifndef BENCH_TOOLS_MEASURE_EXCHANGE_H
#define BENCH_TOOLS_MEASURE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { EXCHANGE_CORES = 80, EXCHANGE_STAGES = 6, EXCHANGE_CREDITS = 4 };
enum { EXCHANGE_COMMAND_BYTES = 2048, EXCHANGE_GO_BYTES = 32, EXCHANGE_ACK_BYTES = 64 };

struct exchange {
	uint32_t columns, rows; /* shape of the mesh of chips */
	uint32_t commands;	/* number of commands per broadcast */
	uint32_t core_events;	/* number of events per core and broadcast, at least 3 */
	uint32_t broadcasts;	/* number of broadcasts that are measured; one broadcast more is
				 * sent before them, for warm-up */
	bool stepping;		/* the event loop never leaps */
};

/* The figures of one child process, for the measured broadcasts. */
struct exchange_cost {
	double cpu_s;		     /* CPU time */
	uint64_t events, deliveries; /* a delivery is one message to one receiver */
	int64_t simulated_ps;	     /* simulated time */
	uint64_t bytes;		     /* memory for the model and the heap */
	uint64_t heap_high_water;
};

/* Call each of the following functions in a separate process, because they measure the CPU time of
 * the whole process. */

/* Runs the exchange on the engine. Cores and stages are event handlers, and the host is an actor (a
 * simulated thread). */
void exchange_on_engine(const struct exchange *exchange, struct exchange_cost *cost);

/* Runs the exchange with raw SimGrid. Every chip and every core is a SimGrid host with one actor,
 * and every message is a communication. There are no firmware stages. The members of *exchange have
 * the same meaning as for exchange_on_engine(). */
void exchange_on_simgrid(const struct exchange *exchange, struct exchange_cost *cost);

/* Measures only wake-ups of an actor. For each of the `broadcasts` broadcasts, the actor blocks
 * 1,000 times, and each time an event wakes it. No broadcast is sent. */
void exchange_wakes(const struct exchange *exchange, struct exchange_cost *cost);

/* Opens the engine on a platform of one host, "host". */
void exchange_open_engine(void);

/* CPU time and resident memory of this process. */
double exchange_cpu_s(void);
uint64_t exchange_resident_bytes(void);

/* The chips form a tree with chip 0 as its root. The parent of a chip is the chip above it in its
 * column; in the first row, it is the chip to the left. exchange_children() writes the children of
 * a chip to `children`, and returns their number. */
uint32_t exchange_children(const struct exchange *exchange, uint32_t chip, uint32_t children[2]);
uint32_t exchange_parent(const struct exchange *exchange, uint32_t chip);

/* The number of messages that one broadcast delivers. */
uint64_t exchange_deliveries(const struct exchange *exchange);

#endif

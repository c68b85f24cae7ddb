/* Recorded transfers of the kernels of one chip, and their replay on the modelled chip. A file is a
 * JSON list of events, as tt-metal's profiler writes it for tt-npe. The events are begins of
 * kernels, reads and writes with their NoC, and begins and ends of barriers. Each has a time in
 * cycles.
 *
 * A replay keeps the recorded time from the previous transfer, or from the end of the previous
 * barrier, to the next transfer. Only the waits at barriers come from the model. They also change
 * the times of everything that follows them. */
#ifndef BENCH_TOOLS_NOC_TRACE_H
#define BENCH_TOOLS_NOC_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "platform/platform.h"

/* Only noc_trace_read_fabric() reads the last three kinds. A mark only has a time, which is
 * replayed. Waits are not in the file; bench/tools/fabric_trace adds them. */
enum noc_trace_kind {
	NOC_TRACE_READ,
	NOC_TRACE_WRITE,
	NOC_TRACE_BARRIER,
	NOC_TRACE_PACKET,
	NOC_TRACE_MARK,
	NOC_TRACE_WAIT
};

struct noc_trace_event {
	enum noc_trace_kind kind;
	bool of_writes;	  /* the barrier also waits for writes */
	uint16_t x, y;	  /* NoC coordinates of the other tile of a transfer */
	uint32_t bytes;	  /* size of a transfer */
	uint64_t at, end; /* cycles since the first kernel of the trace began; only barriers and
			   * waits have an `end` */
	struct location where;

	/* members of a packet that is sent over the fabric */
	uint32_t channel;      /* Ethernet channel of the sender */
	uint32_t hops;	       /* number of hops to the last receiver */
	bool each;	       /* all devices on the way receive the packet */
	bool increment;	       /* the packet adds 1 to a semaphore of its receivers */
	uint32_t argument;     /* number of the kernel argument that has the route */
	uint16_t counter_tile; /* tile and semaphore of an increment; TILE_AT_NONE: none */
	uint32_t counter;
	uint32_t wanted; /* number of increments of semaphore `counter` that a wait needs */
};

/* The transfers of one processor of a core. */
struct noc_trace_kernel {
	uint16_t x, y; /* NoC coordinates of the core */
	const char *processor;
	bool second_noc;       /* the kernel's transfers use NoC 1 */
	uint64_t begin;	       /* in cycles since the first kernel began */
	uint64_t end;	       /* in cycles since the first kernel began; 0: not recorded */
	const char *arguments; /* YAML lines with the kernel's key `arguments`; NULL: none */
	struct noc_trace_event *events;
	uint32_t event_count;
	struct location where;
};

struct noc_trace {
	const char *path, *name; /* `name` is the file's name without folder and ending */
	struct noc_trace_kernel *kernels;
	uint32_t kernel_count, transfer_count, barrier_count, packet_count;
	uint32_t skipped; /* number of events that are not transfers, for example semaphores */
	uint64_t cycles;  /* cycles from the first begin of a kernel to the last event */
};

/* Reads a trace. Memory comes from `arena`. Returns false with errors in `diag`. Errors are
 * malformed JSON, an event that lacks a field, a barrier that ends without a begin, a kernel that
 * uses both NoCs, and a trace without transfers. */
bool noc_trace_read(
	const char *path, struct arena *arena, struct diag *diag, struct noc_trace *trace);

/* Like noc_trace_read(), for one of several devices that are connected by the fabric. Also reads
 * packets and marks. The device may have no transfers. A kernel may use both NoCs, but is replayed
 * on the first NoC that it uses. */
bool noc_trace_read_fabric(
	const char *path, struct arena *arena, struct diag *diag, struct noc_trace *trace);

/* Lists the files of a replay. They are `path` itself, or the files *.json of the folder `path` in
 * the order of their names. Returns NULL with an error in `diag`. A folder without such files is
 * also an error. */
const char *const *noc_trace_list(
	const char *path, struct arena *arena, struct diag *diag, uint32_t *count);

/* Appends the scenario that replays the trace on a machine of one chip. The scenario's program has
 * a kernel for each processor of the trace. A kernel prints a value when it begins, and before and
 * after each barrier. If a transfer goes to a tile that programs of the machine cannot reach, this
 * is an error. Returns false with errors in `diag`. */
bool noc_trace_scenario(const struct noc_trace *trace, const struct platform *platform,
	const char *machine, struct diag *diag, struct text *yaml);

/* The ways to predict a trace: one way for each value of `model.noc`, then NOC_TRACE_PLAIN.
 * NOC_TRACE_PLAIN is a simple formula: it adds the latencies and the transfer times of each kernel,
 * and ignores other kernels. */
enum { NOC_TRACE_WAYS = 3, NOC_TRACE_PLAIN = NOC_TRACE_WAYS - 1 };

/* Returns the name of a way: "interfaces", "links" or "plain formula". */
const char *noc_trace_way(uint32_t way);

/* The predictions of one trace. Arrays have an element for each way. */
struct noc_trace_outcome {
	bool ran;
	struct text reason;	       /* why the replay did not run */
	double cycles[NOC_TRACE_WAYS]; /* from the first begin to the last event */
	double wait[NOC_TRACE_WAYS];   /* mean wait at a barrier */
	double recorded_wait;	       /* mean wait at a barrier in the trace */
};

struct noc_trace_request {
	const char *machine; /* name of the platform */
	const struct platform *platform;
	const char *folder; /* folder to keep the replays' scenarios in; NULL: none */
	uint32_t jobs;
};

/* Replays each trace in child processes. Returns false with errors in `diag`, or after a message on
 * standard error if a scenario cannot be written or a child cannot be started. */
bool noc_trace_run(const struct noc_trace *traces, uint32_t count,
	const struct noc_trace_request *request, struct noc_trace_outcome *outcomes,
	struct diag *diag);

void noc_trace_outcomes_free(struct noc_trace_outcome *outcomes, uint32_t count);

/* Prints a table on standard output. It has the errors of each way, then a line for each trace. */
void noc_trace_print(const struct noc_trace *traces, const struct noc_trace_outcome *outcomes,
	uint32_t count, const char *machine);

/* Prints the outcomes as JSON. */
void noc_trace_print_json(const struct noc_trace *traces, const struct noc_trace_outcome *outcomes,
	uint32_t count, const char *machine);

/* Returns the number of prints of a kernel. It prints when it begins, before and after each
 * barrier, and at its end. A kernel without events has no prints. Prints of a trace are numbered
 * kernel by kernel, from 0. */
uint32_t noc_trace_prints(const struct noc_trace_kernel *kernel);

#endif

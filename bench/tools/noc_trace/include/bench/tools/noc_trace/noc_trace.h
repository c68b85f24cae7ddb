/* Recorded transfers of the kernels of one chip, and their replay on the modelled chip. A file is a
 * JSON list of events, as tt-metal's profiler writes it for tt-npe. The events are begins of
 * kernels, reads and writes over a NoC, and begins and ends of barriers. Each event has a time in
 * cycles.
 *
 * A replay keeps the recorded times between transfers, and from the end of a barrier to the next
 * transfer. Only the waits at barriers come from the model. If such a wait is longer or shorter
 * than the recorded one, everything after it is shifted. */
#ifndef BENCH_TOOLS_NOC_TRACE_H
#define BENCH_TOOLS_NOC_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "platform/platform.h"

/* Only noc_trace_read_fabric() returns packets and marks. A mark has only a time, which is
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
	uint64_t at, end; /* in cycles since the first kernel of the trace began; only barriers and
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

/* Reads a trace into `arena`. Returns false with errors in `diag` if the JSON is malformed, an
 * event lacks a field, a barrier ends that has not begun, a kernel uses both NoCs, or the trace has
 * no transfers. */
bool noc_trace_read(
	const char *path, struct arena *arena, struct diag *diag, struct noc_trace *trace);

/* Like noc_trace_read(), but for a device that is connected to others by the fabric. Also reads
 * packets and marks. The device need not have transfers. A kernel may use both NoCs, but its replay
 * uses only the NoC that it uses first. */
bool noc_trace_read_fabric(
	const char *path, struct arena *arena, struct diag *diag, struct noc_trace *trace);

/* Lists the trace files of a replay. If `path` is a file, this is the only one. If it is a folder,
 * these are its files *.json, sorted by name. Returns NULL with an error in `diag`, also if the
 * folder has no such files. */
const char *const *noc_trace_list(
	const char *path, struct arena *arena, struct diag *diag, uint32_t *count);

/* Appends the scenario that replays the trace on a machine of one chip. The program of the scenario
 * has a kernel for each processor of the trace. A kernel prints a value when it begins, before and
 * after each barrier, and when it ends. Returns false with errors in `diag`, for example if a
 * transfer goes to a tile that programs of this machine cannot reach. */
bool noc_trace_scenario(const struct noc_trace *trace, const struct platform *platform,
	const char *machine, struct diag *diag, struct text *yaml);

/* The ways to predict a trace: one for each value of `model.noc`, and NOC_TRACE_PLAIN.
 * NOC_TRACE_PLAIN is a simple formula: for each kernel, it adds the latencies and the transfer
 * times, and ignores all other kernels. */
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

/* Returns the number of prints of a kernel: one when it begins, two for each barrier, and one when
 * it ends. A kernel without events has no prints. The prints of a trace are numbered from 0, kernel
 * by kernel. */
uint32_t noc_trace_prints(const struct noc_trace_kernel *kernel);

#endif

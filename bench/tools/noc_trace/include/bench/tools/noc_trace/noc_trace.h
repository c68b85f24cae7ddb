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
#include "bench/run/children.h"
#include "platform/platform.h"
#include "world/device.h"

/* Only noc_trace_read_fabric() returns packets and marks. A mark has only a time. The file has no
 * waits; bench/tools/fabric_trace adds them. */
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
	uint64_t at, end; /* times in cycles after the first kernel of the trace began; only
			   * barriers and waits have an `end` */
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
 * packets and marks. A device without transfers is no error. A kernel may use both NoCs, but its
 * replay uses only the NoC that it uses first. */
bool noc_trace_read_fabric(
	const char *path, struct arena *arena, struct diag *diag, struct noc_trace *trace);

/* Lists the trace files of a replay. If `path` is a file, it is the only one. If it is a folder,
 * these are its files *.json, sorted by name. Returns NULL with an error in `diag` if the folder
 * cannot be read or has no such files. */
const char *const *noc_trace_list(
	const char *path, struct arena *arena, struct diag *diag, uint32_t *count);

/* Appends the scenario that replays the trace on a machine of one chip. The program of the scenario
 * has a kernel for each processor of the trace. A kernel prints a value when it begins, before and
 * after each barrier, and when it ends. Returns false with errors in `diag`, for example if a
 * transfer goes to a tile that programs of this machine cannot reach. */
bool noc_trace_scenario(const struct noc_trace *trace, const struct platform *platform,
	const char *machine, struct diag *diag, struct text *yaml);

/* The ways to predict a trace: one for each value of `model.noc`, and NOC_TRACE_PLAIN.
 * NOC_TRACE_PLAIN is a simple formula that predicts each kernel by itself, from the rate of a tile
 * and the latency of the NoC. It ignores what all other kernels do at the same time. */
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

/* These functions run the scenario of a replay in a child process, and read the times at which its
 * kernels printed from the part file that the child has written. */

/* Writes a scenario. Returns false after a message on standard error. */
bool replay_write(const char *path, const struct text *yaml);

/* For struct children_ops: returns the time limit of a replay in s. */
uint32_t replay_limit(void *context, uint32_t number);

/* Appends the reason why a replay failed, unless `reason` already has a reason. */
void replay_say_why(const struct child_end *end, struct text *reason);

/* Runs the scenario in file `path`, and writes its part file to `part`. If `set` is not NULL, it is
 * KEY=VALUE, and changes this key before. Call it only in a child process, because it frees no
 * memory. */
void replay_run(const char *path, const char *set, const char *part);

/* Returns an array with the times of prints 0 to count - 1, in cycles. The time is NAN for a
 * missing print. The caller frees the array. */
double *replay_prints(const char *part, uint32_t count, double cycle_ps);

/* Writes the kernels of replays into scenarios, for replays of one chip and of several chips. */

struct writing {
	const struct chip_geometry *geometry;
	struct diag *diag;
	struct text *yaml;
	uint64_t compute, load, post, send, print; /* cycles of an instruction of each class */
	uint64_t at;	 /* time in the trace at which the next instruction begins */
	uint64_t delay;	 /* cycles before each kernel begins */
	uint32_t number; /* number of the next print */
	bool dram;	 /* r5 holds an address in DRAM */
	bool second_noc; /* the current kernel uses NoC 1 */

	/* The trace has several chips. If set, a tile that programs cannot reach is replaced by the
	 * nearest worker, and DRAM tiles may have the coordinates that NoC 1 uses. */
	bool fabric;
	bool (*is_core)(void *context, uint16_t x, uint16_t y); /* kernels of the trace run there */
	void *context;
};

struct writing writing_of(const struct platform *platform, struct diag *diag, struct text *yaml);

/* Appends a kernel to the list `kernels` of a program. Returns false with errors in `diag`. */
bool writing_kernel(struct writing *writing, const struct noc_trace_kernel *kernel);

/* Returns the tile that an event names, or TILE_AT_NONE if the machine has no tile there. A trace
 * with a fabric has two special cases. The coordinates may be those of a DRAM tile on NoC 1
 * (`second_noc`). If the tile is neither a DRAM tile nor a worker, returns the nearest worker
 * instead. */
uint16_t writing_tile(const struct writing *writing, const struct noc_trace_event *event);

/* Sets *column and *row to the place of the worker at (x, y) in the worker grid. If the tile there
 * is no worker, and the trace has a fabric, takes the nearest worker instead. Returns false if
 * (x, y) has no tile, or if its tile is no worker and the trace has no fabric. */
bool writing_worker(
	const struct writing *writing, uint16_t x, uint16_t y, uint32_t *column, uint32_t *row);

/* Returns the number of bytes of the largest transfer or packet, rounded up to 16. */
uint32_t noc_trace_most_bytes(const struct noc_trace *trace);

#endif

/* Result files. They are HDF5 files with the layout documented here; h5/reader.h has its version.
 * Each `meshsim run` writes one file. The same scenario gives the same bytes, except in /host.
 *
 * A seal (base/hash.h) follows HDF5's own bytes, so that damaged files are detected. It contains
 * the scenario's hash in a result file, and the run's identity in a part. Files of layout 1 have no
 * seal.
 *
 * Every table is a one-dimensional compound dataset (chunked, shuffle + deflate 1). Names of
 * columns are valid Python identifiers. Many columns contain a key of the scenario or a figure. If
 * the name of the key or figure is not an identifier, the attribute "key:COLUMN" has this name. For
 * example, "key:runtime_completion" is "runtime.completion". The attribute "unit:COLUMN" has the
 * unit of a column: "ps", "B", "B/s", "1/s", "cycles", "1" (a count, an index, a flag or a ratio)
 * or "text". Text columns are NUL-padded UTF-8. Attributes and scalar texts are variable-length
 * UTF-8.
 *
 * Times are whole numbers of picoseconds since the start of the world. If a time can be missing,
 * its column has doubles, and NaN means that the time is missing. Doubles are exact up to 2^53 ps,
 * which is two and a half hours. If some runs lack a swept key, its column of numbers also has
 * doubles, with NaN for these runs. A missing text is empty. Integers are never missing: a count is
 * 0 if there is nothing to count. The few integers with a special value for "none" are listed
 * below.
 *
 *   /                attributes layout_version, meshsim_version, git_commit, build,
 *                    simgrid_version, hdf5_version, scenario_name, scenario_description, world
 *                    ("sim" or "native"; native runs have the times of this machine),
 *                    scenario_hash, swept_keys (names separated by newlines), run_count
 *   /host            the only part that differs between runs. Attributes created,
 *                    command_line, machine, cores, jobs, wall_s, cpu_s; dataset `runs`: run,
 *                    wall_s, cpu_s, peak_bytes
 *   /model_errors    text, YAML: how far simulated figures are from measured figures, a copy of
 *                    bench/reference/errors.yaml; missing without that file
 *   /summary         a row per run, see below
 *   /ops             a row per operation of any run, see below
 *   /runs/NNNNNN     one group per run, counted from 0 in the order of the sweep:
 *     attributes     scenario_hash, seed, status, message, world, simgrid_configuration, and the
 *                    totals of struct run_totals below. ops_first and ops_count give the rows of
 *                    the run in /ops; a run that recorded nothing does not have them
 *     scenario       text: the effective scenario, YAML
 *     platform       text: the effective platform, YAML
 *     metrics        a row per kind of operation and metric: percentiles (struct metric_row)
 *     kinds          a row per kind of operation: counts and throughput (struct kind_row)
 *     histograms     non-empty log-linear buckets (struct histogram_row)
 *     links          a row per direction of a PCIe or fabric link (struct link_row); with
 *                    `model.noc: links` also of the 16 busiest NoC links of each chip
 *     threads        a row per simulated host thread (struct thread_row)
 *     work           a row per kind of host work: units done (struct work_row)
 *     queues         a row per port, ring or queue that can fill (struct queue_row)
 *     memory         a row per mesh and kind of memory (struct memory_row)
 *     cores          a row per firmware or kernel processor (struct core_row)
 *     paths          a row per operation, metric and stage of its path (struct path_row)
 *     stages         the labels of the stages in paths (struct stage_row)
 *     charges        a row per constant that was charged, step and metric (struct charge_row)
 *
 * A run that did not release all objects before a mesh was closed has
 *     left           a row for each such object (struct left_row)
 *
 * A native run with a process for each host has
 *     opening        one row: the time of joining, and of the proof of the key (struct
 *                    opening_row)
 *
 * A run whose kernels print has
 *     prints         a row per printed value, at most measure.prints (struct print_row)
 *     print_counts   one row: the number of prints (struct print_count_row)
 *
 * A run with log lines (measure.log) has
 *     log            a row per line, at most measure.log.lines (struct log_row)
 *     log_counts     one row: the number of lines (struct log_count_row)
 *
 * A run with steps that save what they read (key `save`) has
 *     saved          a row for each of these steps (struct saved_row)
 *     saved_NAME     the values, one row each: column `value`
 *
 * A run that did not finish has
 *     watcher        a row per processor of cores in the same state (struct watch_row)
 *
 * A run with `measure.trace` has these tables of the chosen operations (model/watch):
 *     trace_tracks   a row per path, chip, processor, link, thread, queue (struct trace_track_row)
 *     trace_slices   a row per span of time on a track (struct trace_slice_row). The slices of a
 *                    path cover the time from the call to the end of the operation's latency. The
 *                    slices of a chip are between marks of one operation. All other slices are in
 *                    the windows of all chosen operations
 *     trace_labels   names of slices (struct trace_label_row)
 *     trace_depths   a row per change of a queue's depth (struct trace_depth_row). The depth is 0
 *                    at the end of a window
 *
 * /summary has the columns run, status and seed. Next is a column for each swept key. Its type fits
 * all values of the key: 64-bit integer, double or text. A key that is swept by maps has a column
 * per leaf, and a swept `seed` has the column seed. Next are the totals of a run
 * (bench/results/total.def). The last columns are for each kind K of operations (write_buffer,
 * enqueue_workload, ...). If several steps have a kind, there are also columns for each step
 * "KIND/NAME". The columns are K_count, K_throughput (1/s), K_bandwidth (B/s, 0: no payload), and
 * for each metric M K_M_p50, _p90, _p99, _p99_9, _max (ps). Their keys are "K.count", "K.M.p50".
 *
 * /ops has the rows of all runs in order, and the rows of a run in the order of its calls. The
 * columns are run, status, seed and the swept keys, as in /summary; operation (from 1 in each run)
 * and kind; step (its place in the scenario and its kind, "workload.0.do.1 finish"); program (the
 * name of the launched program, or of a binary's operation); name (the name of the step: `as`, or
 * the program if no other step has it, or the place); step_number; the columns of struct op_row up
 * to `others_complete`; metrics in ps, missing if the operation has none; build_time and so on; the
 * marks. The metrics are host, reach, skew, done and latency (analysis/metrics/metric.def),
 * completion and round. Completion is the time from the call until the host knew that the operation
 * was complete. The host knows this from its end, or from that of a later operation of its queue,
 * or of a queue that waited for an event after it. Round is the time to its step's next call.
 *
 * A part is the file of one run. It has the group `run`, and the operations in raw form: `ops` has
 * rows of struct op_row; `steps`, `programs` and `names` have texts by number of step. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/metrics/operation.h"
#include "base/output.h"
#include "base/status.h"
#include "bench/results/table.h"
#include "h5/reader.h"
#include "world/world.h"

enum { SUBJECT_BYTES = 160, MESH_NAME_BYTES = 24, STEP_NAME_BYTES = 128 };

/* The record of an operation. In files, each mark (lists/mark.def) has three columns, such as
 * "called_first", "called_last" and "called_count". */
struct op_row {
	uint32_t operation;   /* number from 1, in the order of the calls */
	char kind[24];	      /* kind of the workload step */
	char program[32];     /* operation of a model binary; "": that of the step, if any */
	uint32_t step_number; /* number of the step in the order of the scenario's file, from 0;
			       * rounds of gathers and captures have further numbers */
	uint32_t iteration;   /* how often the step had run before */
	uint8_t warmup;	      /* 1: the operation does not count in metrics */
	uint8_t queue;	      /* virtual command queue */
	uint8_t mesh_number;  /* number of the mesh in the scenario's file, from 0 */
	uint8_t part;	      /* 1: records an event on only some of the mesh's devices */
	uint8_t sub_devices;  /* bitmap of the sub-devices that it uses or waits for; 0: all */
	uint32_t awaits;      /* operation that recorded the event its queue waits for; 0: none */
	char mesh[MESH_NAME_BYTES]; /* name of the mesh; "": it has none */
	char thread[32];	    /* name of the calling host thread */
	uint64_t bytes;		    /* number of payload bytes that were moved; 0: none */
	int64_t arrival;	    /* open loop: time at which the call was due; otherwise -1 */
	/* CPU time of all host threads at CALLED, at RETURNED, and at the end, and the part of it
	 * that belongs to threads that serve other meshes; -1: unknown */
	int64_t cpu_called, cpu_returned, cpu_complete;
	int64_t others_called, others_returned, others_complete;
	/* The time from CALLED to the last DOORBELL is divided at every mark BUILT, EXPECTED,
	 * COPIED and DOORBELL. Each member is the sum of the pieces that end with the mark of the
	 * same name, since a loop over devices passes these marks many times. */
	int64_t build_time, expect_time, copy_time, doorbell_time;
	struct op_mark marks[MARK_POINT_COUNT];
};

struct metric_row {
	char kind[SUBJECT_BYTES];
	char metric[16];
	uint64_t count;
	int64_t p50, p90, p99, p99_9, max, min;
	double mean;
};

struct kind_row {
	char kind[SUBJECT_BYTES]; /* "KIND", or "KIND/NAME" of a step */
	uint64_t operations;	  /* number of measured operations, without those of the warm-up */
	uint64_t warmup;
	int64_t first, last; /* times of the first measured call and last completion */
	/* Completed operations per second in the steady part of the run (steady_find()). If that
	 * part has too few operations, the whole run counts. 0 if fewer than two operations were
	 * completed. */
	double throughput; /* operations per simulated second */
	uint64_t bytes;
	double bandwidth; /* payload bytes per simulated second of transfer */
};

struct histogram_row {
	char kind[SUBJECT_BYTES];
	char metric[16];
	int64_t lower, upper; /* the bucket holds values v with lower <= v < upper */
	uint64_t count;
};

struct link_row {
	char name[48];	  /* name of the link, like "chip-3 east" */
	char kind[16];	  /* "pcie", "fabric", "network"; "noc": see model.noc */
	int32_t from, to; /* numbers of chips; -1: the host */
	uint64_t bandwidth;
	uint64_t bytes; /* number of bytes on the wire */
	uint64_t payload, messages;
	int64_t busy, waited; /* time in use; sum of the messages' waits for the link */
	int64_t blocked;      /* sum of the times that messages waited for space at its far end */
	double utilization;   /* busy / simulated time */
};

struct thread_row {
	char name[48];
	uint16_t host;
	int64_t started, ended; /* `ended` is -1 if it lives at the end of the run */
	/* the time from start to end is busy + spinning + switching + waiting + parked */
	int64_t busy;	   /* time of computing, copying and stalls on loads */
	int64_t copying;   /* part of `busy` */
	int64_t spinning;  /* time on a core while waiting */
	int64_t switching; /* time on a core for context switches and wake-ups */
	int64_t waiting;   /* time without a core while runnable */
	int64_t parked;	   /* time blocked or asleep */
	uint64_t switches, preemptions;
	uint64_t wakes_spin, wakes_hot, wakes_idle, wakes_queued; /* see host/statistics.h */
	uint64_t polls;
};

/* Times of the hosts of a native run, as mean and maximum over the hosts. `opening` is the time
 * from the start of the connection until the host had joined. `proof` is the part of this time in
 * which controller and host proved to each other that they have the run's key. */
struct opening_row {
	uint32_t hosts;
	int64_t opening, opening_most;
	int64_t proof, proof_most;
};

struct work_row {
	char work[48]; /* kind of work, or "copy FROM>TO" */
	char unit[96];
	uint64_t units;
};

struct queue_row {
	char name[64];
	int32_t chip; /* number of the chip; -1: none */
	uint32_t capacity, high_water;
	uint32_t waiting_high_water; /* most requests that waited for space at the same time */
	uint64_t taken, blocked;     /* number of requests; number of blocked requests */
	int64_t blocked_time;
};

/* The state of the allocator of one kind of memory after the last step. A mesh allocates the same
 * addresses in all banks or workers, so one row describes all of them. */
struct memory_row {
	char name[64]; /* "DRAM bank"; with several meshes "DRAM bank of left" */
	uint64_t total, taken, free, largest_free, peak; /* bytes; `peak`: the most ever taken */
	uint64_t lowest;				 /* lowest taken address, or the end */
	uint32_t allocations;				 /* allocations that were not freed */
	uint32_t free_blocks;
	double fragmentation; /* fraction of free memory outside of the largest free block */
};

struct core_row {
	uint16_t chip, tile;
	uint8_t processor;
	char role[24];
	uint64_t steps, busy_cycles;
	int64_t busy, blocked; /* `blocked`: could not continue, but was not idle */
	double utilization;
};

/* The time of an operation's metric that was spent in one stage of the operation's path. */
struct path_row {
	uint32_t operation;
	uint8_t metric; /* index in metric.def; then completion, round, interval */
	uint8_t stage;	/* index of the row in `stages` */
	int64_t time;
};

/* How often a constant was charged to operations of a step, and for how long. Counts only charges
 * on the critical paths of the metric `metric`, and no warm-up operations. A row without a constant
 * has the number and the total length of these paths. `metric` can also be "interval": the path
 * leads from the completion of the previous operation to the completion of this operation.
 * "late_interval" is the same, without the first intervals of a run. In a row with the metric
 * "all", all charges to all operations of a kind count, on paths or not; this row has no step. */
struct charge_row {
	char kind[24];
	char step[STEP_NAME_BYTES]; /* name of the step, as in "KIND/NAME"; may be cut */
	char metric[16];
	char constant[56];
	uint64_t count;
	int64_t time;
};

struct stage_row {
	char label[32];
};

enum { TRACE_LABELS_MAX = 1024 };

struct trace_label_row {
	char label[64];
};

/* A track. Slices and depths refer to tracks by row number, from 0. */
struct trace_track_row {
	char name[64];
	char kind[16]; /* path, chip, processor, link, thread, queue */
	int32_t chip;  /* number of the chip; -1: none */
};

struct trace_slice_row {
	uint32_t operation; /* operation to which the slice belongs; 0: none */
	uint32_t track;
	uint16_t label;
	int64_t start, end;
};

struct trace_depth_row {
	uint32_t track, depth; /* depth of the queue from this time on */
	int64_t at;
};

/* An object that a step created and that was not released before its mesh was closed. */
struct left_row {
	char kind[16]; /* kind of object: buffer, tensor, workload, collective, trace, event */
	char name[64]; /* name of the object; "": it has none */
	char mesh[MESH_NAME_BYTES];
	char place[160]; /* place of the step, like "quad.yaml:31" */
	uint64_t bytes;	 /* total size over all banks, workers or hosts */
};

/* A print of a kernel. Prints are in the order of time. */
struct print_row {
	int64_t time; /* native world: time of the machine that ran the kernel */
	uint32_t operation, chip;
	uint16_t tile;
	char processor[8];
	uint32_t instruction; /* number of the instruction in the kernel */
	uint32_t number;      /* number of the print; for a tile, number of the element */
	char what[16];	      /* source of the value, like "r3" or "buffer 0" */
	double value;	      /* NAN: the value is not simulated */
};

struct print_count_row {
	uint64_t printed, kept;
};

/* A log line (world/world.h). Lines are in the order of time. */
struct log_row {
	int64_t time; /* native world: time of the machine that ran the thread */
	uint32_t host;
	uint64_t number; /* number in the order of logging */
	char thread[48], type[16], level[8];
	char text[160];
};

struct log_count_row {
	uint64_t logged, kept;
};

/* A step that saved data. The table saved_NAME of the run has the values. */
struct saved_row {
	char name[40];
	char element[16]; /* type of the elements that were read, like "bf16" */
	char shape[64];	  /* "64 x 128"; the values are in this order, the last dimension first */
	uint64_t count;	  /* values */
};

/* The state of a processor at the end of a run that did not finish. Cores in the same state form a
 * group. Groups are numbered from 0, and a group has a row for each processor of a core. Only some
 * groups are kept. One row, with the state "others", counts the cores of all other groups. */
struct watch_row {
	uint32_t group, cores, chip_count;
	char chips[40], tiles[40]; /* ranges of numbers, like "0-63" */
	char processor[24];	   /* role of the processor; "all" if all processors are idle */
	char state[8];		   /* idle, runs, waits, halted, others */
	int32_t instruction;	   /* number of the instruction in the kernel that the processor
				    * executes; -1: it executes none */
	char at[64];		   /* text of the instruction */
	char waits[128];	   /* what the processor waits for, or why it halted */
	uint32_t waypoint;	   /* last value of the instruction `waypoint`; 0: none */
};

/* Status of a run, in /summary and in its attributes. */
#define RUN_STATUS_OK	   "ok"
#define RUN_STATUS_STALLED "stalled" /* the simulated system stalled; `message` has the report */
#define RUN_STATUS_LIMIT   "limit"   /* a bound of `limits` was reached */
#define RUN_STATUS_HAZARD  "hazard"  /* failed by a known hazard of a choice */
#define RUN_STATUS_REFUSED "refused" /* the input is wrong, or does not fit the machine */
#define RUN_STATUS_FAILED  "failed"  /* verification failed, or the child crashed: a bug */
#define RUN_STATUS_LOST	   "lost"    /* killed from outside, or out of memory */

enum { RUN_TABLES_MAX = 64 };

/* Totals of a run: attributes of its group, columns of the summary. */
struct run_totals {
#define X(member, name, unit, what) uint64_t member; /* `what` is the description in total.def */
#include "bench/results/total.def"
#undef X
};

/* All results of one run. Its creator owns the data. */
struct run_record {
	uint64_t seed, scenario_hash;
	uint64_t identity; /* identity of the part that contains the record */
	const char *status, *message, *world, *simgrid_configuration;
	const char *scenario, *platform; /* both as YAML */
	struct run_totals totals;
	const struct op_row *ops; /* NULL: no operations were recorded */
	uint32_t op_count;
	/* [step] its place and kind; [step] its program, or ""; [step] its name */
	const char *const *steps, *const *programs, *const *names;
	uint32_t step_count;
	uint32_t table_count;
	struct table tables[RUN_TABLES_MAX]; /* all other tables */
};

/* Layouts of the rows above; the caller sets `rows` and `row_count`. */
struct table results_ops(void);
struct table results_metrics(void);
struct table results_kinds(void);
struct table results_histograms(void);
struct table results_links(void);
struct table results_threads(void);
struct table results_work(void);
struct table results_queues(void);
struct table results_memory(void);
struct table results_cores(void);
struct table results_paths(void);
struct table results_charges(void);
struct table results_stages(void);
struct table results_trace_tracks(void);
struct table results_trace_slices(void);
struct table results_trace_labels(void);
struct table results_trace_depths(void);
struct table results_watcher(void);
struct table results_left(void);
struct table results_opening(void);
struct table results_prints(void);
struct table results_print_counts(void);
struct table results_log(void);
struct table results_log_counts(void);
struct table results_saved(void);

/* Adds `table` with `count` rows to the record; the caller keeps ownership of the rows. */
void record_table(struct run_record *record, struct table table, const void *rows, uint64_t count);

/* Initialises the HDF5 library, which writes files. If a process calls this before it forks
 * writers, the writers need not initialise the library. */
void results_start(void);

/* Writes the record of one run to the file `path`. Writes to a temporary file, flushes it to disk
 * and renames it to `path`, so that `path` never is an incomplete file. Returns OK, or IO with
 * errno set. */
enum status results_write_part(const char *path, const struct run_record *record);

/* One run of a file to be merged. If the run has no part, its record is written instead. */
struct merge_run {
	const char *part; /* path of the part, or NULL */
	const struct run_record *record;
};

/* Data common to all runs. */
struct merge_head {
	const char *scenario_name, *scenario_description, *world;
	const char *swept_keys;
	const char *model_errors; /* NULL: no errors are known */
	uint64_t scenario_hash;
	struct table summary;
	uint32_t shared_columns; /* number of the summary's first columns that are also in /ops */
	/* /host */
	const char *created, *command_line, *scenario_file, *machine;
	uint64_t cores, jobs;
	double wall_s, cpu_s;
	struct table host_runs;
};

/* The kind of files that a merged file may replace. */
extern const struct output_kind results_output;

/* Merges parts into `path`. Writes to `temporary`, which must be on the same file system, flushes
 * it to disk and renames it to `path`. Returns OK or IO. After IO, `path` is unchanged and
 * `temporary` is removed. */
enum status results_merge(const char *path, const char *temporary, const struct merge_head *head,
	const struct merge_run *runs, uint32_t run_count);

/* Summary of a part, used for /summary and for --resume. */
struct part_summary {
	uint64_t seed, scenario_hash;
	char status[16];
	char message[256];
	struct run_totals totals;
	struct metric_row *metrics;
	struct kind_row *kinds;
	struct work_row *work;
	uint32_t metric_count, kind_count, work_count;
};

/* Reads a part into *summary. Returns OK or NOT_FOUND. Returns INVALID if the part is incomplete,
 * or does not belong to the run with `identity`. */
enum status results_read_part(const char *path, uint64_t identity, struct part_summary *summary);

/* Frees metrics, kinds and work. */
void part_summary_fini(struct part_summary *summary);

/* Sets *scenario_hash to the hash of the scenario of a merged file. Returns OK or NOT_FOUND.
 * Returns INVALID if the file is damaged or has layout 1. */
enum status results_read_hash(const char *path, uint64_t *scenario_hash);

/* A row of /summary: RUN_STATUS_... */
struct run_status {
	char status[16];
};

/* Sets *rows to the statuses of the runs of a merged file, in order, and *count to their number.
 * The caller frees *rows with free(). Returns OK, or INVALID if the file has no statuses. */
enum status results_read_statuses(const char *path, struct run_status **rows, uint32_t *count);

#endif

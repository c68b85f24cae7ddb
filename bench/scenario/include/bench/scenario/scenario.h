/* Scenario files. A scenario is one YAML file. The schemas in scenario_schema.c (keys.def) and
 * step_schema.c describe its keys, and how they are stored in the structs of this header; `meshsim
 * schema` prints the same schemas as JSON Schema. A file with a sweep describes several runs, each
 * with its own effective tree and scenario. All errors of a file are reported at once. */
#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/schema.h"
#include "base/tree.h"
#include "bench/scenario/collective_keys.h"
#include "bench/scenario/key_structs.h"
#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "mesh/config.h"
#include "mesh/program.h"
#include "world/bounds.h"
#include "mesh/sub_device.h"

enum {
	SCENARIO_VERSION = 1,
	SCENARIO_RUNS_MAX = 10000,	   /* most runs of a sweep: points times seeds */
	SCENARIO_OPERATIONS_MAX = 1000000, /* most operations of one run, with repeats expanded */
	SCENARIO_STEPS_MAX = 10000,
	SCENARIO_SEEDS_MAX = 1000,
	SCENARIO_MESHES_MAX = 16,
	STEP_ALL_MESHES = SCENARIO_MESHES_MAX, /* this number of a mesh stands for all meshes */
	SCENARIO_SAVED_MAX = 32,	       /* most steps that save what they read */
	TRACE_OPERATIONS_MAX = 256,	       /* most traced operations of a run */
};

#define KEY(owner, kind, type, member, ...) type member;

/* runtime.forward.initiators: N | a choice of its registry */
struct initiators_keys {
	uint32_t count;
	const struct initiators_ops *per; /* NULL: there are `count` initiators */
};

/* runtime.forward.initiator_chips: a list of [row, column] */
struct initiator_chips_keys {
	struct mesh_offset *chips; /* allocated in the arena of the scenario; NULL: not given */
	uint32_t count;
};

struct forward_keys {
#define KEYS_FORWARD
#include "bench/scenario/keys.def"
};

struct host_keys {
#define KEYS_HOST
#include "bench/scenario/keys.def"
};

struct mesh_keys {
	const char *name;     /* name of the mesh; NULL: the only mesh, which has no name */
	uint16_t shape[3];    /* the third extent is 1 */
	uint32_t shape_count; /* 0: the mesh has all chips of the platform */
	uint16_t offset[3];
	uint32_t offset_count;
	struct location where;
};

struct size_keys {
#define KEYS_SIZES
#include "bench/scenario/keys.def"
};

struct fabric_keys {
#define KEYS_FABRIC
#include "bench/scenario/keys.def"
};

enum bring_up { BRING_UP_READY, BRING_UP_TIMED };
enum traces { TRACES_OFF, TRACES_REPLICATED, TRACES_SHARDED };
enum host_clients { CLIENTS_ONE, CLIENTS_PER_MESH };

struct runtime_keys {
#define KEYS_RUNTIME
#include "bench/scenario/keys.def"
	struct mesh_keys *meshes; /* NULL: there is only `mesh` */
	uint32_t mesh_count;
	struct sub_device_keys *sub_devices; /* in the order of the file */
	uint32_t sub_device_count;	     /* 0: devices are not divided when a mesh opens */
	struct division_keys *divisions;     /* divisions that only steps load */
	uint32_t division_count;
};

enum cores_model { CORES_EACH, CORES_CHIP };
enum noc_model { NOC_INTERFACES, NOC_LINKS };
struct model_keys {
#define KEYS_MODEL
#include "bench/scenario/keys.def"
};

/* The operations whose course is recorded; none if `operations` is NULL and `slowest` is 0. */
struct trace_keys {
	const struct tree_node *operations; /* list of numbers, names of steps and kinds; or NULL */
	uint32_t slowest;		    /* number of slowest operations to record */
};

/* The lowest level to keep for each type of log lines. LOG_LEVEL_COUNT means that no line of this
 * type is kept. */
struct log_keys {
#define X(name, word, what) uint32_t word;
#include "lists/log.def"
#undef X
	uint32_t lines; /* most lines to keep */
};

/* Sets least[type] to the lowest level that is kept of each type (world/world.h). */
void log_keys_least(const struct log_keys *keys, enum log_level least[LOG_TYPE_COUNT]);

struct measure_keys {
	struct trace_keys trace;
	struct log_keys log;
	uint32_t warmup;       /* number of operations of each kind to leave out */
	uint32_t verify_cores; /* number of workers per program whose L1 is compared */
	bool verify;
	uint32_t prints;	  /* most prints of kernels that are kept */
	bool kernels;		  /* cores print when their kernels start and end */
	const char *metric;	  /* NULL: the program chooses the metric */
	uint32_t objective_count; /* number of elements; only the analysis uses the elements */
	uint32_t seeds;		  /* seeds per point; with `precision`, the most seeds per point */
	double precision;	  /* wanted precision, a fraction; 0: there are `seeds` seeds */
};

struct limit_keys {
#define KEYS_LIMITS
#include "bench/scenario/keys.def"
};

#undef KEY

/* ---- steps ---- */

enum step_kind {
	STEP_REPEAT,
	STEP_WRITE_BUFFER,
	STEP_READ_BUFFER,
	STEP_ENQUEUE_WORKLOAD,
	STEP_RECORD_EVENT,
	STEP_WAIT_EVENT,
	STEP_FINISH,
	STEP_TRACE,
	STEP_REPLAY_TRACE,
	STEP_RELEASE_TRACE,
	STEP_FABRIC_PING,
	STEP_FABRIC_TRAFFIC,
	STEP_WRITE_TENSOR,
	STEP_READ_TENSOR,
	STEP_CLOSE_MESH,
	STEP_OPEN_MESH,
	STEP_COLLECTIVE,
	STEP_FREE_BUFFER,
	STEP_THINK,
	STEP_LOAD_SUB_DEVICES,
	STEP_CLEAR_SUB_DEVICES,
	STEP_RUN_MODEL,
	STEP_BRING_UP,
	STEP_KIND_COUNT
};

/* Name of a kind of step, as in the file. */
const char *step_name(enum step_kind kind);

struct step;
struct kernel_text;

enum arrivals { ARRIVALS_CONSTANT, ARRIVALS_POISSON };

struct repeat_step {
	uint32_t times;
	double rate_per_s; /* open loop: iterations per second; 0: iterations wait for each other */
	uint32_t arrivals; /* enum arrivals */
	struct step *steps;
	uint32_t step_count;
};

/* Steps that are captured once and replayed. */
struct trace_step {
	struct repeat_step body; /* steps to capture, `times` times */
	const char *name;	 /* used by replay and release steps; NULL: none */
	uint32_t replays;
	uint32_t queue;
	bool blocking;
	struct location name_where;
};

/* Replay of a trace that has been captured. */
struct replay_step {
	const char *trace;
	const struct step *captured; /* the step that captures it; NULL: none, an error */
	uint32_t times;
	uint32_t queue; /* UINT32_MAX: the queue of `captured` */
	bool blocking;
	struct location trace_where;
};

struct release_step {
	const char *trace;
	const struct step *captured;
	struct location trace_where;
};

/* A rectangle of devices. */
struct devices_keys {
	uint16_t offset[3], shape[3]; /* the third extent is 1 */
	uint32_t offset_count, shape_count;
};

/* Reports an error at `where` if `shape` has more than one layer, or if `offset` is not in layer 0.
 * Ranges of devices have three dimensions (spec 3.4.2), but a mesh has only one layer. `what` names
 * the range in the error. */
void check_layers(struct diag *diag, struct location where, const char *what,
	const uint16_t shape[3], uint32_t shape_count, const uint16_t offset[3]);

/* Returns the devices that `keys` selects in a mesh of this shape. If `keys` is NULL, returns all
 * devices. */
struct device_range devices_range(const struct devices_keys *keys, struct mesh_shape shape);

/* The images of a convolution and its kernel. Each array has two elements, height and width. If
 * `size` is not given, it is the size of the images in the input tensor. */
struct image_keys {
	uint32_t size[2], kernel[2], stride[2], padding[2], dilation[2], groups;
	uint32_t size_count, kernel_count, stride_count, padding_count, dilation_count;
};

enum arguments_kind {
	ARGUMENTS_FRESH, /* new values at every enqueue */
	ARGUMENTS_KEPT	 /* the values of the first enqueue */
};

/* The groups of devices that get the same arguments. */
enum arguments_per { ARGUMENTS_PROGRAM, ARGUMENTS_ROW, ARGUMENTS_COLUMN, ARGUMENTS_DEVICE };

/* Processors of a worker, and one more number for the processor of an Ethernet core. */
enum { STEP_ETHERNET = PROCESSOR_COUNT, STEP_PROCESSOR_COUNT };

/* A buffer of a program whose kernels act. */
struct port_keys {
	const char *port, *buffer; /* name in the program; name in the scenario */
	struct location where;
};

/* A program and the devices that it runs on. */
struct program_keys {
	const char *program;
	uint32_t library;		/* row of programs/library.h, from 1; 0: filler */
	uint32_t element;		/* enum element: the type of the program's values */
	uint32_t tiles[3], tiles_count; /* rows, columns, inner extent; count 0: not given */
	uint32_t slice[4], slice_count; /* first row, first column, number of rows, number of
					 * columns; count 0: not given */
	struct image_keys *image;	/* NULL: not given */
	struct port_keys *buffers;	/* only for a program whose kernels act */
	uint32_t buffer_count;
	struct kernel_keys *kernels; /* kernels with instructions in the file */
	uint32_t kernel_count;
	const char *sub_device; /* `cores` is relative to this sub-device; NULL: relative to the
				 * whole grid */
	struct cores cores;	/* relative to the whole grid after steps_find_sub_devices() */
	const struct devices_keys *devices;		/* NULL: all devices */
	uint32_t kernel_bytes;				/* size of each processor's binary */
	uint32_t processor_bytes[STEP_PROCESSOR_COUNT]; /* sizes of single ones; 0: kernel_bytes */
	bool processors[STEP_PROCESSOR_COUNT];
	struct cores ethernet_cores;		    /* only if processors[STEP_ETHERNET] is set */
	uint32_t runtime_args, common_runtime_args; /* arguments of a kernel: number per core, and
						     * number that all its cores share */
	uint32_t circular_buffers, circular_buffer_bytes, circular_buffer_pages;
	uint32_t arguments;	/* enum arguments_kind */
	uint32_t arguments_per; /* enum arguments_per */
	uint32_t circular_buffer_groups, kernel_groups, semaphores;
	uint32_t pages;	       /* number of pages in a pipeline; 1: no pipeline */
	uint64_t run_ns;       /* duration of the kernels; in a pipeline, of each page */
	double imbalance;      /* how much shorter the shortest core runs, a fraction */
	struct location where; /* place of the program in a list of programs */
	struct location cores_where, kernel_bytes_where, devices_where, circular_buffers_where,
		runtime_args_where, kernel_groups_where, circular_buffer_groups_where,
		sub_device_where, library_where, processors_where, ethernet_cores_where,
		element_where, tiles_where, slice_where, image_where, imbalance_where,
		processor_bytes_where;
	uint32_t sub_device_number; /* sub-device of `cores`, from 1, set by the check; 0: none */
	uint32_t division; /* the division that the program is made for, set by the check */
};

/* Returns true if the kernels of the program act: they execute instructions that use the values of
 * their arguments. All other kernels are filler, which only takes time. */
bool program_acts(const struct program_keys *program);

/* cores_have() returns true if `core` is in the set. kernel_runs_on() returns true if `core` is in
 * the program and runs this kernel. `core` is the number of a worker; workers are numbered row by
 * row in a grid with `columns` columns. */
bool cores_have(const struct cores *cores, uint32_t columns, uint32_t core);
bool kernel_runs_on(const struct program_keys *program, const struct kernel_keys *kernel,
	uint32_t columns, uint32_t core);

/* Returns true if the kernels of a program of these steps act. */
bool steps_act(const struct step *steps, uint32_t count);

/* Reads the instructions of a program's kernel into `text`; the caller calls kernel_text_fini().
 * The description of buffer i begins at index at[i] of the common arguments (see
 * programs/library.h). If `at` is NULL, the text is only checked. Returns false with errors in
 * `diag`. */
bool program_kernel_text(const struct program_keys *program, const struct kernel_keys *kernel,
	const uint32_t *at, struct diag *diag, struct kernel_text *text);

/* The programs of a step: either one program in `own`, or the list `programs`. step_programs()
 * returns the programs in both cases. */
struct workload_step {
	struct program_keys own; /* only if no list is given */
	struct program_keys *programs;
	uint32_t program_count;
	uint32_t queue;
	bool blocking;
	const char *identity;	  /* name of its workload; NULL: no other step runs it */
	const struct step *maker; /* the first step with this identity, which makes the workload;
				   * NULL: this step. Set by steps_find_identities() */
	bool shared;		  /* other steps run the workload of this step */
	bool keeps_times;	  /* the programs of the list of `maker` run for their own times */
	struct location identity_where;
};

struct record_step {
	const char *event;
	const struct devices_keys *devices; /* NULL: all devices */
	uint32_t queue;
	bool to_host, to_executors;
	struct location event_where, devices_where;
};

struct wait_step {
	const char *event;
	uint32_t queue;
	bool host, executors;
	struct location event_where;
};

struct finish_step {
	uint32_t queue;		    /* UINT32_MAX: all queues */
	uint32_t meshes;	    /* number of meshes to finish: one, or all */
	const char *sub_device;	    /* the step waits for programs of this sub-device; NULL: of all
				     * sub-devices */
	uint32_t sub_device_number; /* its number, from 1; 0: all */
	struct location sub_device_where;
};

/* Sends a packet to a chip and back, repeatedly. Each sample is an operation. */
struct ping_step {
	uint32_t op; /* enum traffic_op */
	uint32_t hops;
	uint32_t payload_bytes;
	uint32_t samples;
	struct location op_where, hops_where;
};

/* Streams of packets between all devices, as fast as possible. */
struct traffic_step {
	uint32_t pattern; /* enum fabric_pattern */
	uint32_t op;	  /* enum traffic_op */
	uint32_t links;	  /* number of parallel links to use; each link has its own sender */
	uint32_t packet_bytes;
	uint32_t packets, warmup; /* number per sender and tree */
	struct location pattern_where, links_where, warmup_where, bytes_where;
};

/* The steps close_mesh and open_mesh have no keys. C requires a member. */
struct turn_step {
	bool nothing;
};

/* A step that writes or reads a mesh tensor as a whole. */
struct tensor_step {
	const char *tensor;
	const char *layout; /* shape and layout in text form; NULL: the layout in an earlier step */
	const char *save;   /* only read_tensor: see read_step */
	uint32_t queue;
	struct location tensor_where, layout_where;
};

struct step {
	enum step_kind kind;
	struct location where;
	uint32_t number;       /* number in the order of the file, with each repeat counted once */
	const char *as;	       /* the step's name; NULL: not given */
	const char *mesh_name; /* NULL: not given */
	struct location mesh_where;
	/* The number of the step's mesh. It is STEP_ALL_MESHES for a finish or think that names no
	 * mesh. It is also STEP_ALL_MESHES for a repeat, because the steps in it have their own
	 * meshes. */
	uint32_t mesh;
	union {
		struct repeat_step repeat;
		struct trace_step trace;
		struct replay_step replay;
		struct release_step release;
		struct write_step write;
		struct read_step read;
		struct free_step free;
		struct workload_step workload;
		struct record_step record;
		struct wait_step wait;
		struct finish_step finish;
		struct ping_step ping;
		struct traffic_step traffic;
		struct tensor_step tensor;
		struct turn_step turn; /* for close_mesh and open_mesh */
		struct load_step load; /* for load_sub_devices and clear_sub_devices */
		struct collective_step collective;
		struct think_step think;
		struct model_step model;
		struct bring_up_step bring_up;
	};
};

/* ---- one run ---- */

struct scenario {
	int64_t version;
	const char *name, *description;
	const struct tree_node *platform; /* the key as written, or the expanded platform */
	uint64_t seed;
	const struct tree_node *seeds; /* only load.c uses it, before it binds runs */
	struct runtime_keys runtime;
	struct step *steps;
	uint32_t step_count;
	const struct tree_node *sweep;
	struct model_keys model;
	struct measure_keys measure;
	struct limit_keys limits;
};

/* Returns the steps under `do` of a repeat or trace, and how often they are repeated. Returns NULL
 * for all other steps. */
const struct repeat_step *step_body(const struct step *step);

/* Returns how often a step acts each time the run reaches it: the number of replays for a step that
 * captures or replays a trace, the number of runs for a step that runs a model, and 1 for all other
 * steps. */
uint32_t step_times(const struct step *step);

/* Returns the programs of an enqueue_workload step, at least one, and sets *count to their number.
 * If the step runs the workload of an earlier step, these are the programs of the earlier step. */
const struct program_keys *step_programs(const struct step *step, uint32_t *count);

/* scenario_mesh_count() returns the number of virtual meshes, at least 1. scenario_mesh() returns a
 * mesh; meshes are numbered from 0 in the order of the file. */
uint32_t scenario_mesh_count(const struct scenario *scenario);
const struct mesh_keys *scenario_mesh(const struct scenario *scenario, uint32_t number);

/* Returns true if the mesh is open when the run starts. This is so unless the first step that opens
 * or closes the mesh opens it. */
bool scenario_mesh_begins_open(const struct scenario *scenario, uint32_t mesh);

/* True if the step, or a step under its `do`, uses mesh `mesh`. */
bool step_has_mesh(const struct step *step, uint32_t mesh);

/* Schemas of the whole file, of one workload step, of the steps that measure the fabric, and of
 * collectives over the fabric. */
const struct schema *scenario_schema(void);
extern const struct schema_variants step_variants;
extern const struct schema ping_schema, traffic_schema, collective_schema;
extern const struct schema close_schema, open_schema, clear_schema;

/* True if a program of these steps has a kernel on Ethernet cores. */
bool steps_use_ethernet(const struct step *steps, uint32_t count);

/* The number of steps, including those under `do`. */
uint32_t steps_count(const struct step *steps, uint32_t count);

/* Fills three arrays with an element for each step, by the step's number. `places` gets the step's
 * place and kind, like "workload.0.do.1 finish". `programs` gets the program that the step
 * launches, or "". `names` gets the step's key `as`; without it, the identity of its workload;
 * without both, the program if no other step launches it; otherwise the place, like
 * "workload/0/do/1". The texts are in `arena`, or belong to the steps. */
void steps_name(const struct step *steps, uint32_t count, const char **places,
	const char **programs, const char **names, struct arena *arena);

/* An operation that `measure.trace` names: by its number (from 1), by its kind, or by its step. */
struct traced_operation {
	uint32_t number;
	const char *kind, *name;
};
bool trace_chooses(const char *name, const struct traced_operation *operation);

/* Returns the number of operations that the steps make, where steps in a repeat count as often as
 * they run. Stops counting above SCENARIO_OPERATIONS_MAX. */
uint64_t scenario_operations(const struct scenario *scenario);

#endif

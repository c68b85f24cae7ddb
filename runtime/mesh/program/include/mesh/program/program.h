/* Internal structures of programs: kernels, groups of cores with the same configuration, arguments,
 * and the commands that launch a program. */
#ifndef MESH_PROGRAM_PROGRAM_H
#define MESH_PROGRAM_PROGRAM_H

#include "command/kernel.h"
#include "command/stream.h"
#include "mesh/description.h"
#include "mesh/device/device.h"
#include "mesh/program/sub_devices.h"
#include "mesh/queue/job.h"

struct program_kernel {
	struct kernel_config config;
	struct core_set cores;
	/* positions of the kernel's unique and common arguments, in words */
	uint32_t unique_at, common_at;
	/* a copy of the kernel's text, to which config.text points; NULL: the kernel is filler */
	uint8_t *text;
};

struct program_buffer {
	struct circular_buffer buffer;
	struct core_set cores;
	struct cores named; /* the cores as the caller named them */
};

struct program_semaphore {
	uint32_t initial;
	struct core_set cores;
	struct cores named;
};

/* The destination of a write or a go signal: a rectangle of workers, which a multicast reaches, or
 * a single Ethernet tile, because multicasts do not reach Ethernet tiles (ISA NoC). */
struct launch_target {
	bool ethernet;
	struct worker_rect rect;
	uint16_t tile;
};

/* Cores with the same kernels, the same number of circular buffers and the same number of
 * semaphores. These cores share one launch message and one image of binaries. */
struct program_group {
	struct core_set cores;
	uint32_t core_count;
	uint8_t core[CORES_MAX];	  /* the cores, in row-major order */
	uint16_t kernel[PROCESSOR_COUNT]; /* index + 1 of each processor's kernel, 0: none */
	uint8_t buffers, semaphores;	  /* numbers of circular buffers and semaphores */
	uint8_t pipeline_pages;
	uint32_t target_count;
	struct launch_target target[CORES_MAX];
	struct launch_message message; /* the launch message without bases and operation number */
	uint32_t image_bytes;
	uint32_t image_page; /* number of the first page of the group's image */
};

enum { BUFFER_WORDS = PROGRAM_BUFFERS_MAX / 64 };

/* Cores that get the same configuration, even if their kernels differ. All these cores have the
 * same circular buffers and the same semaphores. If the cores have common arguments, they also
 * belong to the same group. One write to each target sends the configuration to all cores of the
 * target. */
struct program_share {
	struct core_set cores;
	uint32_t group; /* the group of at least one of the cores */
	/* the cores have common arguments, so all of them belong to `group` */
	bool common;
	uint64_t buffers[BUFFER_WORDS]; /* bit i: circular buffer i */
	uint32_t semaphores;		/* bit i: semaphore i */
	uint32_t target_count;
	struct launch_target target[CORES_MAX];
};

/* Values of all runtime arguments. Operations in progress may share this structure. While it is
 * shared, a change is made to a copy. */
struct program_args {
	uint32_t references; /* number of references; atomic */
	uint32_t generation; /* increases with every change of a word */
	uint32_t count;
	/* the value of program_set_run(), in the format of launch messages (command/launch.h) */
	uint64_t run;
	uint32_t words[];
};

struct program {
	struct program_site *site;
	char *name;
	uint32_t id;
	uint32_t changes; /* number of additions so far */
	uint32_t kernel_count, buffer_count, semaphore_count, group_count, share_count;
	struct program_kernel *kernels;
	struct program_buffer *buffers;
	struct program_semaphore semaphores[SEMAPHORES_MAX];
	struct program_group *groups;
	struct program_share *shares;
	struct program_args *args;
	/* number of targets that receive go signals; together they contain all cores of the
	 * program */
	uint32_t target_count;
	struct launch_target target[CORES_MAX];
	/* bytes that a launch needs in the config ring for the largest group */
	uint32_t config_bytes, image_bytes;
	uint32_t binary_pages;	      /* number of pages of all images */
	uint32_t buffers_end;	      /* first worker L1 address after all circular buffers */
	uint32_t core_end[CORES_MAX]; /* end of the circular buffers of each core */
	uint32_t holders;	      /* number of workloads that contain the program */
	/* the workload that runs the program on all devices; NULL until program_workload() is
	 * called */
	struct workload *alone;
	bool sealed; /* nothing can be added: program_seal() or workload_seal() was called */
	bool acts;   /* some kernel executes instructions (command/kernel_program.h) */
	bool imaged; /* the launch messages are complete */
	/* the program's binaries if another host made them, otherwise NULL */
	uint8_t *given;
	/* bit i: the program alone has reserved the standing semaphore i (mesh/program.h) */
	uint64_t standing_semaphores;
	/* bit i: the program shares entry i of the site's struct standing_semaphores */
	uint64_t shared_semaphores;
	/* the sub-device of the program's cores; SUB_DEVICE_NONE: the program has no cores yet */
	uint8_t sub_device;
	uint32_t division; /* the division that has this sub-device */
};

/* Frees a program that no workload contains. */
void program_release(struct program *program);

/* Divides the program's cores into groups, and lays out the configurations and binary images of the
 * groups. Returns OK, or NO_SPACE with a sentence in `why` (may be NULL) if a launch does not fit
 * into the config ring. */
enum status program_group_cores(struct program *program, struct text *why);

/* Writes the binary images of all groups to `out`, each at the start of its first page
 * (sizes_binary_page()). Completes the launch messages, and seals the program: from now on, only
 * its arguments can be changed. `out` has `bytes` bytes, which must be enough for all pages. */
void program_seal(struct program *program, uint8_t *out, uint64_t bytes);

/* On the devices of `range`, starts the processors whose kernels execute instructions. The program
 * must be sealed. */
void program_start_processors(const struct program *program, struct device_range range);

/* Makes the implementation of world/device.h forget the mesh's routes of kernels (mesh/program.h).
 * No packet may be travelling along these routes. */
void kernel_routes_forget(struct mesh_device *mesh);

void args_hold(struct program_args *args);
void args_release(struct program_args *args);

/* Returns a new copy of the arguments with the same values. */
struct program_args *args_copy(const struct program_args *args);

/* args_set() and args_refresh() work like program_set_args() and program_refresh_args(), but change
 * *own or *args instead of the program's arguments. If other operations share the structure, it is
 * first replaced by a copy. */
enum status args_set(const struct program *program, struct program_args **own, uint32_t kernel,
	uint32_t core, const uint32_t *args, uint32_t count);
void args_refresh(struct program_args **args, uint32_t generation);

/* Sets all arguments. Returns OK, or INVALID if `count` is not the number of the arguments. */
enum status args_replace(struct program_args **args, const uint32_t *words, uint32_t count);

/* program_unique_args() copies the unique arguments of one core of a group to `out`, as they lie in
 * L1 (message.unique_bytes bytes). program_common_args() copies the common arguments of the group
 * (message.common_bytes bytes). */
void program_unique_args(const struct program *program, const struct program_args *args,
	const struct program_group *group, uint32_t core, uint8_t *out);
void program_common_args(const struct program *program, const struct program_args *args,
	const struct program_group *group, uint8_t *out);

/* ---- launch commands ---- */

/* The addresses and the slot that a launch uses on the devices. */
struct launch_place {
	uint32_t config_base, kernel_base; /* addresses in worker L1 */
	uint8_t slot;			   /* number of the slot in the launch ring */
};

/* The place from which every device reads the binaries. `address` is the address of pages that are
 * interleaved over the device's DRAM banks. If `cached` is set, the device reads from offset
 * `cache_offset` of the prefetchers' kernel cache, which the prefetchers fill from these pages. */
struct binary_place {
	uint32_t address, page_bytes, banks;
	/* cached: read through the kernel cache; filled: the cache already holds the binaries */
	bool cached, filled;
	uint32_t cache_offset;
};

/* The targets of the go signals of a launch on a device. `target` is borrowed. */
struct launch_goes {
	uint32_t sub_device;
	uint32_t count; /* number of targets; 0: go signals are sent separately */
	const struct launch_target *target;
};

/* Which commands of a launch a body (struct launch_body) contains. Normally, one body contains all
 * of them (LAUNCH_WHOLE). If ranges of devices have arguments of their own, each range has a body
 * with only its arguments (LAUNCH_ARGUMENTS), and one body for all devices has the other commands
 * (LAUNCH_REST). */
enum launch_content { LAUNCH_WHOLE, LAUNCH_ARGUMENTS, LAUNCH_REST };

/* The kinds of commands of a launch, in order of execution. */
enum launch_section {
	LAUNCH_CONFIGURATION, /* write arguments, circular buffers and semaphores */
	LAUNCH_BINARIES,
	/* write launch messages. This section also sends the go, unless the go is sent
	 * separately */
	LAUNCH_MESSAGES,
	LAUNCH_SECTIONS
};

/* All commands of a launch, and the offsets of the values that can be patched in them. The commands
 * are in one command stream, or in one stream for each section. */
struct launch_body {
	struct command_stream streams[LAUNCH_SECTIONS];
	/* one bit for each section with a separate stream; 0: the first stream contains all
	 * sections */
	uint8_t sections;
	enum launch_content content; /* must be set before the body is built */
	bool built;
	bool everywhere; /* the body is for hosts on which all devices run the program */
	/* true: another host built the commands (mesh/assembled.h), so this host does not know
	 * which arguments they contain */
	bool given;
	uint32_t generation; /* generation of the arguments in the body */
	/* the offsets below count bytes in the stream of their section */
	uint32_t *launch_at; /* offsets of the launch messages, one for each target of a group */
	uint32_t *go_at;     /* offsets of the GO commands */
	/* offsets of the common arguments, one for each target of every share (struct
	 * program_share); unused without common arguments */
	uint32_t *common_at;
	/* [group] offset of the unique arguments of the group; unused without unique arguments */
	uint32_t *unique_at;
	/* offsets of the commands that write semaphores, one for each target; only for a program
	 * with a kernel that executes instructions */
	uint32_t *semaphore_at;
	uint32_t fill_at;   /* offset of FILL_CACHE, if binaries are cached */
	uint32_t *relay_at; /* offsets of RELAY_CACHE, one for each rectangle of a group */
	uint32_t launches, goes;
	struct binary_place binaries;
};

/* Builds the commands of one launch in an empty body. The caller may have set the body's members
 * `content` and `sections` before. Charges the work that the functions of command/stream.h
 * charge. */
void launch_body_build(struct launch_body *body, uint32_t device, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_goes *goes, const struct launch_place *place, uint32_t operation);

/* Changes a built body into the body of another launch of the same program. Patches the operation
 * number, the launch place, changed arguments, and the offset of the binaries in the kernel cache.
 * Both launches must read their binaries through the kernel cache, or neither of them may. Charges
 * WORK_PATCH_ARGUMENT for each word. */
void launch_body_patch(struct launch_body *body, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_place *place, uint32_t operation);

/* Patches only the arguments. */
void launch_body_arguments(
	struct launch_body *body, const struct program *program, const struct program_args *args);

/* Allocates the arrays of offsets in an empty body, for a launch with this many go signals. */
void launch_body_alloc(struct launch_body *body, const struct program *program, uint32_t goes);

/* Returns the stream of a section. */
struct command_stream *launch_body_stream(struct launch_body *body, enum launch_section section);

/* Frees the contents of a body and empties it. */
void launch_body_fini(struct launch_body *body);

/* One launch of a trace. */
struct launch_entry {
	struct launch_place place;
	uint32_t slot_address; /* address of the launch slot */
	/* maximum number of earlier launches that may still run when this launch is written to the
	 * devices */
	uint32_t behind;
	bool kept; /* the config ring already holds the launch's binaries */
	uint32_t operation;
};

/* Appends the commands of one launch to an unfinished stream. The first command sets the
 * dispatcher's offsets for the launch. Charges the same work as launch_body_build(). */
void launch_append(struct command_stream *stream, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_goes *goes, const struct launch_entry *entry);

/* Appends only the go signals of a launch, for a device that has no program of the launch. */
void launch_append_goes(struct command_stream *stream, const struct launch_goes *goes,
	const struct launch_entry *entry);

/* Sends only go signals to the devices of a range. If `barrier` is set, dispatchers first wait
 * until their earlier writes have arrived. The targets in `goes` must stay valid until all host
 * threads have finished their work. */
void launch_goes_send(struct command_queue *queue, struct device_range range,
	const struct launch_goes *goes, uint8_t slot, bool barrier, uint32_t operation);

/* Returns the number of workers that the go signals reach. */
uint32_t launch_goes_workers(const struct launch_goes *goes);

/* Returns the command that sends the go signal to target `index`. */
struct dispatch_command launch_go(const struct launch_goes *goes, uint32_t index, uint8_t slot);

/* Returns the command that waits until at most the last `behind` launches of a sub-device are still
 * running. */
struct dispatch_command launch_wait(uint32_t sub_device, uint32_t behind);

/* Returns the command that sets the dispatcher's offsets for a launch. */
struct dispatch_command launch_set_offsets(const struct launch_place *place, uint32_t slot_address);

/* Functions that build parts of a launch's commands (launch_parts.c). The first two functions build
 * the commands with which prefetchers read binaries. The other functions build commands that write
 * the semaphores of kernels which execute instructions. */

/* Returns the command that fills the prefetchers' kernel cache with the program's binaries. If the
 * cache already holds the binaries, the command copies nothing. */
struct prefetch_command launch_fill(
	const struct program *program, const struct binary_place *binaries);

/* Returns the command that relays the image of a group. */
struct prefetch_command launch_relay(
	const struct program_group *group, const struct binary_place *binaries);

/* Appends writes of all semaphores of a program whose kernels execute instructions. The writes go
 * to words of a launch slot on the program's cores (firmware/worker/worker.h). They arrive before
 * the go signal, because a core may increment a semaphore of a core that has not started yet. In
 * other programs, no kernel uses the semaphores, and they are only a part of the configuration.
 * at[i] becomes the offset of the command for the program's target i. */
void launch_semaphores_put(struct command_stream *stream, bool traced,
	const struct program *program, uint8_t slot, uint32_t *at);

/* Changes the commands that launch_semaphores_put() appended, so that they write to another launch
 * slot. Charges WORK_PATCH_ARGUMENT. */
void launch_semaphores_patch(struct command_stream *stream, const struct program *program,
	uint8_t slot, const uint32_t *at);

#endif

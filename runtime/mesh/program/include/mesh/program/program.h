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
	uint32_t unique_at, common_at; /* words in the arguments */
	uint8_t *text;		       /* copy of the kernel's text, to which config.text points;
					* NULL: filler */
};

struct program_buffer {
	struct circular_buffer buffer;
	struct core_set cores;
	struct cores named; /* as given by the caller */
};

struct program_semaphore {
	uint32_t initial;
	struct core_set cores;
	struct cores named;
};

/* The destination of a write: a rectangle of workers for a multicast, or an Ethernet tile, which
 * multicasts do not reach (ISA NoC). */
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
	uint8_t buffers, semaphores;	  /* the number of each */
	uint8_t pipeline_pages;
	uint32_t target_count;
	struct launch_target target[CORES_MAX];
	struct launch_message message; /* without bases and operation */
	uint32_t image_bytes;
	uint32_t image_page; /* first page of the group's image in the binaries */
};

enum { BUFFER_WORDS = PROGRAM_BUFFERS_MAX / 64 };

/* Cores that share a configuration, even if their kernels differ. All these cores have the same
 * circular buffers and the same semaphores. If the cores have common arguments, all of them also
 * belong to one group. One write for each target sends the configuration. */
struct program_share {
	struct core_set cores;
	uint32_t group;			/* the group of one of its cores */
	bool common;			/* true if the cores have common arguments; all of them then
					 * belong to `group` */
	uint64_t buffers[BUFFER_WORDS]; /* bit i: circular buffer i */
	uint32_t semaphores;		/* likewise */
	uint32_t target_count;
	struct launch_target target[CORES_MAX];
};

/* Values of all runtime arguments. Operations under way share these values, so every change is made
 * to a copy. */
struct program_args {
	uint32_t references; /* atomic */
	uint32_t generation; /* grows with every change */
	uint32_t count;
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
	uint32_t target_count; /* number of targets of all cores of the program, for go signals */
	struct launch_target target[CORES_MAX];
	/* room that a launch needs in the config ring, for the largest group */
	uint32_t config_bytes, image_bytes;
	uint32_t binary_pages;	      /* of all images */
	uint32_t buffers_end;	      /* highest worker L1 address behind circular buffers */
	uint32_t core_end[CORES_MAX]; /* end of the circular buffers of each core */
	uint32_t holders;	      /* workloads that contain it */
	struct workload *alone;	      /* runs it on all devices; NULL until first used */
	bool sealed;		      /* enqueued once: nothing can be added */
	bool acts;		      /* a kernel has a text (command/kernel_program.h) */
	bool imaged;		      /* its launch messages are complete */
	uint8_t *given;		      /* the program's binaries if another host made them, or
				       * NULL */
	uint64_t standing_semaphores; /* bit i: the program has reserved semaphore i
				       * (mesh/program.h) */
	uint8_t sub_device;	      /* of the program's cores; SUB_DEVICE_NONE: no cores yet */
};

/* Frees a program that no workload contains. */
void program_release(struct program *program);

/* Divides the cores into groups, and lays out their configurations and images. Returns OK, or
 * NO_SPACE with a sentence in `why` (may be NULL) if a launch does not fit into the config ring. */
enum status program_group_cores(struct program *program, struct text *why);

/* Writes all images to `out`, each at the start of its page (sizes_binary_page). Completes the
 * launch messages and seals the program. `out` has `bytes` bytes; it is a bug if the pages do not
 * fit. */
void program_seal(struct program *program, uint8_t *out, uint64_t bytes);

/* Starts the processors on which kernels of a sealed program execute their text, on the devices of
 * `range`. */
void program_start_processors(const struct program *program, struct device_range range);

/* Makes the device implementation (world/device.h) drop the routes of kernels (mesh/program.h). No
 * packet may be under way along these routes. */
void kernel_routes_forget(struct mesh_device *mesh);

void args_hold(struct program_args *args);
void args_release(struct program_args *args);

/* Returns a copy with the same values. */
struct program_args *args_copy(const struct program_args *args);

/* Set arguments as program_set_args() and program_refresh_args() do, but in *own or *args instead
 * of the program's. Shared arguments are copied first. */
enum status args_set(const struct program *program, struct program_args **own, uint32_t kernel,
	uint32_t core, const uint32_t *args, uint32_t count);
void args_refresh(struct program_args **args, uint32_t generation);

/* Sets all arguments. Returns OK, or INVALID if `count` is not the number of the arguments. */
enum status args_replace(struct program_args **args, const uint32_t *words, uint32_t count);

/* program_unique_args() copies the unique arguments of one core of a group to `out`, as they lie in
 * L1 (message.unique_bytes). program_common_args() copies the common arguments of the group
 * (message.common_bytes). */
void program_unique_args(const struct program *program, const struct program_args *args,
	const struct program_group *group, uint32_t core, uint8_t *out);
void program_common_args(const struct program *program, const struct program_args *args,
	const struct program_group *group, uint8_t *out);

/* ---- launch commands ---- */

/* The addresses and the slot that a launch uses on the devices. */
struct launch_place {
	uint32_t config_base, kernel_base; /* worker L1 */
	uint8_t slot;			   /* of the launch ring */
};

/* Where every device reads the binaries. `address` is the address of pages that are interleaved
 * over the device's DRAM banks. If `cached` is set, the device reads from `cache_offset` of the
 * prefetchers' kernel cache, which is first filled from those pages. */
struct binary_place {
	uint32_t address, page_bytes, banks;
	bool cached, filled; /* read through the cache; the cache already holds the binaries */
	uint32_t cache_offset;
};

/* The targets of the go signals of a launch on a device. `target` is borrowed. */
struct launch_goes {
	uint32_t sub_device;
	uint32_t count; /* 0: go signals are sent separately */
	const struct launch_target *target;
};

/* Which commands of a launch a body contains. If arguments differ between the devices of a program,
 * each range first gets its arguments (LAUNCH_ARGUMENTS), and then all devices get the other
 * commands (LAUNCH_REST). */
enum launch_content { LAUNCH_WHOLE, LAUNCH_ARGUMENTS, LAUNCH_REST };

/* The kinds of commands of a launch, in order of execution. */
enum launch_section {
	LAUNCH_CONFIGURATION, /* arguments, circular buffers, semaphores */
	LAUNCH_BINARIES,
	LAUNCH_MESSAGES, /* and go, unless it is sent separately */
	LAUNCH_SECTIONS
};

/* All commands of a launch, and the offsets at which the commands can be patched. The commands are
 * in one command stream, or in one stream for each section. */
struct launch_body {
	struct command_stream streams[LAUNCH_SECTIONS];
	uint8_t sections; /* one bit for each section that has its own stream; 0: the first stream
			   * has all sections */
	enum launch_content content; /* set before it is built */
	bool built;
	bool everywhere;     /* assembled for hosts on which all devices run the program */
	bool given;	     /* true if another host assembled the body, so that its arguments are
			      * opaque here (mesh/assembled.h) */
	uint32_t generation; /* of the arguments in it */
	/* the offsets below are in the stream of their section */
	uint32_t *launch_at; /* launch messages, one per target of a group */
	uint32_t *go_at;     /* GO commands */
	uint32_t *common_at; /* offsets of the common arguments, one for each target of a share;
			      * unused if there are none */
	uint32_t *unique_at; /* unique arguments, one block per group; unused if there are none */
	uint32_t *semaphore_at; /* offsets of the writes of semaphores, one for each target; only
				 * for a program with a kernel that executes a text */
	uint32_t fill_at;	/* FILL_CACHE, of cached binaries */
	uint32_t *relay_at;	/* RELAY_CACHE, one per rectangle of a group */
	uint32_t launches, goes;
	struct binary_place binaries;
};

/* Builds the commands of one launch in an empty body, whose `content` and `sections` the caller may
 * have set. Charges like the functions of command/stream.h. */
void launch_body_build(struct launch_body *body, uint32_t device, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_goes *goes, const struct launch_place *place, uint32_t operation);

/* Changes a built body into the body of another launch: patches the operation number, the launch
 * place, changed arguments, and the offset of the binaries in the kernel cache. The new launch must
 * read its binaries through the kernel cache if the old launch did, and only then. Charges
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
	uint32_t behind;       /* launches that may still be under way when it is written */
	bool kept;	       /* its binaries are in the config ring already */
	uint32_t operation;
};

/* Appends the commands of one launch to an unfinished stream. The first command sets the
 * dispatcher's offsets for the launch. Charges like launch_body_build(). */
void launch_append(struct command_stream *stream, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_goes *goes, const struct launch_entry *entry);

/* Appends only the go signals of a launch, for a device that has no program of the launch. */
void launch_append_goes(struct command_stream *stream, const struct launch_goes *goes,
	const struct launch_entry *entry);

/* Sends only go signals to the devices of a range. If `barrier` is set, dispatchers first wait
 * until their writes have arrived. The targets must stay valid until no host thread is working. */
void launch_goes_send(struct command_queue *queue, struct device_range range,
	const struct launch_goes *goes, uint8_t slot, bool barrier, uint32_t operation);

/* Returns the number of workers that the go signals reach. */
uint32_t launch_goes_workers(const struct launch_goes *goes);

/* Returns the command that sends the go signal to target `index`. */
struct dispatch_command launch_go(const struct launch_goes *goes, uint32_t index, uint8_t slot);

/* Returns the command that waits for all launches of a sub-device except the last `behind` ones. */
struct dispatch_command launch_wait(uint32_t sub_device, uint32_t behind);

/* Returns the command that sets the dispatcher's offsets for a launch. */
struct dispatch_command launch_set_offsets(const struct launch_place *place, uint32_t slot_address);

/* Parts of the commands of a launch (launch_parts.c): commands that read binaries, and
 * commands that write semaphores of executing kernels. */

/* Returns the command that fills the prefetchers' kernel cache with the program's binaries. If the
 * cache holds them already, the command fills nothing. */
struct prefetch_command launch_fill(
	const struct program *program, const struct binary_place *binaries);

/* Returns the command that relays the image of a group. */
struct prefetch_command launch_relay(
	const struct program_group *group, const struct binary_place *binaries);

/* Appends writes of all semaphores of a program with executing kernels. The writes go to words of a
 * launch slot of the program's cores (firmware/worker/worker.h). The writes arrive before the go,
 * so a core may increment a semaphore of another core that has not started. Other programs have
 * semaphores only in their configuration, where nothing uses them. `at` [target of the program]
 * receives the offsets of the commands. */
void launch_semaphores_put(struct command_stream *stream, bool traced,
	const struct program *program, uint8_t slot, uint32_t *at);

/* Changes these writes into writes to another slot. Charges WORK_PATCH_ARGUMENT. */
void launch_semaphores_patch(struct command_stream *stream, const struct program *program,
	uint8_t slot, const uint32_t *at);

#endif

/* Configuration of a mesh device: every choice that the specification leaves open and that the
 * runtime offers (spec 3.1.3, 3.8, 3.9). Callers fill in these structures. A member marked
 * "variant" points to one variant of a design choice. mesh/rows.def lists the variants. */
#ifndef MESH_CONFIG_H
#define MESH_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/table/registry.h"
#include "fabric/graph.h"
#include "fabric/shape.h"
#include "firmware/core/firmware.h"
#include "world/device.h"
#include "world/world.h"

#define KIND(kind, member, what)	    REGISTRY_DECLARE(kind)
#define OTHER_KIND(kind, member, key, what) REGISTRY_DECLARE(kind)
#include "mesh/rows.def"

/* Returns the registry of a design choice. `index` counts the choices from 0, in the order of
 * mesh/rows.def. Returns NULL if `index` is too large. */
const struct registry *registry_at(size_t index);

enum { MESH_COMMAND_QUEUES_MAX = 2, MESH_POLLERS_MAX = 64 };

struct forward_config {
	const struct forward_ops *path; /* the variant of runtime.forward.path */
	const struct go_ops *go;	/* the variant of runtime.forward.go */
	uint32_t initiators;		/* number of initiators of a broadcast; 0: one */
	/* variant that chooses the number of initiators; NULL: the configuration gives the
	 * number */
	const struct initiators_ops *initiators_per;
	/* variants that have an effect only with broadcasts */
	const struct initiator_place_ops *initiator_place;
	const struct feed_ops *feed;
	const struct packetizer_ops *packetizer;
	const struct dispatcher_ops *dispatcher;
	const struct ordering_ops *ordering;
	const struct credits_ops *credits;
	const struct trace_hold_ops *trace_hold;
	const struct route_ops *route;
	const struct channels_ops *channels;
	const struct pieces_ops *pieces;
	uint32_t multicast_members; /* maximum number of chips in one multicast; 0: BOUND_MEMBERS,
				     * the maximum of the fabric */
	/* if the variant of initiator_place lets the user name chips: for each broadcast grid, the
	 * position of its initiator (fabric/grids.h), in the order of grids. Needed only while the
	 * mesh device is being opened */
	const struct mesh_offset *initiator_chips;
	uint32_t initiator_chip_count;
};

struct host_config {
	uint16_t server;		   /* the host that runs these threads */
	const struct threads_ops *threads; /* the variant of runtime.host.threads */
	uint32_t count;			   /* number of threads of a pool; 0: the default */
	/* the variant of runtime.host.queues; used if host threads form a pool */
	const struct queues_ops *queues;
	/* the variant of runtime.host.pool_tasks; used if host threads form a pool */
	const struct tasks_ops *pool_tasks;
	uint32_t batch_devices; /* number of devices in a task of the variant `batches`; 0: the
				 * default */
	const struct create_ops *create;       /* the variant of runtime.host.create; used for
						* unicasts */
	const struct compilation_ops *compile; /* the variant of runtime.host.compile */
	const struct pin_ops *pin;	       /* the variant of runtime.host.pin */
	const struct readers_ops *readers; /* variant; used by event paths with reader threads */
	/* number of threads, including the caller, that poll for events in event paths without
	 * reader threads; 0: one thread */
	uint32_t pollers;
	enum wait_mode caller_wait; /* how the thread that calls the API waits */
	enum wait_mode worker_wait; /* how idle pool and dispatch threads wait */
	enum wait_mode reader_wait; /* how readers of completion queues wait */
};

/* Sizes of the memory that the runtime reserves. 0 means the default of mesh/defaults.h, unless the
 * comment of a member gives another default. */
struct mesh_sizes {
	uint64_t issue_queue_bytes;	 /* size of each issue queue in host memory */
	uint64_t completion_queue_bytes; /* size of the completion queue of each device and queue */
	/* size of the region for traces in every DRAM bank; 0: there is no such region, and traces
	 * use the memory of buffers */
	uint64_t trace_region_bytes;
	/* size of the region for binaries in every DRAM bank; 0: there is no such region, and
	 * binaries use the memory of buffers */
	uint64_t binary_region_bytes;
	/* size of the part of the host window for buffers of the type BUFFER_SYSTEM; 0: there is no
	 * such part */
	uint64_t system_memory_bytes;
	uint32_t config_ring_bytes;    /* size of the config ring in every worker's L1 */
	uint32_t binary_page_bytes;    /* size of the padded pages of kernel binaries in DRAM */
	uint32_t page_alignment_bytes; /* alignment of buffer pages; 0: 32 B in DRAM, 16 B in L1 */
	uint32_t l1_small_bytes; /* size of the part of every worker's L1 for BUFFER_L1_SMALL */
	/* maximum size of users' data that are assumed to be in the host's cache; 0: none are */
	uint64_t cached_bytes;
	/* For sharded buffers and pinned memory: a device transfers data itself only if at least
	 * this many bytes are contiguous both on the device and on the host; otherwise the host
	 * copies the data. If the host reaches a device of the mesh through a gateway, the limit is
	 * eight times as large. 0: 32 KiB. */
	uint32_t direct_run_bytes;
};

/* The tile coordinates in commands (command/dispatch.h). */
enum coordinates {
	/* commands use the same coordinates for all chips, even if chips are harvested
	 * differently */
	COORDINATES_VIRTUAL,
	/* chips that are harvested differently need different commands, so they get no broadcasts
	 */
	COORDINATES_PHYSICAL
};

/* How a mesh marks operations. A mark records a point in the life of an operation (lists/mark.def).
 * If a run has several clusters, each of them makes the marks of its own chips. */
struct marks_config {
	uint32_t first_chip; /* number of the cluster's chip 0 in marks and in faults of firmware */
	bool calls_apart;    /* the multi-cluster caller marks CALLED, RETURNED and SEEN itself */
};

/* The place of a mesh in a larger mesh, which has the devices of several hosts. `shape` is the
 * shape of the larger mesh, and `at` is the position of this mesh's first device in it. Routes of
 * kernels number the devices of the larger mesh (mesh/assembled.h). If `shape` has no rows, there
 * is no larger mesh.
 *
 * If `spans` is set, each host opens the whole larger mesh as one mesh device; links must join the
 * hosts. `at` is then 0,0, and mesh_config.offset is a position in the machine of all hosts. A host
 * sends only to its own devices, and reads only from these. For the devices of other hosts, it only
 * counts transactions, launches and events. So all hosts use the same numbers, and a broadcast of
 * one host can reach the devices of all hosts. Every host must make the same calls, in the same
 * order. */
struct whole_config {
	struct mesh_shape shape;
	struct mesh_offset at;
	bool spans;
};

struct mesh_config {
	struct mesh_shape shape;
	struct mesh_offset offset;
	struct whole_config whole;
	enum fabric_topology topology; /* topology of the links that routes may use */
	uint8_t command_queues;	       /* number of command queues, 1 to MESH_COMMAND_QUEUES_MAX */
	struct forward_config forward;
	const struct lowering_ops *lowering;	 /* the variant of runtime.lowering */
	const struct completion_ops *completion; /* the variant of runtime.completion */
	struct host_config host;
	bool command_cache;	  /* keep built command streams and patch them (spec 3.10.3) */
	bool kernel_cache;	  /* prefetchers keep binaries in their L1 (spec, flow 6.3) */
	uint32_t command_buffers; /* number of NoC command buffers for the writes of a dispatcher: 1
				   * or 2 */
	bool profile;	     /* workers print when kernels start and end (firmware_set_profile()) */
	bool launch_preload; /* workers set up a launch before its go (firmware_set_preload()) */
	/* every device gets its own copy of a trace's commands, even if all devices have the same
	 * commands (spec 3.12.2.1) */
	bool sharded_traces;
	struct mesh_sizes sizes;
	const struct firmware_costs *costs; /* cycles that the stages take; must outlive the mesh */
	/* sizes of rings and buffers; must outlive the mesh */
	const struct firmware_limits *limits;
	/* receives faults of the firmware. NULL: faults of the kind FAULT_PROGRAM are ignored; any
	 * other fault ends the process, because it is a bug */
	const struct firmware_faults *faults;
	/* a write with more bytes per device than this is elided, that is, its bytes are not
	 * simulated; 0: no write is elided */
	uint64_t elide_above_bytes;
	enum coordinates coordinates;
	/* the mesh has no program cache, so the kernels of every new workload are compiled again */
	bool compiles_again;
	/* opening the mesh device loads the firmware and waits for an answer of each chip, which
	 * takes simulated time; if not set, the firmware is already loaded */
	bool timed_bring_up;
	uint32_t operation; /* operation number of the marks for opening; 0: no marks */
	struct marks_config marks;
	bool ethernet_programs; /* programs may also run on idle Ethernet tiles, that is, tiles
				 * without links and without dispatch stages */
};

/* Fills in the default configuration: a mesh of 1x1 devices at offset 0,0, with one command queue
 * and with the command cache. Design choices get the variants of mesh/defaults.h: for example,
 * commands are sent by unicast, and the main thread does all host work. The caller waits by
 * spinning, while idle workers and readers park. `costs` and `limits` stay NULL, so the caller must
 * set them. */
void mesh_config_init(struct mesh_config *config);

#endif

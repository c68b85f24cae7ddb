/* Platforms. A platform describes a machine: the shape of its chips, their wiring, and every
 * constant of the model with its unit, source and kind. It is read from platforms/NAME.yaml, from
 * any other file, or from a map inside a scenario. All constants of the modelled machine are in the
 * platform.
 *
 * A constant has a dotted name below the platform, such as "chip.noc_hop". A consumer (a module
 * that uses constants) lists the constants that it needs in a constant_table. platform_new() gets
 * all tables. It reports an error for a constant that no table lists, for a listed constant that is
 * missing, for a unit of another dimension, and for a value out of range. A file may use any unit
 * of the right dimension (22.65 GB/s for "B/s", 1464 KiB for "B", 1.5 us for "ns").
 *
 * A platform may consist of layers. `extends` names the lower layer, or a list of lower layers. In
 * a list, each layer overrides the layers before it.
 *
 * A layer above a shipped file (a file with `extends`, a scenario, --set, a sweep) may override a
 * constant in two ways: with a number, in the unit of the file below, or with a map that has some
 * of the constant's four keys. A value without a source counts as assumed; its source then says
 * where the value was set. */
#ifndef PLATFORM_PLATFORM_H
#define PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/schema.h"
#include "base/status.h"
#include "base/tree.h"
#include "world/device.h"

/* A constant that a consumer needs. `name` may contain the name of a struct member. In the file,
 * the constant's name is in lower case, and a unit at its end is changed: _ps, _ns, _cycles and _hz
 * are removed; _bytes becomes _size; _bytes_per_cycle becomes _rate; _bytes_per_s and
 * _bandwidth_bytes_per_s become _bandwidth. For example, "host.quantum_ps" is `host: {quantum:
 * {value: 4, unit: ms, ...}}` in the file, and "host.work.DOORBELL.cost_ps" is `host: {work:
 * {doorbell: {cost: ...}}}`. */
struct constant_spec {
	const char *name; /* dotted name below the platform; the first part names the consumer:
			   * "chip.", "host.", "firmware." */
	const char *unit; /* unit of the value that the consumer gets: "ns", "ps", "cycles", "B",
			   * "B/s", "Hz", "count", "ratio". Other units are possible, but are not
			   * converted: the file must use the same text */
	const char *what; /* one line that describes the constant */
	double least;	  /* smallest allowed value, in `unit`; not below zero */
	double most;	  /* largest allowed value; 0: the largest that the member can hold */
	size_t offset;	  /* offset of the member that platform_bind() fills */
	uint8_t size;	  /* size of the member: 1, 2, 4 or 8 bytes; an integer is never negative */
	bool real;	  /* the member is a double; else the value must be a whole number */
};

/* Initializes a constant_spec. Example: CONSTANT_SPEC(struct chip_constants, "chip.noc_hop_cycles",
 * noc_hop_cycles, "cycles", "NoC router hop", .least = 1). The member may also be nested or an
 * array element: work[WORK_DOORBELL].cost_ps. */
#define CONSTANT_SPEC(type, name_, member, unit_, ...)                                             \
	{                                                                                          \
		.name = name_, .unit = unit_, .offset = offsetof(type, member),                    \
		.size = sizeof(((type *)0)->member),                                               \
		.real = _Generic(((type *)0)->member, double                                       \
				 : true, default                                                   \
				 : false),                                                         \
		.what = __VA_ARGS__                                                                \
	}

/* All constants that one consumer needs. Static data. Two tables may list the same constant. */
struct constant_table {
	const char *consumer; /* name of the consumer, such as "chip" */
	const struct constant_spec *specs;
	size_t count;
	const char *prefix; /* prefix of all names, such as "transports.tcp."; NULL: none */
	size_t offset;	    /* offset of the members' struct in the object of platform_bind() */
	bool of_hosts;	    /* true: only machines of several hosts (platform_hosts()) need them */
};

/* A constant of the effective platform. */
struct platform_constant {
	const char *name;		  /* dotted name in the file: "host.work.doorbell.cost" */
	const struct constant_spec *spec; /* its entry in the first table that lists it */
	struct constant given; /* as written in the file: value, unit, source, kind, where */
	double value;	       /* value in spec->unit */
	bool overridden;       /* true: a layer that gives no source changed the value; see above */
};

struct platform; /* opaque; immutable */

/* Prepares the platform at the dotted `path` of `tree` for overrides. If the node there is a scalar
 * (a name or the path of a file), replaces it by the map {extends: NAME}, so that --set and sweeps
 * can add keys such as PATH.chip.noc_hop. Keeps any other node as it is; if it is not a map,
 * platform_expand() reports the error. Reads no file. Returns false, with an error in `diag`, if
 * there is nothing at `path`. */
bool platform_prepare(struct tree *tree, const char *path, struct diag *diag);

/* Replaces the platform at the dotted `path` of `tree` by its full map, so that tree_write() writes
 * the effective platform. The platform may be a name ("tgg"), the path of a file, or a map. A name
 * stands for `directory`/NAME.yaml. The path of a file contains a '/' or ends in .yaml, and is
 * relative to the file that contains it. In a map, the key `extends: NAME-OR-PATH` names the layer
 * that the other keys override. Returns false after errors, which are in `diag`. */
bool platform_expand(struct tree *tree, const char *path, const char *directory, struct diag *diag);

/* Returns the file path that a scalar node contains, resolved against the folder of the file that
 * contains the node. The result is in `arena`, or is the text of the node itself. */
const char *platform_path(struct arena *arena, const struct tree_node *node);

/* Like platform_path(), for a file that will be read. Error messages hide the content of this file
 * (diag_hide()), except in two cases: if a command-line option names the file, or if the file is in
 * the folder of the file that names it, in the working directory, or in `directory` (NULL: none).
 */
const char *platform_named_file(struct arena *arena, const struct tree_node *node,
	const char *directory, struct diag *diag);

/* Creates a platform from an expanded map. Reports all errors at once, with their locations:
 * unknown keys and constants (with the most similar allowed name), missing keys and constants,
 * units of another dimension, impossible shapes. Returns NULL after errors. `node`, `diag` and the
 * tables must stay valid as long as the platform. */
struct platform *platform_new(const struct tree_node *node, const struct constant_table *tables,
	size_t table_count, struct diag *diag);

/* Calls platform_expand() and platform_new() for a name or path alone, for tools and tests. */
struct platform *platform_open(const char *name, const char *directory,
	const struct constant_table *tables, size_t table_count, struct diag *diag);

/* Like platform_open(), but calls the caller's function expand() instead of platform_expand(). So a
 * caller can also open platforms that platform_expand() does not find. */
struct platform *platform_open_by(bool (*expand)(struct tree *tree, const char *path,
					  const char *directory, struct diag *diag),
	const char *name, const char *directory, const struct constant_table *tables,
	size_t table_count, struct diag *diag);

/* Frees a platform and its cluster_info. NULL is allowed. */
void platform_free(struct platform *platform);

/* Returns the names of the platforms in `directory`, sorted, without .yaml. The list ends with
 * NULL. The list and its strings are in `arena`. A file whose name begins with '_' is not listed:
 * it is not a whole platform, but a part that other files name in `extends`. */
const char *const *platform_list(const char *directory, struct arena *arena);

/* ---- contents ---- */

const char *platform_name(const struct platform *platform);
const char *platform_description(const struct platform *platform);

/* Returns the description of the machine that devices and the runtime use. The description is valid
 * as long as the platform. The chips of the mesh come first, row by row. The gateway chips follow,
 * from the first row to the last. */
const struct cluster_info *platform_cluster(const struct platform *platform);

enum { PLATFORM_HOSTS_MAX = 64 };

/* Direction in which the hosts' parts of the mesh are joined. */
enum platform_along { PLATFORM_ALONG_ROWS, PLATFORM_ALONG_COLUMNS };

/* The machines of the hosts and the controller. */
enum platform_machines {
	PLATFORM_MACHINE_EACH, /* each host has its own machine; a network connects them */
	PLATFORM_MACHINE_ONE,  /* all hosts are processes of one machine, connected by loopback */
};

/* Where the processes of one machine run. */
enum platform_cores {
	PLATFORM_CORES_SHARED, /* all processes run on all cores of the machine */
	PLATFORM_CORES_OWN,    /* process i runs on core i, modulo the number of cores */
};

/* A machine of several hosts. Each host has one server, and the chips that platform_cluster()
 * describes. Servers 0..count-1 belong to the hosts, in the order of the hosts' parts of the mesh.
 * Server `count` belongs to the controller, which has no chips. */
struct platform_hosts {
	uint16_t count; /* number of hosts with chips; if 1, the controller is on another server */
	enum platform_along along;
	enum platform_machines machines;
	enum platform_cores cores;	  /* always SHARED without PLATFORM_MACHINE_ONE */
	uint16_t mesh_rows, mesh_columns; /* number of rows and of columns of the whole mesh */
	uint16_t links; /* fabric links between two neighbours on two hosts; 0: none */
	bool wraps;	/* true: links join the last host to the first, too */
};

/* The hosts of the machine. NULL if the machine has one server, on which the program runs. */
const struct platform_hosts *platform_hosts(const struct platform *platform);

/* Returns the description of the chips of one host, which must exist. It is like the result of
 * platform_cluster(). If links join the hosts, it also describes the machine of all hosts. */
const struct cluster_info *platform_host_cluster(const struct platform *platform, uint16_t host);

/* True if dispatch firmware runs on Ethernet tiles (tiles.dispatch_cores). */
bool platform_dispatches_on_ethernet(const struct platform *platform);

/* Number of Tensix tiles of the whole machine: workers and dispatch tiles. */
uint32_t platform_tensix_tiles(const struct platform *platform);

/* Sets the members of `object` that `table` lists, in the units of the table. The table must be one
 * of the tables with which platform_new() was called. */
void platform_bind(
	const struct platform *platform, const struct constant_table *table, void *object);

/* Returns the value of a constant. `name` is its name in the file; the value is in the unit of the
 * table that lists the constant. A table must list it. */
double platform_real(const struct platform *platform, const char *name);

/* All constants, in the order of the file. */
size_t platform_constant_count(const struct platform *platform);
const struct platform_constant *platform_constant(const struct platform *platform, size_t index);

/* The constant that a table calls `name`, or NULL. */
const struct platform_constant *platform_find_listed(
	const struct platform *platform, const char *name);

/* The constant with that name in the file, or NULL. */
const struct platform_constant *platform_find(const struct platform *platform, const char *name);

/* Returns true if the constant was measured on other machines than the one that the platform
 * describes, or fitted to their data (`measured_on` of the platform). */
bool platform_borrows(const struct platform *platform, const struct platform_constant *constant);

/* Writes the output of `meshsim platform show`: the shape, the wiring, and a table of all constants
 * with value, unit, kind and source. If `json` is set, writes JSON. */
void platform_show(const struct platform *platform, bool json, FILE *out);

/* Writes to `out` the JSON Schema of platform files, with the constants of the tables. The schema
 * requires no key, because a file may be a layer that overrides another file. Missing keys are
 * reported by platform_new(), when all layers are known. */
void platform_write_schema(
	const struct constant_table *tables, size_t table_count, struct text *out);

/* ---- SimGrid (model/platform/simgrid*.c) ----
 *
 * The platform that SimGrid loads has one of two layouts.
 *
 * SERVERS: the servers, the network between them, and one link of each kind that chips have: both
 * directions of PCIe (of the first chip that has PCIe), and the first Ethernet link. In this
 * layout, the event engine models chips and tiles.
 *
 * ZONES: the servers, and one zone per chip, for models whose messages are SimGrid communications.
 * A zone has every tile with memory, and for each Ethernet link a "port", which is the far end of
 * the link. The machine has at most PLATFORM_CORES_MAX Tensix tiles, because the time that SimGrid
 * needs grows with the number of zones times the number of objects. No SimGrid link connects two
 * zones: a message that leaves through a port continues at the chip to which the port leads. */
enum platform_layout { PLATFORM_SERVERS, PLATFORM_ZONES };

enum { PLATFORM_CORES_MAX = 6000, PLATFORM_NAME_BYTES = 48 };

/* True if the machine is small enough for ZONES: every Tensix tile can be a SimGrid host. */
bool platform_has_cores(const struct platform *platform);

/* Writes the SimGrid platform (XML) to a file in memory, and sets *file to this file. Writes to
 * `path` a path by which engine_open() can open it; 64 bytes are enough. The path is valid until
 * the caller closes *file, which also frees the memory. Returns OK, or IO if the file could not be
 * written. */
enum status platform_save_simgrid(const struct platform *platform, enum platform_layout layout,
	char *path, size_t size, FILE **file);

/* These functions write the name of a SimGrid host to `out`, which has PLATFORM_NAME_BYTES, and
 * return `out`. Servers are numbered from 0, as in platform_hosts(). The hosts for chips, cores and
 * ports exist only in the layout ZONES. */
const char *platform_server_name(uint16_t server, char *out);
const char *platform_chip_name(uint16_t chip, char *out);
const char *platform_core_name(uint16_t chip, uint16_t tile, char *out);
const char *platform_port_name(uint16_t from, uint16_t to, uint16_t index, char *out);

/* These functions write the name of a SimGrid link to `out`, and return `out`. A link has one
 * direction. A link of SimGrid stands for one of three things: the PCIe of a chip in one direction
 * (towards the chip or the host); an Ethernet link from a chip to a neighbour; or the NoC port of
 * a tile (only in ZONES). */
/* platform_nic_link() writes the name of a link between a server and the switch that joins the
 * hosts: towards the server if `to_server` is set, otherwise towards the switch. These links exist
 * only if platform_hosts() has hosts. Both links have the latency of the NIC; the link to the
 * server also has that of the switch. */
const char *platform_nic_link(uint16_t server, bool to_server, char *out);
const char *platform_pcie_link(uint16_t chip, bool to_chip, char *out);
const char *platform_lane_link(uint16_t from, uint16_t to, uint16_t index, char *out);
const char *platform_core_link(uint16_t chip, uint16_t tile, bool to_core, char *out);

struct link_rate {
	uint64_t bandwidth_bytes_per_s;
	int64_t latency_ps;
};

/* Returns the exact bandwidth and latency of a SimGrid link of the loaded platform. The bandwidth
 * of an Ethernet link is for a single link. Call it after engine_open(). Aborts if there is no link
 * with this name. */
struct link_rate platform_link_rate(const char *link_name);

#endif

/* The platform object, and the shape of a machine as the YAML file describes it. Only files of this
 * folder use this header. */
#ifndef PLATFORM_PRIVATE_H
#define PLATFORM_PRIVATE_H

#include "base/arena.h"
#include "base/nearest.h"
#include "base/text.h"
#include "platform/platform.h"
#include "world/bounds.h"

#define CHIP_NUMBERS "their numbers have 16 bits" /* why BOUND_CHIPS is the largest number */

enum {
	PATH_BYTES_MAX = 4096 /* maximum number of bytes of a file name */
};

struct coordinate {
	uint8_t at[2]; /* x and y of the tile */
};

/* A list of small numbers: rows or columns. */
struct indices {
	const uint8_t *items;
	uint32_t count;
};

struct coordinates {
	const struct coordinate *items;
	uint32_t count;
};

/* Tensix rows and columns that are switched off on a chip. */
struct harvest {
	struct indices rows, columns;
};

/* The tiles on which dispatch firmware runs. */
enum dispatch_cores { DISPATCH_CORES_WORKER, DISPATCH_CORES_ETHERNET };

/* `tiles:` of the file. */
struct tiles_shape {
	uint8_t grid[2];	     /* number of columns, number of rows */
	uint32_t arch, harvest_mask; /* for bench/cables, which reads them from the tree */
	struct indices tensix_columns, tensix_rows;
	struct harvest harvested;
	struct indices *harvested_by_chip; /* chip i has the rows [i % harvested_count] */
	uint32_t harvested_count;	   /* 0: all chips have the rows of `harvested` */
	uint8_t dispatch_rows, dispatch_columns;
	uint32_t dispatch_cores; /* an enum dispatch_cores */
	struct coordinates ethernet, dram;
	uint8_t pcie[2];
	struct location where;
};

/* `topology.gateways:` of the file: one additional chip per row of the mesh. */
struct gateway_shape {
	uint16_t links;
	struct harvest harvested;
	uint8_t dispatch_rows;
};

/* Row and column of a chip of the mesh. */
struct place {
	uint16_t at[2];
};

struct place_pair {
	struct place ends[2];
};

/* Pairs of neighbours. They are listed one by one, or drawn at random as a share of all pairs. */
struct place_pairs {
	struct place_pair *items;
	uint32_t count;
	double share;
	bool drawn; /* the list was drawn, because the file gives a share */
};

/* `topology.missing:` of the file. */
struct missing_shape {
	struct place_pairs connections, links;
	struct place *chips;
	uint32_t chip_count;
	uint64_t seed;
};

/* One chip of `topology.wiring`. */
struct wired_chip {
	uint16_t *at; /* row and column for each chip; empty: the chip is not in the mesh */
	uint32_t at_count;
	bool pcie;
	struct harvest harvested;
};

/* Two chips and the parallel links between them. */
struct wired_link {
	uint16_t chips_and_links[3];
};

/* `topology.wiring:` of the file: all chips and links of a machine, one by one. */
struct wiring_shape {
	struct wired_chip *chips;
	uint32_t chip_count;
	struct wired_link *links;
	uint32_t link_count;
};

/* `topology:` of the file. */
struct topology_shape {
	uint16_t mesh[2]; /* number of rows and of columns */
	bool wrap[2];	  /* rows wrap (the last column is joined to column 0); columns wrap */
	uint16_t links, other_links;
	bool pcie_all;
	struct indices pcie_columns;
	struct gateway_shape *gateways;
	struct missing_shape missing;
	struct wiring_shape *wiring; /* wiring of the machine; NULL: the mesh describes all links */
	struct location where, mesh_where, wrap_where;
};

/* `hosts:` of the file. */
struct hosts_shape {
	uint16_t count;
	uint32_t along;	   /* an enum platform_along */
	uint32_t machines; /* an enum platform_machines */
	uint32_t cores;	   /* an enum platform_cores */
	uint16_t links;	   /* number of links between two neighbours that are on two hosts */
	bool wrap;	   /* true: links join the last host to the first, too */
	struct location where;
};

struct platform_shape {
	int64_t version;
	const char *name, *description;
	const char *measured_on; /* names of platforms, separated by commas; "": unknown */
	struct tiles_shape tiles;
	struct topology_shape topology;
	struct hosts_shape *hosts; /* NULL: the machine has one server, on which the program runs */
};

struct platform {
	struct arena arena;
	struct tree *tree; /* the tree from which it was read; only set by platform_open() */
	struct platform_shape shape;
	struct platform_constant *constants; /* constants in the order of the file */
	struct platform_constant **by_name;  /* the same constants, sorted by name */
	size_t constant_count;
	struct cluster_info cluster;
	struct platform_hosts hosts;
	struct cluster_info *of_hosts; /* chips of each host; NULL: no links join hosts */
};

/* unit.c. Converts `value` from unit `from` to unit `to`, and stores the result in *out. Returns
 * false if the two units do not have the same dimension. */
bool unit_convert(double value, const char *from, const char *to, double *out);

/* Returns unit number `index` of the units with the same dimension as `unit`, for example of all
 * units of time. Returns NULL if there are not so many. */
const char *unit_alike(const char *unit, size_t index);

/* Default bounds of a constant in `unit`, for tables that give none; 0, 0: no bounds. */
void unit_bounds(const char *unit, double *least, double *most);

/* shape.c. Binds all keys of `node` except constants. Returns false after errors. */
bool shape_bind(struct platform *platform, const struct tree_node *node, struct diag *diag);

/* Returns true if `key` of the platform's map belongs to the shape. Otherwise passes the names of
 * all keys of the shape to `nearest`, which finds the most similar one, and returns false. */
bool shape_has_key(const char *key, struct nearest *nearest);

/* Writes the JSON Schema of a platform file. `sections` has `count` additional keys; each is a
 * section of constants. */
void shape_append_json(const struct schema_field *sections, size_t count, struct text *out);

/* One constant that some table lists. */
struct listed {
	const char *name; /* name in the file */
	size_t length;	  /* length of the name, compared first because most names differ in it */
	const struct constant_spec *spec; /* its entry in the first table that lists it */
	const char *consumer;
	/* tightest bounds of all tables and of the unit, in spec->unit; 0: none */
	double least, most;
	bool of_hosts; /* true: only machines of several hosts need the constant */
};

/* constant.c. Returns a list of the constants of all tables, each once; in `arena`. */
struct listed *constants_list(struct arena *arena, const struct constant_table *tables,
	size_t table_count, size_t *count);

/* Binds every constant below `node`. Returns false after errors. */
bool constants_bind(struct platform *platform, const struct tree_node *node,
	const struct constant_table *tables, size_t table_count, struct diag *diag);

/* Constants that the files of this folder need. */
extern const struct constant_table platform_table;	   /* cluster.c */
extern const struct constant_table platform_simgrid_table; /* simgrid.c */
extern const struct constant_table platform_hosts_table;   /* simgrid_hosts.c */

/* platform.c. Returns the tables of this folder and the given ones together; in `arena`. */
const struct constant_table *constants_all_tables(
	struct arena *arena, const struct constant_table *tables, size_t *table_count);

/* cluster.c. Fills platform->cluster from shape and constants. Returns false after errors. */
bool cluster_build(struct platform *platform, struct diag *diag);

/* Number of Ethernet links of the chip at a place of the mesh. */
unsigned shape_links(const struct topology_shape *topology, unsigned row, unsigned column);

/* wiring.c. Writes all pairs of neighbours of a complete mesh to `pairs`, row by row, and returns
 * the number of pairs. For each chip, the pair with the chip to its right comes before the pair
 * with the chip below it. `pairs` must have space for 2 x rows x columns pairs. */
uint32_t wiring_pairs(const struct topology_shape *topology, struct place_pair *pairs);

/* Fills platform->cluster.connections from `topology.wiring`. If the platform has no
 * `topology.wiring`, uses the connections of the mesh and its gateways, except for missing parts.
 * `chips` has the number of the chip at each place, or CHIP_NONE if the chip is missing. */
void wiring_connect(struct platform *platform, const uint16_t *chips);

/* wired.c. The schema of `topology.wiring`. */
extern const struct schema wiring_schema;

/* Reports chips and links that do not fit the mesh and the tiles; `node` is the topology's map. */
void wired_check(
	const struct platform_shape *shape, const struct tree_node *node, struct diag *diag);

/* Number of links of the busiest chip. */
unsigned wired_links_most(const struct wiring_shape *wiring);

/* hosts.c. The schema of `hosts`, and a check of the number of chips and of `cores`. */
extern const struct schema hosts_schema;
void hosts_check(const struct hosts_shape *hosts, uint32_t chips_of_one, struct diag *diag);

/* Fills platform->hosts from the shape. */
void hosts_build(struct platform *platform);

/* simgrid_hosts.c. These functions write the servers and, if there are several servers, the links
 * and routes between them. They must be called in the order in which they are declared here,
 * because SimGrid requires this order in the file. */
void hosts_write_servers(const struct platform *platform, unsigned cores, FILE *out);
void hosts_write_links(const struct platform *platform, FILE *out);
void hosts_write_routes(const struct platform *platform, FILE *out);

/* missing.c. The schema of `topology.missing`. */
extern const struct schema missing_schema;

/* Reports missing parts that a complete machine does not have; `node` is the topology's map. */
void missing_check(
	const struct topology_shape *topology, const struct tree_node *node, struct diag *diag);

bool missing_chip(const struct topology_shape *topology, unsigned row, unsigned column);

/* Counts how often a list has a pair, in either order. */
unsigned missing_count(const struct place_pairs *pairs, struct place_pair pair);

/* Returns how many of the parallel links between two neighbours are missing. If the whole
 * connection is missing, this is the number of all its links. */
unsigned missing_links(const struct topology_shape *topology, struct place_pair pair);

/* missing_draw.c. The platform at `path` may say what share of its chips and links is missing.
 * Replaces each share by a list of missing chips or links, which are chosen at random with the
 * platform's seed. So the result file records the machine that was simulated. Does nothing if the
 * topology is invalid; platform_new() reports the errors later. Returns false after errors. */
bool missing_settle(struct tree *tree, const char *path, struct diag *diag);

/* shape.c. Binds the map of a topology alone. */
bool shape_bind_topology(const struct tree_node *node, struct topology_shape *topology,
	struct arena *arena, struct diag *diag);

/* simgrid.c. The figures of SimGrid's hosts and links. */
struct simgrid_rates {
	uint64_t pcie_down_bytes_per_s, pcie_up_bytes_per_s, ethernet_bytes_per_s;
	uint64_t dram_read_bytes_per_s, dram_write_bytes_per_s;
	double pcie_down_latency_ns, pcie_up_latency_ns, ethernet_latency_ns;
	double clock_hz, noc_latency_cycles, injection_bytes_per_cycle, ejection_bytes_per_cycle;
	uint32_t flit_bytes, sockets, cores_per_socket;
};

/* simgrid_names.c. */
void simgrid_write_link(FILE *out, const char *name, double bytes_per_s, double latency_ns);
void simgrid_write_pcie(FILE *out, const struct simgrid_rates *rates, uint16_t chip);
void simgrid_write_route(FILE *out, const char *from, const char *to, const char *link);

/* simgrid_zones.c. */
void simgrid_write_zones(
	const struct platform *platform, const struct simgrid_rates *rates, FILE *out);

/* Rows and columns that are switched off on a chip of the mesh. */
struct harvest shape_harvested(const struct tiles_shape *tiles, unsigned chip);

/* Number of chips of the mesh and gateways of a valid shape. */
uint32_t shape_chips(const struct topology_shape *topology);

#endif

/* Chakra execution traces, the format of MLCommons. A trace has one file for each rank. A file is a
 * sequence of protobuf messages, each after its length as a varint: first the metadata, then the
 * nodes of the rank's graph, which are operations with dependencies. */
#ifndef BENCH_TOOLS_CHAKRA_H
#define BENCH_TOOLS_CHAKRA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "bench/tools/import/import.h"

struct platform;

enum {
	CHAKRA_RANKS_MAX = 4096,
	CHAKRA_NODES_MAX = 200000, /* of a rank */
	CHAKRA_NEEDS_MAX = 100000, /* most dependencies of a node */
	CHAKRA_MESSAGE_MAX = 16 << 20,
	CHAKRA_NAME_MAX = 64, /* longer names are cut */
};

/* The kinds of nodes, with the numbers of the file format. */
enum chakra_type {
	CHAKRA_METADATA = 1,
	CHAKRA_LOAD,
	CHAKRA_STORE,
	CHAKRA_COMPUTE,
	CHAKRA_SEND,
	CHAKRA_RECEIVE,
	CHAKRA_COLLECTIVE,
	CHAKRA_TYPES
};

enum chakra_comm {
	CHAKRA_ALL_REDUCE,
	CHAKRA_REDUCE,
	CHAKRA_ALL_GATHER,
	CHAKRA_GATHER,
	CHAKRA_SCATTER,
	CHAKRA_BROADCAST,
	CHAKRA_ALL_TO_ALL,
	CHAKRA_REDUCE_SCATTER,
	CHAKRA_BLOCKS, /* reduce-scatter by blocks */
	CHAKRA_BARRIER,
	CHAKRA_COMMS
};

/* chakra_type_name() returns the name of a kind of node, chakra_comm_name() that of a collective,
 * such as "all-reduce". */
const char *chakra_type_name(uint32_t type);
const char *chakra_comm_name(uint32_t comm);

/* A node. Numbers that the file does not give are 0. */
struct chakra_node {
	uint64_t id;
	const char *name; /* letters, digits, '-' and '_', at most CHAKRA_NAME_MAX; or "" */
	uint32_t type, comm;
	uint32_t *needs; /* indices of the nodes that it depends on */
	uint32_t need_count;
	bool on_cpu;
	uint64_t duration_ns;
	uint64_t bytes;			   /* comm_size: bytes that the rank contributes */
	uint64_t operations, tensor_bytes; /* num_ops and tensor_size */
	/* send, receive: the other rank, and the tag. In nodes that meshsim has written: the
	 * program's place in the list of its step; of a collective of groups, the number of its
	 * step
	 */
	uint32_t peer, tag;
	uint32_t root;	   /* broadcast: the rank that sends */
	uint32_t place;	   /* in collectives that meshsim has written: place in the group, from 1;
			    * 0: groups are in the order of their ranks */
	bool some_dims;	   /* involved_dim leaves out a dimension of the network */
	const char *group; /* pg_name or comm_group, or "" */
	const char *keys;  /* in nodes that meshsim has written: keys of the scenario's step, or
			    * a mark (chakra_plan.h); otherwise "" */
};

/* The nodes of a rank, in the order of the file. */
struct chakra_rank {
	struct location where; /* the file */
	struct chakra_node *nodes;
	uint32_t count;
	/* only if meshsim has written the file: */
	const char *platform;	/* name of the machine, or "" */
	uint32_t rows, columns; /* size of the mesh; 0: the file does not give it */
	bool ring;		/* the ranks are numbered along a ring; otherwise along a line */
};

struct chakra_trace {
	const char *name; /* file name without folder, rank and ending */
	struct chakra_rank *ranks;
	uint32_t count;
};

/* Returns true if a file of a trace can begin with these bytes. */
bool chakra_takes(const void *head, size_t length);

/* Reads one rank from memory, into `arena`. Error messages show `name` as the file name. Checks
 * that all dependencies exist and form no circle. Returns false after errors, which are in `diag`.
 */
bool chakra_read_rank(const char *name, const void *bytes, size_t length, struct arena *arena,
	struct diag *diag, struct chakra_rank *rank);

/* Reads a trace. `path` is a folder, or one of the files NAME.RANK.et; the files of the other ranks
 * are read, too. Returns NULL after errors, which are in `diag`. */
struct chakra_trace *chakra_read(const char *path, struct arena *arena, struct diag *diag);

/* Appends the scenario of a trace to `scenario`, and a line for each assumption to `notes`.
 * `machine` is the name of `platform`. Returns false with errors in `diag`. */
bool chakra_import_trace(const struct chakra_trace *trace, const struct import_request *request,
	const struct platform *platform, const char *machine, struct arena *arena,
	struct diag *diag, struct text *scenario, struct text *notes);

/* Returns the first file of a trace in the folder `path`, in `arena`, or NULL if there is none. */
const char *chakra_first_file(const char *path, struct arena *arena);

/* Appends the file of a rank: the metadata and all nodes. Nodes may depend only on nodes of the
 * same rank. */
void chakra_write_rank(const struct chakra_rank *rank, struct text *out);

/* Sets order[] to the nodes of a rank. Each node comes after the nodes on which it depends. Among
 * nodes that are ready, the node with the lowest id comes first. Returns the number of nodes in
 * order[]. Nodes that are in a circle of dependencies, or depend on one, are left out. */
uint32_t chakra_order(const struct chakra_rank *rank, uint32_t *order);

#endif

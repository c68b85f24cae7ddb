/* Declarations that the files of `meshsim place` share: its options, and the contents of its input
 * files. Only for files of this folder. */
#ifndef BENCH_TOOLS_PLACE_PLACE_H
#define BENCH_TOOLS_PLACE_PLACE_H

#include <stdio.h>

#include "base/json.h"
#include "base/tree.h"
#include "bench/tools/options/option.h"
#include "bring_up/control_plane.h"
#include "topology/bindings.h"
#include "topology/groupings.h"
#include "topology/place.h"

struct place_command {
	const char *mesh_graph, *psd, *groupings, *output, *svg, *check, *rankfile, *cases;
	struct option_texts clusters, pins, lost;
	struct option_number budget;
	bool strict, relaxed, split_boards, any_host, routes, json;
	uint32_t vcs;
	struct place_pin *parsed;	/* parsed from `pins` */
	struct mgd_position *positions; /* the positions of `parsed` */
};

/* The contents of all input files. A member is NULL if its file was not given. */
struct place_files {
	struct mesh_graph *mesh_graph;
	struct logical *logical;
	struct machine *machine;
	struct groupings *groupings;
	struct bindings *bindings;
	struct rankfile *rankfile;
	struct place_options options;
	struct control_loss *lost; /* channels that routes must not use */
	uint32_t lost_count;
	/* Options whose `sets` are all groups of chips that the groupings find in the machine. */
	struct place_options grouped;
	struct arena arena;
	struct diag *diag;
};

/* place_read.c: reads the files of the command. Adds errors to `files->diag`, and returns false if
 * there are errors. */
bool place_files_read(struct place_files *files, const struct place_command *command);
void place_files_free(struct place_files *files);

/* Sets `files->options` from the command's options and the contents of the files. Adds errors to
 * `files->diag`, and returns false if there are errors. */
bool place_files_prepare(struct place_files *files, const struct place_command *command);

/* place_bindings.c: reads the bindings of --check, and the files that the bindings name. Adds
 * errors to `files->diag`. */
void place_bindings_read(struct place_files *files, const struct place_command *command);

/* Checks the bindings against the descriptor. Stores in `files->options` which chips each rank may
 * use. Adds errors to `files->diag`, and returns false if there are errors. */
bool place_bindings_take(struct place_files *files, const struct place_command *command);

/* Parses a pin: MESH:CHIP=TRAY:LOCATION, MESH:CHIP=HOST:TRAY:LOCATION or MESH:CHIP=asic:ID. After
 * the first two forms, further ",TRAY:LOCATION" may follow; the chip may then be at any of these
 * positions. `positions` must have space for one more position than `text` has commas. `positions`
 * and `text` must exist as long as the pin. Returns false with a message in `why` if the text is
 * malformed. */
bool place_parse_pin(
	char *text, struct place_pin *pin, struct mgd_position *positions, struct text *why);

/* place_print.c. If there is no placement, place_print() prints `advices`. */
struct advices;
void place_print_files(const struct place_files *files, FILE *out);
void place_print(const struct place_files *files, const struct mesh_placement *placement,
	const struct advices *advices, FILE *out);

/* place_draw.c */
void place_draw(const struct place_files *files, const uint32_t *image, FILE *out);

/* place_svg.c */
void place_svg(const struct place_files *files, const uint32_t *image, struct text *out);

/* place_routes.c: the control plane of a placement. `plane` is NULL, and `why` has the reason, if
 * there is none. If a check finds it not sound, `why` has the reason, too. */
struct place_routes {
	struct control_plane *plane;
	bool sound;
	struct text why;
};

/* Sets the lost channels of `files` from --lost. Adds errors to `files->diag`. */
void place_routes_take_lost(struct place_files *files, const struct place_command *command);

/* Makes the control plane for routers with at most `vcs` virtual channels, and checks it. */
void place_routes_make(struct place_routes *routes, const struct place_files *files,
	const struct mesh_placement *placement, uint32_t vcs);
void place_routes_free(struct place_routes *routes);
void place_routes_print(
	const struct place_files *files, const struct place_routes *routes, FILE *out);

/* The routes between all pairs of chips of a mesh, in hops. */
struct route_lengths {
	uint32_t longest;
	double mean;
};

struct route_lengths place_routes_lengths(
	const struct control_plane *plane, const struct logical *logical, uint32_t mesh);

/* place_routes_json.c: writes the member `routes`. */
void place_routes_json(
	struct json *json, const struct place_files *files, const struct place_routes *routes);

/* place_json.c. `routes` is NULL if they were not asked for. */
void place_json(const struct place_files *files, const struct mesh_placement *placement,
	const struct advices *advices, const struct place_routes *routes, FILE *out);

/* place_write.c: writes rank_bindings.yaml, rankfile.txt and visible_devices.txt into `folder`.
 * Returns false after a message on standard error. */
bool place_write(const struct place_files *files, const struct mesh_placement *placement,
	const char *mesh_graph, const char *folder);
bool place_write_svg(
	const struct place_files *files, const struct mesh_placement *placement, const char *path);

/* place_cases.c: runs the cases of a file. Returns an exit code. */
int place_cases(const char *path, FILE *out);

/* Declarations that the functions which run cases share: graphs read from JSON, and the expected
 * outcome. Only for files of this folder. */

/* A graph of a case. A case gives either the nodes (as a number or as ids) and the edges, or a
 * shape and the kind of its wiring. */
struct case_graph {
	uint32_t count;
	uint64_t *ids; /* ids of the nodes */
	struct wired_edge *edges;
	uint32_t edge_count;
	const struct tree_node *positions; /* {"0": [tray, location]}, or NULL */
	int64_t rank;			   /* -1: the case gives no rank */
	uint32_t rows, columns;		   /* the shape; 1 x count if the case gives no shape */
};

/* A join of two graphs. It joins the whole graphs, or one node of each graph. */
struct case_join {
	uint32_t a, b, channels;
	uint32_t node_a, node_b; /* SOLVE_ANY: the whole graphs are joined */
};

struct case_graphs {
	struct case_graph *graphs;
	uint32_t count;
	struct case_join *joins;
	uint32_t join_count;
};

/* The context in which a case is read. If the case cannot be run, the reason is appended to the
 * member `why`. */
struct case_words {
	struct arena *arena;
	struct text *why;
};

/* Reads a graph. Returns false with the reason in `why` if it is not understood. */
bool case_read_graph(
	const struct tree_node *node, struct case_graph *graph, const struct case_words *words);
bool case_read_graphs(
	const struct tree_node *node, struct case_graphs *graphs, const struct case_words *words);

/* Returns the number of the node with this id, or SOLVE_ANY if no node has it. */
uint32_t case_find(const struct case_graph *graph, const char *id);

enum case_result { CASE_GOOD, CASE_DIFFERS, CASE_NOT_RUN };

/* Functions that run cases. Those of cases_map.c place one mesh or several meshes, those of
 * cases_solve.c call only the solver, and those of cases_counts.c compare counts. If the outcome
 * differs from the expected outcome, or if the case could not be run, they append the reason to
 * words->why. Exception: case_calls() gives no reason if a case with `expect: intersect` or
 * `expect: counts` differs. */
enum case_result case_map(const struct tree_node *node, const struct case_words *words);
enum case_result case_map_several(const struct tree_node *node, const struct case_words *words);
enum case_result case_solve(const struct tree_node *node, const struct case_words *words);
enum case_result case_calls(const struct tree_node *node, const struct case_words *words);
enum case_result case_logical(
	const struct tree_node *node, const char *folder, const struct case_words *words);
enum case_result case_hierarchy(const struct tree_node *node, const struct case_words *words);

/* cases_check.c: returns true if each value of a case has the type that its key needs. Otherwise,
 * appends the key to `why` and returns false. */
bool case_is_sound(const struct tree_node *node, const struct case_words *words);

/* Compares the verdict with the expected verdict. Appends the difference to `why`. */
enum case_result case_judge(const struct tree_node *node, enum solve_verdict verdict,
	const char *reason, const struct case_words *words);

/* True if the policy of a case is RELAXED. */
bool case_is_relaxed(const struct tree_node *node);

/* Returns an unsigned number, or `fallback` if the node is not one. */
uint64_t case_number(const struct tree_node *node, uint64_t fallback);

/* Returns the text of a scalar, or "". */
const char *case_text(const struct tree_node *node);

/* Returns true if all keys of a case are in `known`, which ends with NULL. Otherwise, appends the
 * first unknown key to `why` and returns false. */
bool case_knows(
	const struct tree_node *node, const char *const *known, const struct case_words *words);

#endif

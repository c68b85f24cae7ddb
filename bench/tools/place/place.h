/* Declarations that the files of `meshsim place` share: its options, and the contents of its input
 * files. Only for files of this folder. */
#ifndef BENCH_TOOLS_PLACE_PLACE_H
#define BENCH_TOOLS_PLACE_PLACE_H

#include <stdio.h>

#include "base/json.h"
#include "bench/tools/options/option.h"
#include "topology/bindings.h"
#include "topology/groupings.h"
#include "topology/place.h"

struct place_command {
	const char *mesh_graph, *psd, *groupings, *output, *svg, *check, *rankfile, *cases;
	struct option_texts clusters, pins;
	struct option_number budget;
	bool strict, relaxed, split_boards, any_host, json;
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

/* place_json.c */
void place_json(const struct place_files *files, const struct mesh_placement *placement,
	const struct advices *advices, FILE *out);

/* place_write.c: writes rank_bindings.yaml, rankfile.txt and visible_devices.txt into `folder`.
 * Returns false after a message on standard error. */
bool place_write(const struct place_files *files, const struct mesh_placement *placement,
	const char *mesh_graph, const char *folder);
bool place_write_svg(
	const struct place_files *files, const struct mesh_placement *placement, const char *path);

/* place_cases.c: runs the cases of a file. Returns an exit code. */
int place_cases(const char *path, FILE *out);

#endif

/* Launches that one host assembles and others send (spec 4.8.2.1): the commands of a program of a
 * workload, as bytes, and a layout that says where in them a host puts what only it knows, as it
 * does in a launch that it has cached: the operation, the slot of the launch ring, places in the
 * ring of configurations and in the kernel cache. Arguments are in the bytes alone. */
#ifndef MESH_ASSEMBLED_H
#define MESH_ASSEMBLED_H

#include "mesh/description.h"

struct assembled; /* opaque */

/* For whom. */
struct assembled_for {
	const struct mesh_config *config; /* theirs, but for shapes; outlives what is assembled */
	bool everywhere;  /* all of their devices run it: its binaries are in the kernel cache */
	uint32_t address; /* of every DRAM bank, where the binaries lie */
};

/* Whether one assembly does for all devices of such meshes, in one transaction each: not with
 * physical coordinates, goes for all workers, commands kind by kind, or operations that are created
 * for each device. */
bool assembled_fits(const struct mesh_config *config);

/* The same of a workload: not with kernels on Ethernet cores, whose tiles are each host's, or with
 * arguments that differ from device to device. */
bool assembled_fits_workload(const struct workload *workload);

/* From now on programs of the site, which no mesh device has, can be assembled for devices of that
 * geometry. */
void assembled_on(struct program_site *site, const struct chip_geometry *geometry);

/* Assembles program `index` of a workload that is a description, on a site with a geometry, and
 * seals it. Charges as a launch that is built. Both must fit. */
struct assembled *assembled_new(
	struct workload *workload, uint32_t index, const struct assembled_for *at);
void assembled_free(struct assembled *assembled);

/* Puts the arguments in that the program has by now. Charges WORK_PATCH_ARGUMENT per word. */
void assembled_refresh(struct assembled *assembled);

/* The layout, ASSEMBLED_LAYOUT and offsets; and the commands. `out` of as many. */
uint32_t assembled_words(const struct assembled *assembled, uint32_t *out); /* NULL: how many */
uint32_t assembled_bytes(const struct assembled *assembled, uint8_t *out);  /* likewise */

/* ---- on the host that sends them ---- */

/* A program of the workload is launched with these commands, which are copied; those for hosts all
 * of whose devices run it are left alone where some do not, and the other way round. INVALID, with
 * a sentence, unless the layout is that of such a program and lies within the bytes; UNSUPPORTED
 * with a mesh that they would not fit. `generation`: from 1, for workload_launch_as(). */
enum status workload_give_commands(struct workload *workload, const struct program *program,
	uint32_t generation, const uint32_t *words, uint32_t word_count, const uint8_t *bytes,
	uint32_t count, struct text *why);

/* From now on the workload is launched with the commands of this generation, and with nothing else:
 * an enqueue is INVALID if they did not come, or read binaries elsewhere. 0: it is assembled here.
 */
void workload_launch_as(struct workload *workload, uint32_t generation);

#endif

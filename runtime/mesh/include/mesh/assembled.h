/* Launches that one host assembles and other hosts send (spec 4.8.2.1). An assembled launch is the
 * command stream of one program of a workload, as bytes, with a layout. The layout lists the places
 * in the bytes that each sending host patches with its own values: the operation, the slot of the
 * launch ring, and places in the config ring and in the kernel cache. Hosts patch cached launches
 * in the same way. Arguments are part of the bytes, and the layout does not list them. */
#ifndef MESH_ASSEMBLED_H
#define MESH_ASSEMBLED_H

#include "mesh/description.h"

struct assembled; /* opaque */

/* The devices that a launch is assembled for. */
struct assembled_for {
	const struct mesh_config *config; /* configuration of the hosts' mesh devices, except
					   * shapes; must outlive the assembled launch */
	bool everywhere;  /* all devices run the program, so its binaries are in the kernel cache */
	uint32_t address; /* of the binaries, in every DRAM bank */
};

/* Returns true if one assembled launch fits all devices of meshes with this configuration, and each
 * device gets it in one transaction. Returns false with physical coordinates, go signals for all
 * workers, breadth-first commands, or operations created per device. */
bool assembled_fits(const struct mesh_config *config);

/* Returns true if one assembled launch also fits the workload. Returns false if the workload has
 * kernels on Ethernet cores (whose tiles differ between hosts), or arguments that differ between
 * devices. */
bool assembled_fits_workload(const struct workload *workload);

/* Allows programs of a site without a mesh device to be assembled for devices of this geometry. */
void assembled_on(struct program_site *site, const struct chip_geometry *geometry);

/* Assembles program `index` of a workload, and seals the program. The workload is a description on
 * a site with a geometry (assembled_on()). Charges the cost of building a launch. Both
 * assembled_fits() and assembled_fits_workload() must hold. */
struct assembled *assembled_new(
	struct workload *workload, uint32_t index, const struct assembled_for *at);
void assembled_free(struct assembled *assembled);

/* Copies the program's current arguments into the bytes. Charges WORK_PATCH_ARGUMENT per word. */
void assembled_refresh(struct assembled *assembled);

/* assembled_words() copies the layout (ASSEMBLED_LAYOUT words, then offsets) into `out`, and
 * returns the number of words. assembled_bytes() does the same with the bytes of the commands. If
 * `out` is NULL, nothing is copied. */
uint32_t assembled_words(const struct assembled *assembled, uint32_t *out);
uint32_t assembled_bytes(const struct assembled *assembled, uint8_t *out);

/* ---- on the host that sends them ---- */

/* Makes launches of a program of the workload use these commands, which are copied. Commands are
 * assembled either for hosts on which all devices run the program, or for hosts on which only some
 * do. If this host is of the other kind, the commands are ignored. Returns INVALID, with a
 * sentence, unless the layout belongs to such a program and its places lie within the bytes;
 * UNSUPPORTED if the commands do not fit this mesh. `generation` counts from 1 and is the number
 * that workload_launch_as() receives. */
enum status workload_give_commands(struct workload *workload, const struct program *program,
	uint32_t generation, const uint32_t *words, uint32_t word_count, const uint8_t *bytes,
	uint32_t count, struct text *why);

/* From now on, launches the workload only with the commands of this generation. An enqueue returns
 * INVALID if these commands have not arrived, or if they read binaries from another address. With
 * `generation` 0 this host assembles the launches itself. */
void workload_launch_as(struct workload *workload, uint32_t generation);

#endif

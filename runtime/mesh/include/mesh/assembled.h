/* Launches that one host assembles and other hosts send (spec 4.8.2.1). An assembled launch is the
 * command stream of one program of a workload, as bytes, together with a layout. The layout lists
 * the offsets at which each sending host writes its own values: the operation number, the slot of
 * the launch ring, and the addresses in the config ring and in the kernel cache. A host patches its
 * own cached launches in the same way. Arguments are in the bytes, but not in the layout. */
#ifndef MESH_ASSEMBLED_H
#define MESH_ASSEMBLED_H

#include "mesh/description.h"

struct assembled; /* opaque */

/* The devices that a launch is assembled for. */
struct assembled_for {
	const struct mesh_config *config; /* configuration of the hosts' mesh devices, except the
					   * shapes; must outlive the assembled launch */
	bool everywhere;  /* true if all devices run the program, so that the kernel cache holds its
			   * binaries */
	uint32_t address; /* address of the binaries, the same in every DRAM bank */
};

/* Returns true if, with this configuration, all devices can use the same assembled launch, and each
 * device gets the launch in one transaction. Returns false if the configuration asks for physical
 * coordinates, for go signals to all workers, for breadth-first commands, or for one operation per
 * device. */
bool assembled_fits(const struct mesh_config *config);

/* Returns true if all hosts can use the same assembled launch of the workload. Returns false if the
 * workload has kernels on Ethernet cores (whose tiles differ between hosts), or arguments that
 * differ between devices. */
bool assembled_fits_workload(const struct workload *workload);

/* Sets the geometry of the devices of a site without a mesh device. This is needed before programs
 * of the site can be assembled. */
void assembled_on(struct program_site *site, const struct chip_geometry *geometry);

/* Returns the assembled launch of program `index` of a workload, and seals the program. The
 * workload must belong to a site with a geometry (assembled_on()). Both assembled_fits() and
 * assembled_fits_workload() must have returned true. Charges the cost of building a launch. */
struct assembled *assembled_new(
	struct workload *workload, uint32_t index, const struct assembled_for *at);
void assembled_free(struct assembled *assembled);

/* Copies the program's current arguments into the bytes. Charges WORK_PATCH_ARGUMENT for each
 * word. */
void assembled_refresh(struct assembled *assembled);

/* assembled_words() copies the layout (ASSEMBLED_LAYOUT words, then offsets) into `out`, and
 * returns the number of words. assembled_bytes() copies the bytes of the commands into `out`, and
 * returns the number of bytes. If `out` is NULL, both functions copy nothing. */
uint32_t assembled_words(const struct assembled *assembled, uint32_t *out);
uint32_t assembled_bytes(const struct assembled *assembled, uint8_t *out);

/* ---- on the host that sends the launches ---- */

/* Copies assembled commands, for later launches of `program` in this workload. workload_launch_as()
 * selects them by their number `generation`, which counts from 1. Commands are made either for
 * hosts on which all devices run the program, or for hosts on which only some devices run it; if
 * this host is of the other kind, ignores the commands and returns OK. Returns OK; INVALID, with a
 * sentence in `why`, if the layout does not match `program` or lists offsets outside the bytes;
 * UNSUPPORTED, with a sentence in `why`, if this mesh or workload cannot use assembled commands. */
enum status workload_give_commands(struct workload *workload, const struct program *program,
	uint32_t generation, const uint32_t *words, uint32_t word_count, const uint8_t *bytes,
	uint32_t count, struct text *why);

/* Makes later enqueues of the workload use only the commands that were given with this generation
 * number. Such an enqueue returns INVALID if these commands have not arrived, or if they read
 * binaries from another address than the workload's. If `generation` is 0, this host builds the
 * commands itself. */
void workload_launch_as(struct workload *workload, uint32_t generation);

#endif

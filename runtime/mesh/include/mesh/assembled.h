/* Launches that one host assembles and other hosts send (spec 4.8.2.1), and routes of kernels over
 * several hosts. An assembled launch is the command stream of one program of a workload, as bytes,
 * together with a layout. The layout lists the offsets at which each sending host writes its own
 * values: the operation number, the slot of the launch ring, and the addresses in the config ring
 * and in the kernel cache. A host patches its own cached launches in the same way. The program's
 * arguments are already in the bytes, so the layout does not list them. */
#ifndef MESH_ASSEMBLED_H
#define MESH_ASSEMBLED_H

#include "fabric/graph.h"
#include "mesh/config.h"
#include "mesh/description.h"
#include "mesh/program.h"

struct assembled; /* opaque */

/* The devices for which a launch is assembled. */
struct assembled_for {
	/* configuration of the hosts' mesh devices; its shape is not used, because shapes may
	 * differ between hosts; must outlive the assembled launch */
	const struct mesh_config *config;
	/* true: all devices of the sending host run the program, so prefetchers read its binaries
	 * through their kernel caches if the binaries fit there */
	bool everywhere;
	uint32_t address; /* address of the binaries, the same in every DRAM bank */
};

/* Returns true if, with this configuration, all devices can use the same assembled launch, and each
 * device gets the launch in one transaction. Returns false if the configuration asks for physical
 * coordinates, for go signals to all workers, for breadth-first commands, or for one operation per
 * device. */
bool assembled_fits(const struct mesh_config *config);

/* Returns true if all hosts can use the same assembled launch of the workload. They cannot if
 * kernels run on Ethernet cores, because the tiles of these cores differ between hosts. They also
 * cannot if arguments differ between devices. */
bool assembled_fits_workload(const struct workload *workload);

/* Sets the geometry of the devices on which the programs of a site run. Call it before programs of
 * a site of program_site_new() are assembled, because such a site has no mesh device. */
void assembled_on(struct program_site *site, const struct chip_geometry *geometry);

/* Returns the assembled launch of program `index` of a workload. Seals the program: kernels,
 * circular buffers and semaphores can no longer be added to it. assembled_on() must have been
 * called for the workload's site, and assembled_fits() and assembled_fits_workload() must have
 * returned true. Charges the cost of building a launch. */
struct assembled *assembled_new(
	struct workload *workload, uint32_t index, const struct assembled_for *at);
void assembled_free(struct assembled *assembled);

/* Copies the program's current arguments into the bytes of the assembled launch. Charges
 * WORK_PATCH_ARGUMENT for each word. */
void assembled_refresh(struct assembled *assembled);

/* assembled_words() copies the layout (a header of ASSEMBLED_LAYOUT words, then the offsets) into
 * `out`, and returns the number of words. assembled_bytes() copies the bytes of the commands into
 * `out`, and returns the number of bytes. If `out` is NULL, both functions copy nothing. */
uint32_t assembled_words(const struct assembled *assembled, uint32_t *out);
uint32_t assembled_bytes(const struct assembled *assembled, uint8_t *out);

/* ---- on the host that sends the launches ---- */

/* Copies assembled commands for later launches of `program` in this workload. They get the number
 * `generation`, from 1, with which workload_launch_as() selects them. Commands are either for hosts
 * on which all devices run the program, or for hosts on which only some do. Ignores commands that
 * are not for this host, and returns OK. Otherwise returns OK, or an error with a sentence in
 * `why`. Returns INVALID if the layout does not match `program`, or if it lists offsets outside the
 * bytes. Returns UNSUPPORTED if this mesh or workload cannot use assembled commands. */
enum status workload_give_commands(struct workload *workload, const struct program *program,
	uint32_t generation, const uint32_t *words, uint32_t word_count, const uint8_t *bytes,
	uint32_t count, struct text *why);

/* Makes later enqueues of the workload use only the commands that were passed to
 * workload_give_commands() with this generation number. An enqueue then returns INVALID if this
 * host has no such commands. It also returns INVALID if the commands expect the binaries in
 * another form than that in which the workload stores them. The form consists of the address, the
 * size of pages, the number of banks, and the use of kernel caches. If `generation` is 0, this
 * host builds the commands itself. */
void workload_launch_as(struct workload *workload, uint32_t generation);

/* Routes of kernels (mesh/program.h) over the devices of several hosts, if links join the chips of
 * the hosts (spec 3.1.1). A controller without devices makes the programs. It checks the routes
 * against the machine of all hosts, and gives each route a number. The host of a route's first
 * device then adds the route under the same number, before it runs a program that uses the
 * route. */

/* Lets the programs of a site without a mesh device have routes and standing semaphores
 * (mesh/program.h). `machine` has the chips and links of all hosts, and must outlive the site.
 * `offset` is the position of the site's first device in the mesh of this machine; every device of
 * the site must lie in that mesh. Must be called once, before the first program is made. */
void program_site_join(struct program_site *site, const struct cluster_info *machine,
	struct mesh_offset offset, enum fabric_topology topology);

/* Returns route `index` of the site, counted from 0 in the order in which routes were added. Sets
 * *number to the route's number on its first device. Returns NULL if there is no route `index`. The
 * result is valid until the site is freed. */
const struct route_config *program_site_route(
	const struct program_site *site, uint32_t index, uint32_t *number);

/* Adds a route under a number that program_site_route() has returned. `config` counts devices in
 * the mesh of all hosts (mesh_config.whole). The route's first device must belong to this mesh.
 * Returns OK. After any other status, `why` (may be NULL) has a sentence. Returns OUT_OF_RANGE if a
 * device or link does not exist, or if the number is too large. Returns UNSUPPORTED if no links
 * lead along the route, or if no links join this host to others. Returns EXISTS if another route
 * has the number. Only the thread that enqueues may call this function. */
enum status mesh_add_route(struct mesh_device *mesh, const struct route_config *config,
	uint32_t number, struct text *why);

#endif

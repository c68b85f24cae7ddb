/* What a bring-up (bring_up/flow.h) needs: the machine of a platform, a mesh graph descriptor for
 * it, the files that a user writes, and faults in one of them. */
#ifndef BENCH_BRING_UP_H
#define BENCH_BRING_UP_H

#include "base/diag.h"
#include "bring_up/flow.h"
#include "platform/platform.h"

#define X(name, ...) BRING_UP_FAULT_##name,
enum bring_up_fault {
#include "bring_up/faults.def"
	BRING_UP_FAULT_COUNT
};
#undef X

const char *bring_up_fault_name(enum bring_up_fault fault);
const char *bring_up_fault_what(enum bring_up_fault fault);

/* How the machine's chips are divided into meshes. */
enum bring_up_meshes { BRING_UP_ONE_MESH, BRING_UP_MESH_EACH_HOST };

/* A machine with its descriptor and the user's files, as they should be, and as a fault changes
 * them. Without a fault, `real` and `described` are the same. */
struct bring_up_case {
	struct machine *described, *planted; /* planted: NULL if the machine is as described */
	struct mesh_graph *mesh_graph;
	struct logical *logical;
	struct bindings *bindings;
	struct rankfile *rankfile;
	struct bindings wrong_bindings; /* with a fault in them */
	struct rankfile wrong_rankfile;
	const struct bindings *use_bindings;
	const struct rankfile *use_rankfile;
	bool manager_dies;
	struct place_options options; /* groupings: the chips of a host may be a mesh */
	struct text graph_text;
	struct arena arena;
};

/* Where a case comes from. */
struct bring_up_source {
	const struct platform *platform;
	uint32_t hosts; /* 0: as many as the platform has */
	enum bring_up_meshes meshes;
	const char *mgd; /* file of a mesh graph descriptor in place of one for `meshes`, or NULL */
	const char *psd; /* file of a physical system descriptor in place of the platform's chips
			  * and hosts, or NULL */
	bool asked;	 /* the machine is what `mgd` asks for, and nothing else */
};

/* case.c: makes a case. Returns false after errors, which are in `diag`. */
bool bring_up_case_make(
	struct bring_up_case *made, const struct bring_up_source *source, struct diag *diag);
void bring_up_case_free(struct bring_up_case *made);

/* case.c: returns the job of a case. The caller sets the members that belong to the world. */
struct flow_job bring_up_job(const struct bring_up_case *made, enum flow_kind flow);

/* plant.c: plants a fault. Returns NULL, or the reason why it cannot happen in this flow, or on
 * this machine. */
const char *bring_up_plant(
	struct bring_up_case *made, enum flow_kind flow, enum bring_up_fault fault);

#endif

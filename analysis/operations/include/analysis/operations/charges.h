/* The time on the critical paths of operations that was charged for each constant of a platform. It
 * shows, to first order, how a change of a constant moves a margin. If a cost grows by 10 %, each
 * path grows by 10 % of the time that is charged for this cost. For a bandwidth, the time grows by
 * 10 % if the reciprocal of the bandwidth does. */
#ifndef ANALYSIS_OPERATIONS_CHARGES_H
#define ANALYSIS_OPERATIONS_CHARGES_H

#include "analysis/read/summary.h"

struct charge {
	const char *path; /* path of the constant below the platform */
	double time;	  /* sum over operations, ps */
};

struct charges {
	struct charge *at; /* sorted by path */
	uint32_t count;
	double whole; /* time of all critical paths, ps */
	bool known;   /* false: some run recorded no charges */
};

/* Adds the charges of one run for the operations of `kind` (NULL: all kinds) and for `metric`
 * (NULL: all metrics). If `kind` is "KIND/NAME", adds only those of this step. Files of earlier
 * versions hold charges by kind only; of these, adds the charges of all steps of the kind. Returns
 * false, with a sentence in `why`, if the charges cannot be read. */
bool charges_add(struct charges *charges, struct summary *summary, const char *group,
	const char *kind, const char *metric, struct arena *arena, struct text *why);

/* Time charged for a constant, ps; 0 if it was never charged. */
double charges_of(const struct charges *charges, const char *path);

/* Returns by which share the time that is charged for a constant grows if the constant is
 * multiplied by `factor`. If `unit` has a slash, the constant is a rate, and the time is
 * proportional to its reciprocal. */
double charge_growth(const char *unit, double factor);

/* Decides whether a margin is larger than the model's error. The error table of a result file has
 * families of figures that were measured on hardware. For each family and machine, it has the error
 * of the model for those figures that were kept out of the fit. For each constant, it names the
 * family that determines the constant best.
 *
 * A margin on a machine is weighed with the errors of the machine's own figures. A machine without
 * figures in a family was never measured there. It has the error of predicting a machine from the
 * other machines: of this family, or if only one machine has figures of it, of all families.
 *
 * Both designs of a comparison run on the same model. If a constant is charged for the same time on
 * both sides, its error therefore cancels. Otherwise the difference of the two times may be wrong
 * by the error of the constant's family.
 *
 * Constants without a family were never measured, and are ignored here. `compare` lists them among
 * the constants on which a verdict rests. */

enum { MODEL_FAMILIES_MAX = 16, MODEL_MACHINES_MAX = 16 };

/* The figures that an error is of. */
enum model_basis {
	MODEL_OWN,	    /* the machine's own, kept out of the fit */
	MODEL_OTHERS,	    /* those of the family, each machine predicted from the others */
	MODEL_ALL_FAMILIES, /* the same, of all families */
	/* the family's of any machine, in files that have no errors of other machines */
	MODEL_WHOLE_FAMILY,
	MODEL_BASES
};

/* Errors are 90th percentiles over figures; 0.1: 10 %. */
struct model_machine {
	const char *name;
	double error;
	uint32_t rows; /* figures of this machine; 0: unknown */
};

struct model_family {
	const char *name;
	struct model_machine machines[MODEL_MACHINES_MAX];
	uint32_t machine_count;
	double others; /* of predicting a machine from the others; 0: unknown */
	double whole;  /* of its figures of any machine, kept out of the fit */
	uint32_t rows; /* figures of all machines; 0: unknown */
};

struct model_constant {
	const char *path;
	uint32_t family;
};

struct model_errors {
	struct model_family families[MODEL_FAMILIES_MAX];
	uint32_t family_count;
	double others; /* of all families: of predicting a machine from the others; 0: unknown */
	struct model_constant *constants;
	uint32_t constant_count;
};

/* Doubts that move a margin by less are not told: they would read as 0.0 %. */
#define MODEL_DOUBT_LEAST 5e-4

/* How much of a margin the model's error could explain. */
struct model_doubt {
	const char *family;  /* family with the largest effect; NULL: nothing known, or no effect */
	const char *machine; /* the machine whose error it is */
	enum model_basis basis;
	double error;  /* error of the family on the machine */
	uint32_t rows; /* figures that the error is of; 0: unknown */
	double part;   /* difference charged for its constants / time of the first design */
	double most;   /* error * part: smaller margins are undecided */
};

/* Reads the table of an open result file; empty if it has none. Texts live in `arena`. */
void model_errors_read(struct model_errors *errors, struct result *result, struct arena *arena);

/* A design: the time charged for its constants, and the name of its machine's platform. */
struct model_design {
	const struct charges *charges;
	const char *machine;
};

/* Compares two designs; the second takes longer than the first by the share `ratio` (0.1: 10 %).
 * Returns the family of figures whose error could move this margin most. If the designs run on
 * different machines, the larger error of the two counts. */
struct model_doubt model_doubt(const struct model_errors *errors, const struct model_design *first,
	const struct model_design *second, double ratio);

/* Writes the doubts of all families that have a part in the difference of two designs to `doubts`,
 * which has MODEL_FAMILIES_MAX places. The one that could move the margin most comes first. Returns
 * their number. */
uint32_t model_doubts(const struct model_errors *errors, const struct model_design *first,
	const struct model_design *second, double ratio, struct model_doubt *doubts);

/* Number of figures that were measured on a machine, in all families; 0: none were. */
uint32_t model_figures(const struct model_errors *errors, const char *machine);

/* Returns the error of the family that determines a constant, on a machine, or 0 if no family does
 * or its error is unknown. */
double model_error_of(const struct model_errors *errors, const char *path, const char *machine);

/* The key of a basis in JSON. */
const char *model_basis_key(enum model_basis basis);

#endif

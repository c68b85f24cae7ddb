/* Charges: the time on the critical paths of operations that was charged for each constant of a
 * platform. Charges show to first order how a margin changes if a constant changes. If a cost
 * becomes 10 % larger, the time charged for it becomes 10 % longer. For a bandwidth, this holds for
 * its reciprocal. */
#ifndef ANALYSIS_OPERATIONS_CHARGES_H
#define ANALYSIS_OPERATIONS_CHARGES_H

#include "analysis/metrics/operation.h"
#include "analysis/read/summary.h"

struct charge {
	const char *path; /* path of the constant below the platform */
	double time;	  /* time charged for the constant, summed over operations, ps */
};

struct charges {
	struct charge *at; /* charges, sorted by path */
	uint32_t count;
	double whole; /* time of all critical paths together, ps */
	bool known;   /* false: some run recorded no charges */
};

/* Names of two metrics. CHARGES_INTERVAL: the charges of the times from each completion to the
 * next. CHARGES_LATE: the same without the first intervals of a run, because the later ones are
 * more like a steady state. Short runs, and files of earlier versions, do not have CHARGES_LATE. */
#define CHARGES_INTERVAL "interval"
#define CHARGES_LATE	 "late_interval"

/* Adds the charges of one run for the operations of `kind` (NULL: all kinds) and for `metric`
 * (NULL: all metrics). If `kind` is "KIND/NAME", adds only the charges of this step. Files of
 * earlier versions have charges by kind only; for such a file, adds the charges of all steps of the
 * kind. If the file has no charges, sets charges->known to false. Returns false, with a sentence in
 * `why`, if the charges cannot be read. */
bool charges_add(struct charges *charges, struct summary *summary, const char *group,
	const char *kind, const char *metric, struct arena *arena, struct text *why);

/* Adds the charges of the times between completions for operations of `subject` that are in flight
 * together with other operations of the same kind. Such a time begins when any operation of the
 * kind completes. So the charges of all steps of the kind are added of which an operation completes
 * between the first and the last completion of the subject. Returns false, with a sentence in
 * `why`, if the charges cannot be read. */
bool charges_add_flight(struct charges *charges, struct summary *summary, const char *group,
	const struct operations *operations, const char *subject, struct arena *arena,
	struct text *why);

/* Adds the charges of `more`, each multiplied by `factor`. */
void charges_merge(
	struct charges *charges, const struct charges *more, double factor, struct arena *arena);

/* Time charged for a constant, ps; 0 if it was never charged. */
double charges_of(const struct charges *charges, const char *path);

/* Returns the share by which the time charged for a constant becomes longer if the constant is
 * multiplied by `factor`. If `unit` has a slash, the constant is a rate, and the time is
 * proportional to its reciprocal. */
double charge_growth(const char *unit, double factor);

/* Decides whether a margin is larger than the model's error. A result file has an error table: the
 * model's errors in figures (times and rates) that were also measured on hardware. The figures are
 * grouped into families. For each family and machine, the table has the error in those figures that
 * were not used to fit the constants. For each constant, the table names the family whose figures
 * spend most of their time on this constant.
 *
 * A margin on a machine is compared with the errors in this machine's own figures. If the machine
 * has no figures of a family, the comparison uses the error that occurs when a machine is predicted
 * from the other machines. It is the error of this family, or, if only one machine has figures of
 * the family, that of all families.
 *
 * Both designs of a comparison run on the same model. If both are charged the same time for a
 * constant, the error of the constant cancels. If not, the difference of the two times may be wrong
 * by the error of the constant's family.
 *
 * Constants without a family were never measured, and are ignored here. `compare` lists them among
 * the constants on which a verdict depends. */

enum { MODEL_FAMILIES_MAX = 16, MODEL_MACHINES_MAX = 16 };

/* The figures from which an error was computed. */
enum model_basis {
	/* figures of the family on this machine that were kept out of the fit */
	MODEL_OWN,
	MODEL_OTHERS, /* figures of the family; each machine was predicted from other machines */
	/* figures of all families; each machine was predicted from the others */
	MODEL_ALL_FAMILIES,
	/* figures of the family on all its machines, which were left out of the fit; used if the
	 * file has no errors for the single machines of the family, or no errors of predictions of
	 * one machine from the others */
	MODEL_WHOLE_FAMILY,
	MODEL_BASES
};

/* Errors in this file are 90th percentiles over figures; 0.1 means 10 %. */
struct model_machine {
	const char *name;
	double error;
	uint32_t rows; /* number of figures of this machine; 0: unknown */
};

struct model_family {
	const char *name;
	struct model_machine machines[MODEL_MACHINES_MAX];
	uint32_t machine_count;
	double others; /* error of the predictions of a machine from the others; 0: unknown */
	double whole;  /* error of the figures that the fit does not use, on all machines
			* together */
	uint32_t rows; /* number of figures of all machines; 0: unknown */
};

struct model_constant {
	const char *path;
	uint32_t family;
};

struct model_errors {
	struct model_family families[MODEL_FAMILIES_MAX];
	uint32_t family_count;
	/* like `others` of a family, but over all families; 0: unknown */
	double others;
	struct model_constant *constants;
	uint32_t constant_count;
};

/* The smallest share of a margin that is printed as a doubt, because a smaller share would be
 * printed as 0.0 %. */
#define MODEL_DOUBT_LEAST 5e-4

/* The part of a margin that an error of the model could explain. */
struct model_doubt {
	/* family with the largest effect; NULL: no effect, or nothing is known */
	const char *family;
	const char *machine; /* name of the machine whose error is given */
	enum model_basis basis;
	double error;  /* the error of this family on this machine */
	uint32_t rows; /* number of figures from which `error` was computed; 0: unknown */
	double part;   /* difference of the times charged for its constants / first design's time */
	double most;   /* error * part; margins below this are undecided */
};

/* Reads the error table of an open result file. If the file has no error table, *errors is empty.
 * The texts are in `arena`. */
void model_errors_read(struct model_errors *errors, struct result *result, struct arena *arena);

/* A design: the time charged for its constants, and the name of its machine's platform. */
struct model_design {
	const struct charges *charges;
	const char *machine;
};

/* Compares two designs. The second takes longer than the first by the share `ratio` (0.1: 10 %).
 * Returns the family of reference figures (struct model_family) on which the model has the error
 * that could change this margin most. If the designs run on different machines, uses the larger one
 * of the family's errors on the two machines. */
struct model_doubt model_doubt(const struct model_errors *errors, const struct model_design *first,
	const struct model_design *second, double ratio);

/* Like model_doubt(), for all families of figures whose error could change the margin. Writes one
 * doubt for each of them to `doubts`, which has MODEL_FAMILIES_MAX entries, the largest effect
 * first. Returns the number of doubts. */
uint32_t model_doubts(const struct model_errors *errors, const struct model_design *first,
	const struct model_design *second, double ratio, struct model_doubt *doubts);

/* The number of figures of all families that were measured on a machine; 0 if there are none. */
uint32_t model_figures(const struct model_errors *errors, const char *machine);

/* For the constant at `path`, the error table names a family of figures. Returns the model's error
 * for this family on machine `machine`. Returns 0 if the table names no family, or if the error is
 * unknown. */
double model_error_of(const struct model_errors *errors, const char *path, const char *machine);

/* The name of a basis in JSON. */
const char *model_basis_key(enum model_basis basis);

#endif

/* Measures the host's costs on this machine: its own work, copies, wake-ups, and every codec and
 * transport of this build. All measurements run the real code. The results are figures, which have
 * the names of platform constants, and the timings from which the figures are computed. Messages
 * are sent over loopback, so the figures are costs of libraries and not of a network. */
#ifndef BENCH_TOOLS_MEASURE_MEASURE_H
#define BENCH_TOOLS_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/tree.h"
#include "bench/tools/measure/samples.h"
#include "platform/platform.h"

enum { FIGURES_MAX = 512, TIMINGS_MAX = 1024, PROBES_MAX = 32 };

/* A measured cost. */
struct figure {
	const char *name;  /* name of a platform constant, which a platform need not have */
	const char *probe; /* the probe that measured it */
	const char *unit;  /* unit of the value: "ps", "ns", "B/s", "B", "count" or "ratio" */
	double value;
	double spread;	      /* half the interquartile range of the repetitions */
	double p50, p90, p99; /* quantiles of the repetitions */
	uint32_t repetitions;
	bool fitted;	     /* the value is a term of a fitted line; only then,
			      * `error` and `worst` are set */
	double error, worst; /* median and largest of the line's relative errors */
	const char *how;     /* how it was measured, in a few words */
	const char *refused; /* NULL, or why there is no value; then ignore the other members */
};

/* The cores of the hub and of the members: the same core, or other cores. */
enum where { WHERE_SAME, WHERE_OTHER, WHERE_COUNT };

/* Times of rounds over one transport. In a round, the hub sends a message to all members, and every
 * member answers it. */
struct timing {
	const char *transport;
	enum where where;
	uint32_t members, bytes, repetitions;
	struct quantiles round_ns;   /* time from sending until all members have answered, each with
				      * as many bytes as it received */
	struct quantiles send_ns;    /* duration of the call that sends */
	struct quantiles one_way_ns; /* time from the call that sends until the last member has
				      * received the message */
	/* CPU time per round: of the threads that call the library, and of the library's own
	 * threads. Both are means over the hub and one member */
	double round_cpu_ns, round_library_cpu_ns;
	/* CPU time per message in unanswered bursts to one member. All four are medians. */
	double send_cpu_ns, send_library_cpu_ns, receive_cpu_ns, receive_library_cpu_ns;
};

/* A command encoded and decoded by one codec. */
struct coding {
	const char *codec, *command;
	uint32_t words, payload_bytes, frame_bytes;
	struct quantiles encode_ns, decode_ns;
};

struct machine_text {
	const char *processor, *kernel, *date; /* for example "Linux 6.18.44" for `kernel` and
						* "2026-11-23" for `date` */
	uint32_t cores;			       /* number of cores that this process may use */
};

struct measurement {
	struct arena arena; /* holds all texts */
	struct machine_text machine;
	bool quick;
	struct figure figures[FIGURES_MAX];
	uint32_t figure_count;
	struct timing timings[TIMINGS_MAX];
	uint32_t timing_count;
	struct coding codings[FIGURES_MAX];
	uint32_t coding_count;
};

struct measure_options {
	bool quick;		       /* measure with few repetitions, in a few seconds; the
					* figures mention this */
	const char *const *probes;     /* names of the probes to run */
	uint32_t probe_count;	       /* 0: all probes */
	const char *const *transports; /* names of the transports to measure */
	uint32_t transport_count;      /* 0: all of this build */
	bool apart; /* processes that exchange messages run on two cores; false: on one core */
};

/* Returns the reason why the figure has no usable value: the value is smaller than its noise, or it
 * is the slope of points that are not on a line. Returns NULL if the value is usable. */
const char *figure_refusal(const struct figure *figure);

/* Name and one-line description of a probe, by index; NULL past the last. */
const char *measure_probe_name(uint32_t index);
const char *measure_probe_what(uint32_t index);

/* Runs the probes. This takes a minute or two, or a few seconds if options->quick is set. The
 * process must have only one thread, and must not have used a transport. After this call, the
 * process cannot run a simulation. If standard error is a terminal, shows progress there. Never
 * returns NULL. */
struct measurement *measure_run(const struct measure_options *options);

/* Frees a measurement, which may be NULL. */
void measurement_free(struct measurement *measurement);

/* The figure of that name, or NULL. */
const struct figure *measurement_find(const struct measurement *measurement, const char *name);

/* The options of `meshsim calibrate --host`, which measures this machine and prints the figures. It
 * can also write them to a new platform file, and replace constants in an existing file. */
struct calibrate_host {
	struct measure_options measure;
	/* Name or file of the platform that the output file extends. It must have all constants. If
	 * it is NULL, the platform is n150, or galaxy-x2 if `into` is given. */
	const char *platform;
	const char *output; /* file for a platform with the figures; NULL: none */
	const char *into;   /* file in which to replace constants; NULL: none */
	bool json;
};

/* Sets the probes by their names. Returns false with a message in `why` if a name is unknown. */
bool calibrate_host_check(
	struct calibrate_host *calibrate, char **probes, uint32_t count, struct text *why);

/* Measures, prints the figures and writes the output files. First checks that the output files can
 * be written, and reports an error if they cannot. Returns an exit code (bench/run/runner.h). */
int calibrate_host(const struct calibrate_host *calibrate);

/* Prints a measurement as text or JSON, or writes it to platform files. If a figure has no usable
 * value, the reason is printed instead, and platform files do not contain the figure. */

/* Prints tables of constants, unusable figures, messages and commands. */
void measurement_print(const struct measurement *measurement, FILE *out);

/* Prints the measurement as a JSON document (meshsim schema calibrate-host). */
void measurement_print_json(const struct measurement *measurement, FILE *out);

/* Appends a platform file that extends the platform `base` (a name or a path), and that sets the
 * constants of this platform to the figures. `platform` is `base` as it was read. Leaves out
 * figures that are not constants of `platform`. Returns the number of figures in the file. */
uint32_t overlay_write(const struct measurement *measurement, const char *base,
	const struct platform *platform, struct text *out);

/* Replaces the constants in `file` by the figures with the same names. `file` is the text of a file
 * that platforms include, such as _transports.yaml, and `tree` was read from this text. Replaces
 * only constants that `platform` has. Returns the number of replaced constants. */
uint32_t part_write(const struct measurement *measurement, const struct platform *platform,
	const struct tree *tree, struct text *file);

/* Writes figures as constants of a platform file. */

/* Appends a figure as the map of a constant, {value, unit, kind, source}. `spec` describes the
 * struct member that the constant sets. The map begins on the current line. Its other lines are
 * indented by `column` + 1 blanks. */
void source_write(const struct measurement *measurement, const struct figure *figure,
	const struct constant_spec *spec, uint32_t column, struct text *out);

/* Appends a text in double quotes. */
void source_quote(const char *string, struct text *out);

/* Chooses a unit in which a value is easy to read. */

struct readable {
	const char *unit;
	double scale; /* factor from the figure's unit to the readable unit */
};

/* Chooses the readable unit for a value in "ps", "B/s" or "B". Any other unit stays the same. */
struct readable unit_readable(double value, const char *unit);

/* Robust linear regression, which finds costs from times: y = sum of term * x. It minimizes the
 * squares of relative errors, and gives outliers the weight zero. Terms are costs, so a negative
 * term is set to zero. If the rows show only roughly how large a term is, its spread may be larger
 * than its value. */

enum { REGRESSION_TERMS_MAX = 4 };

struct regression_row {
	double x[REGRESSION_TERMS_MAX], y;
	/* The error of the row is divided by this time: a longer time of which y is a part. 0: the
	 * error is divided by y itself. The row is ignored if the divisor is not positive. */
	double whole;
	uint32_t round; /* rows of the same round were measured one after the other */
};

/* A term. Its value is fitted to all rows. The other members describe the fits to single rounds. */
struct regression_term {
	double value, spread, p50, p90, p99;
};

struct regression {
	struct regression_term terms[REGRESSION_TERMS_MAX];
	uint32_t rows, rounds;
	/* Median and largest relative error of the line. All rows with the same values of x
	 * together give one error: that of the line at x against the median of their y. */
	double error, worst;
};

/* Fits a line with `terms` terms to the rows. The rounds of the rows are numbered from 0. Returns
 * false if the rows do not determine the terms. */
bool regression_fit(const struct regression_row *rows, uint32_t count, uint32_t terms,
	struct regression *regression);

#endif

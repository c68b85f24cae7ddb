/* Measures the host's costs on this machine: its own work, copies, wake-ups, and every codec and
 * transport of this build, with the real code. The results are figures named as platform constants,
 * and the timings behind them. Messages go over loopback, so they give the costs of libraries, not
 * those of a network. */
#ifndef BENCH_TOOLS_MEASURE_MEASURE_H
#define BENCH_TOOLS_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bench/tools/measure/samples.h"
#include "base/text.h"

enum { FIGURES_MAX = 512, TIMINGS_MAX = 1024, PROBES_MAX = 32 };

/* One cost. */
struct figure {
	const char *name;  /* of the constant in a platform, even if none has it */
	const char *probe; /* the probe that made it */
	const char *unit;  /* of the value: "ps", "ns", "B/s", "B", "count" or "ratio" */
	double value;
	double spread;	      /* half the interquartile range of the repetitions */
	double p50, p90, p99; /* of the repetitions */
	uint32_t repetitions;
	bool fitted;	     /* a term of a straight line, see regression.h; then: */
	double error, worst; /* median and largest of the line's relative errors */
	const char *how;     /* how it was measured, in a few words */
	const char *refused; /* NULL; or why there is no value, then ignore the rest */
};

/* Cores of sender and receivers: the same, or others. */
enum where { WHERE_SAME, WHERE_OTHER, WHERE_COUNT };

/* Timing of a message to all members and their answers, over one transport. */
struct timing {
	const char *transport;
	enum where where;
	uint32_t members, bytes, repetitions;
	struct quantiles round_ns;   /* until all have answered with as many bytes */
	struct quantiles send_ns;    /* the call that sends */
	struct quantiles one_way_ns; /* from the call until the last member has it */
	/* CPU time of a round, per side: of the calling threads, and of the libraries' own. */
	double round_cpu_ns, round_library_cpu_ns;
	/* CPU time per message of unanswered bursts to one member, medians. */
	double send_cpu_ns, send_library_cpu_ns, receive_cpu_ns, receive_library_cpu_ns;
};

/* A command encoded and decoded by one codec. */
struct coding {
	const char *codec, *command;
	uint32_t words, payload_bytes, frame_bytes;
	struct quantiles encode_ns, decode_ns;
};

struct machine_text {
	const char *processor, *kernel, *date; /* the model, "Linux 6.18.44", "2026-11-23" */
	uint32_t cores;			       /* number that this process may use */
};

struct measurement {
	struct arena arena; /* of all texts */
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
	bool quick;		   /* few repetitions, a few seconds in all; noted in the figures */
	const char *const *probes; /* only these */
	uint32_t probe_count;	   /* 0: all */
	const char *const *transports; /* only these */
	uint32_t transport_count;      /* 0: all of this build */
	bool apart; /* measures messages between processes on two cores instead of one */
};

/* NULL, or why the value is not usable: it is below the noise floor, or the slope of points that
 * are not on a line. */
const char *figure_refusal(const struct figure *figure);

/* Name and one-line description of a probe, by index; NULL past the last. */
const char *measure_probe_name(uint32_t index);
const char *measure_probe_what(uint32_t index);

/* Runs the probes, which takes a minute or two, or seconds if quick. The process must have only one
 * thread and have used no transport, and cannot simulate afterwards. Shows progress on standard
 * error if that is a terminal. Never NULL. */
struct measurement *measure_run(const struct measure_options *options);

/* NULL is allowed. */
void measurement_free(struct measurement *measurement);

/* The figure of that name, or NULL. */
const struct figure *measurement_find(const struct measurement *measurement, const char *name);

/* `meshsim calibrate --host`: measures this machine, prints the figures, and writes a platform with
 * them. */
struct calibrate_host {
	struct measure_options measure;
	const char *platform; /* the platform that the layer extends, with all constants: a name
				 or a file; NULL: n150, or galaxy-x2 with `into` */
	const char *output;   /* file for the layer; NULL: none */
	const char *into;     /* file in which to replace constants; NULL: none */
	bool json;
};

/* Sets the probes by name. False, with a reason, if one is unknown. */
bool calibrate_host_check(
	struct calibrate_host *calibrate, char **probes, uint32_t count, struct text *why);

/* Measures and writes. Returns an exit code (bench/run/runner.h). Files that cannot be written are
 * reported before anything is measured. */
int calibrate_host(const struct calibrate_host *calibrate);

#endif

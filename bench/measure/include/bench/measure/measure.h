/* Measures what this machine takes for the host's part: its own work, copies, wake-ups, and every
 * codec and transport of this build. All of it natively, with the real code. What comes out are
 * figures by the names of platform constants, and the timings that they rest on. Refuses to measure
 * a network: what goes over loopback says what libraries cost, nothing of wires. */
#ifndef BENCH_MEASURE_MEASURE_H
#define BENCH_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bench/measure/samples.h"

enum { FIGURES_MAX = 512, TIMINGS_MAX = 1024, PROBES_MAX = 32 };

/* One cost. */
struct figure {
	const char *name;  /* of the constant in a platform, or as it would be called */
	const char *probe; /* that made it */
	const char *unit;  /* of the value: "ps", "ns", "B/s", "B", "count" or "ratio" */
	double value;
	double spread;	      /* half the distance between the quartiles of what was repeated */
	double p50, p90, p99; /* of what was repeated */
	uint32_t repetitions;
	bool fitted;	     /* a term of a straight line, see regression.h; then: */
	double error, worst; /* median and largest of the line's relative errors */
	const char *how;     /* what was run and what was counted, a few words */
	const char *refused; /* NULL; or why there is no value: the rest does not count */
};

/* Where sender and receivers ran. */
enum where { WHERE_SAME, WHERE_OTHER, WHERE_COUNT };

/* A message to all members until all have answered, over one transport. */
struct timing {
	const char *transport;
	enum where where;
	uint32_t members, bytes, repetitions;
	struct quantiles round_ns;   /* until all have answered with as many bytes */
	struct quantiles send_ns;    /* the call that sends */
	struct quantiles one_way_ns; /* from the call until the last member has it */
	/* CPU time of a round, of a side: of the threads that call, and of the libraries' own. */
	double round_cpu_ns, round_library_cpu_ns;
	/* CPU time a message of bursts that nobody answers, medians; of one member. */
	double send_cpu_ns, send_library_cpu_ns, receive_cpu_ns, receive_library_cpu_ns;
};

/* A command written and read by one codec. */
struct coding {
	const char *codec, *command;
	uint32_t words, payload_bytes, frame_bytes;
	struct quantiles encode_ns, decode_ns;
};

struct machine_text {
	const char *processor, *kernel, *date; /* the model, "Linux 6.18.44", "2026-11-23" */
	uint32_t cores;			       /* that this process may use */
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
	bool quick;		   /* few repetitions: seconds in all; the figures say so */
	const char *const *probes; /* only these */
	uint32_t probe_count;	   /* 0: all */
	const char *const *transports; /* only these */
	uint32_t transport_count;      /* 0: all of this build */
	bool apart; /* costs of messages between processes on two cores, and not on one */
};

/* Why a value with such a spread is none, or NULL: nobody can tell it from nothing, or it is the
 * slope of no straight line. */
const char *figure_refusal(const struct figure *figure);

/* Name and one line about a probe, by index; NULL behind the last. */
const char *measure_probe_name(uint32_t index);
const char *measure_probe_what(uint32_t index);

/* Runs the probes: a minute or two, seconds if quick. This process must have one thread only, must
 * have used no transport, and cannot simulate afterwards. Says on standard error what it is at,
 * if that is a terminal. Never NULL. */
struct measurement *measure_run(const struct measure_options *options);

/* NULL is allowed. */
void measurement_free(struct measurement *measurement);

/* The figure of that name, or NULL. */
const struct figure *measurement_find(const struct measurement *measurement, const char *name);

#endif

/* Whether another process is still there: it is sent a byte every second, which a thread of its own
 * sends back. A process that computes answers; one that is stopped does not. */
#ifndef BENCH_RUN_PROCESSES_PULSE_H
#define BENCH_RUN_PROCESSES_PULSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* One process; all zeros before pulse_open(). */
struct pulse {
	int ends[2];	   /* ours, and the process's */
	bool asked, said;  /* a byte is out; its silence was told of */
	int64_t at_ns;	   /* of the last look */
	int64_t silent_ns; /* without an answer, as far as we were looking */
};

enum pulse_beat { PULSE_FINE, PULSE_SILENT, PULSE_LOST };

enum { PULSE_MS = 1000 }; /* between two looks */

/* Before the process is forked. False: errno says why. */
bool pulse_open(struct pulse *pulse);

/* In the process: answers from now on. */
void pulse_serve(struct pulse *pulse);

/* In the parent, once a second or more often. SILENT: once, when it has not answered for
 * `silent_s`; LOST: not for `lost_s`, and no debugger holds it. 0 s: never. */
enum pulse_beat pulse_look(struct pulse *pulse, pid_t process, uint32_t silent_s, uint32_t lost_s);

/* "is stopped", "is held by a debugger" or "does not answer". */
const char *pulse_state(pid_t process);

#endif

/* Heartbeat of another process: it is sent a byte every second, which a dedicated thread there
 * sends back. A process that computes answers; a stopped one does not. */
#ifndef BENCH_RUN_PROCESSES_PULSE_H
#define BENCH_RUN_PROCESSES_PULSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* One process; all zeros before pulse_open(). */
struct pulse {
	int ends[2];	   /* ours, and the process's */
	bool asked, said;  /* a byte is outstanding; its silence was reported */
	int64_t at_ns;	   /* of the last look */
	int64_t silent_ns; /* time without an answer, while we were looking */
};

enum pulse_beat { PULSE_FINE, PULSE_SILENT, PULSE_LOST };

enum { PULSE_MS = 1000 }; /* between two looks */

/* Call before the process is forked. False on errors, with errno set. */
bool pulse_open(struct pulse *pulse);

/* In the process: starts answering. */
void pulse_serve(struct pulse *pulse);

/* In the parent: call it once a second or more often. Returns SILENT once, when the process has not
 * answered for `silent_s`; LOST when it has not for `lost_s` and is not held by a debugger. A limit
 * of 0 s is never reached. */
enum pulse_beat pulse_look(struct pulse *pulse, pid_t process, uint32_t silent_s, uint32_t lost_s);

/* "is stopped", "is held by a debugger" or "does not answer". */
const char *pulse_state(pid_t process);

#endif

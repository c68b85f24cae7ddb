/* The first fault of a run's firmware, in words. Natively faults come from any thread of any
 * process of the run. Refuses to keep a second one. */
#ifndef BENCH_RUN_FAULT_NOTE_H
#define BENCH_RUN_FAULT_NOTE_H

#include "firmware/core/firmware.h"

struct fault_note; /* opaque */

/* Shared with processes that are forked from here on. As long as the process. */
struct fault_note *fault_note_new(void);

/* True: it was the first. */
bool fault_note_take(struct fault_note *note, const struct firmware_fault *fault);

/* What it was; "": there was none. The note's. */
const char *fault_note_text(const struct fault_note *note);

#endif

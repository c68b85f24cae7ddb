/* The first fault of a run's firmware, as text. In the native world, faults can come from any
 * thread of any process of the run. Later faults are dropped. */
#ifndef BENCH_RUN_FAULT_NOTE_H
#define BENCH_RUN_FAULT_NOTE_H

#include "firmware/core/firmware.h"

struct fault_note; /* opaque */

/* Creates a note that is shared with processes forked later. Lives as long as the process. */
struct fault_note *fault_note_new(void);

/* Records a fault. Returns true if it is the first. */
bool fault_note_take(struct fault_note *note, const struct firmware_fault *fault);

/* Text of the fault, owned by the note; "" if there was none. */
const char *fault_note_text(const struct fault_note *note);

#endif

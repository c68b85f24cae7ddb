/* Checks by the marks of a run that no waiting call returned before the work it waited for was
 * done. The client compares data separately. */
#ifndef BENCH_PROMISES_H
#define BENCH_PROMISES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bench/results/results.h"

/* Checks `ops`, all operations of a finished run, by number. The host must not see the end of an
 * operation before its devices have answered and its workers are done. It must not see the end of
 * an event or a finish before the workers of all earlier operations of its queue are done (spec
 * 3.5: it completes after everything that its queue took before). Returns true, or false with a
 * sentence in `why` for the first violation. Unless `marks_at_once`, marks of devices may be later
 * than the events themselves and are not checked; workers always mark that they are done before
 * they report it. */
bool promises_kept(const struct op_row *ops, uint32_t count, bool marks_at_once, struct text *why);

#endif

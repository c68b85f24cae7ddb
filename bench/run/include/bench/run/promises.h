/* What whoever waits was promised, judged by the marks of a run: that nobody saw an end which had
 * not come. Refuses to look at data: the client compares those. */
#ifndef BENCH_PROMISES_H
#define BENCH_PROMISES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bench/results/results.h"

/* `ops` are all operations of a run that came to its end, by number. True if the host saw the end
 * of none before its devices had answered and its workers were done, nor the end of an event or a
 * finish (spec 3.5: it completes behind everything that its queue took before) before the workers
 * of all operations ahead of it in their queue; else a sentence in `why` for the first. Unless
 * `marks_at_once`, marks of devices may come later than what they tell of, and are not looked at:
 * but that workers are done is marked before anybody is told. */
bool promises_kept(const struct op_row *ops, uint32_t count, bool marks_at_once, struct text *why);

#endif

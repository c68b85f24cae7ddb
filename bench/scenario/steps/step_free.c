/* Checks steps that free buffers. A trace contains the addresses of its buffers, so these buffers
 * must exist until the trace is released. Programs also contain the addresses of their buffers, and
 * are made before the first step runs. So a program may only use buffers that exist at that time,
 * and that are not freed in a repeat. */
#include <string.h>

#include "bench/scenario/step_layout.h"
#include "check.h"
#include "programs/gather.h"
#include "rehearsal/rehearsal.h"

void check_used(const struct check *check, const char *name, struct location where)
{
	struct buffer_name *buffer = check_buffer_name(check, check->mesh, name);

	if (buffer->late)
		diag_error(check->diag, where,
			"buffer '%s' is made behind a free_buffer or load_sub_devices step, but "
			"programs and traces "
			"take "
			"buffers that are made before the first step: write it before",
			name);
	buffer->used = true;
}

void check_free(struct check *check, const struct tree_node *keys, struct step *step)
{
	const char *name = step->free.buffer;
	struct location where =
		step->free.buffer_where.line ? step->free.buffer_where : step->where;
	const struct scenario *scenario = check->run->scenario;
	struct buffer_name *buffer;
	const struct step *trace;
	char cited[LOCATION_CITE_BYTES];

	(void)keys;
	if (check->trace || !check_want_buffer(check, name, where))
		return; /* no trace holds a free: that was reported */
	buffer = check_buffer_name(check, check->mesh, name);
	trace = check_trace_with(check, name);
	if (trace)
		diag_error(check->diag, where,
			"buffer '%s' is used by the trace at %s: release the trace first, since a "
			"replay would use memory that belongs to another buffer by then",
			name, location_cite(trace->where, cited, sizeof cited));
	else if (buffer->loop != check->loop)
		diag_error(check->diag, where,
			"buffer '%s' is freed in another repeat than the one that makes it (%s)",
			name, location_cite(buffer->first->buffer_where, cited, sizeof cited));
	else if (buffer->used && check->loop)
		diag_error(check->diag, where,
			"buffer '%s' is freed in a repeat, but a program in it has its address",
			name);
	else if (gather_row(scenario->runtime.gather)->on_devices)
		diag_error(check->diag, where,
			"free_buffer with runtime.gather: %s, whose programs have the addresses of "
			"buffers",
			gather_row(scenario->runtime.gather)->entry.name);
	else
		rehearsal_free_buffer(check->rehearsal, check->mesh, name);
	buffer->freed = step;
	check->frees = true;
}

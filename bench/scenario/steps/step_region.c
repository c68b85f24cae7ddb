/* Checks of steps that write or read some pages of a buffer. */
#include "bench/scenario/hosts.h"
#include "bench/scenario/step_layout.h"
#include "check.h"
#include "programs/gather.h"

/* Returns why a step cannot have `pages`, or NULL. */
static const char *step_region_contradiction(
	const struct check *check, const struct write_step *first, bool pinned)
{
	if (pinned)
		return "pinned: pinned memory holds a whole buffer";
	if (first->memory == BUFFER_SYSTEM)
		return "memory: system, which the host copies as a whole";
	if (platform_hosts(check->run->platform))
		return "several hosts, which are sent whole parts";
	return NULL;
}

static void check_range(const struct check *check, const struct tree_node *keys,
	const struct write_step *first, const uint32_t pages[2], const char *why)
{
	uint64_t parts = step_buffer_parts(first, check->config->shape);
	uint64_t count = first->bytes / parts / first->page_bytes;
	struct location where = tree_where(keys, "pages");

	if (why)
		diag_error(check->diag, where, "pages beside %s", why);
	else if (pages[1] == 0)
		diag_error(check->diag, where, "pages: [first, count] of one page or more");
	else if (pages[0] >= count || pages[1] > count - pages[0])
		diag_error(check->diag, where,
			"pages: %u from %u on, but each device's part of buffer '%s' has %llu",
			pages[1], pages[0], first->buffer, (unsigned long long)count);
}

void check_written_pages(const struct check *check, const struct tree_node *keys,
	const struct write_step *write, const struct write_step *first)
{
	const char *why;

	if (write->pages_count == 0)
		return;
	if (!first) {
		diag_error(check->diag, tree_where(keys, "pages"),
			"pages in the step that makes buffer '%s': write all of it first, so that "
			"reads have something to be compared with",
			write->buffer);
		return;
	}
	why = step_region_contradiction(check, first, write->pinned);
	if (!why && write->stored)
		why = "stored: hosts read whole parts";
	if (!why && write->from)
		why = "from: the data are of a whole buffer";
	check_range(check, keys, first, write->pages, why);
}

void check_read_pages(const struct check *check, const struct tree_node *keys,
	const struct read_step *read, const struct write_step *first)
{
	const struct gather_ops *gather = gather_row(check->run->scenario->runtime.gather);
	const char *why = step_region_contradiction(check, first, read->pinned);

	if (read->pages_count == 0)
		return;
	if (!why && gather->on_devices && !read->shard_count &&
		step_buffer_parts(first, check->config->shape) > 1)
		why = "runtime.gather: device, which gathers whole parts";
	check_range(check, keys, first, read->pages, why);
}

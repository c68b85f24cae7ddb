/* A crew is a set of workers of one chip that have the same state, so that each launch is handled
 * once for all of them (worker.h). The first worker of the crew keeps the shared state: go word,
 * phase and plan. The results of the workers may differ, because each worker has its own arguments.
 * So the crew adds up the results of each worker separately. When the crew is split, it stores
 * these sums in the workers' L1. */
#include "worker_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

struct worker_crew {
	struct worker_group *group;
	uint32_t count;
	struct worker **workers;
	uint16_t *member;  /* [tile] index of the tile's worker, counted from 1; 0: none */
	uint32_t before;   /* value of the go word before the launch */
	int64_t formed_ps; /* end of the first worker's last launch when the crew was formed */
	/* since the crew was formed: number of launches, and program of the last launch */
	uint32_t launches, program;
	/* [worker] sum of the results of all launches; checksum of the last launch */
	uint32_t *sum, *checksum;
};

/* Checksums of the unique arguments of some workers. `common` is the hash of their common
 * arguments. */
struct checksums {
	struct span span; /* all arguments; a reference, so that the arguments cannot change */
	uint32_t stride, count, bytes, common;
	uint32_t *sum; /* [worker] checksum of the worker's unique arguments */
	uint32_t capacity;
};

enum { KNOWN_CHECKSUMS = 16 }; /* a power of 2, since `turn` below may wrap */

/* The checksums that crews of all chips computed last. After a broadcast, the crews of all chips
 * refer to the same arguments, so only the first of them computes the checksums. */
static struct {
	struct checksums sums[KNOWN_CHECKSUMS];
	uint32_t turn;	/* index of the entry that is replaced next */
	uint32_t crews; /* number of crews; when the last crew is freed, the checksums are freed */
} known;

/* ---- forming ---- */

static bool are_alike(const struct worker *a, const struct worker *b)
{
	return a->stage.ops == b->stage.ops && a->group == b->group && a->phase == WORKER_READY &&
	       b->phase == WORKER_READY && a->go == b->go;
}

static struct worker_crew *crew_new(const struct worker_group *group, uint32_t count)
{
	struct worker_crew *crew = allocate(1, sizeof *crew);
	const struct chip_geometry *geometry =
		device_row->info(device_row->cluster_of(group->config.device))
			->chips[group->chip]
			.geometry;

	known.crews++;
	crew->workers = allocate(count, sizeof(struct worker *));
	crew->sum = allocate(count, sizeof *crew->sum);
	crew->checksum = allocate(count, sizeof *crew->checksum);
	crew->member = allocate(geometry->tile_count, sizeof *crew->member);
	return crew;
}

struct worker_crew *worker_crew_form(
	struct worker_crew *crew, struct stage *const *workers, uint32_t count)
{
	struct worker *first = (struct worker *)workers[0];

	for (uint32_t i = 0; i < count; i++)
		if (!are_alike(first, (const struct worker *)workers[i]))
			return NULL;
	if (first->group->config.lock_step)
		return NULL;
	if (crew == NULL)
		crew = crew_new(first->group, count);
	crew->group = first->group;
	crew->count = count;
	for (uint32_t i = 0; i < count; i++) {
		crew->workers[i] = (struct worker *)workers[i];
		crew->member[workers[i]->tile] = (uint16_t)(i + 1);
	}
	memset(crew->sum, 0, count * sizeof *crew->sum);
	crew->launches = 0;
	crew->formed_ps = first->ended_ps;
	return crew;
}

void worker_crew_free(struct worker_crew *crew)
{
	if (crew == NULL)
		return;
	free(crew->workers);
	free(crew->sum);
	free(crew->checksum);
	free(crew->member);
	free(crew);
	if (--known.crews > 0)
		return;
	for (uint32_t i = 0; i < KNOWN_CHECKSUMS; i++) {
		span_release(known.sums[i].span);
		free(known.sums[i].sum);
		known.sums[i] = (struct checksums){.sum = NULL};
	}
}

/* ---- launches ---- */

/* Returns true if one multicast wrote the range to all workers, or if the range is empty. */
static bool is_shared(const struct worker *worker, uint32_t address, uint32_t bytes)
{
	return bytes == 0 || device_row->shared(&worker->stage, address, bytes) != 0;
}

static uint32_t common_address(const struct launch_message *message)
{
	return message->config_base + message->common_offset;
}

static uint32_t unique_address(const struct launch_message *message)
{
	return message->config_base + message->unique_offset;
}

int64_t worker_crew_launch(struct worker_crew *crew, uint32_t go, struct worker_ack *ack,
	uint32_t *address, uint32_t *bytes)
{
	struct worker *first = crew->workers[0];
	const struct launch_message *message;
	int64_t cycles;

	crew->before = first->go;
	cycles = worker_launch(&first->stage, go, NULL, ack);
	if (cycles < 0)
		return cycles;
	message = &first->plan->message;
	if (crew->group->last_shared == 0) {
		worker_crew_cancel(crew);
		return -1;
	}
	*address = unique_address(message);
	*bytes = message->unique_bytes;
	return cycles;
}

void worker_crew_cancel(struct worker_crew *crew)
{
	struct worker *first = crew->workers[0];

	launch_plan_release(first->plan);
	first->plan = NULL;
	first->go = crew->before;
	first->phase = WORKER_READY;
}

/* ---- results ---- */

/* Computes the checksums of workers that all have the same unique arguments. */
static void checksums_alike(struct worker_crew *crew, uint32_t common)
{
	const struct worker *first = crew->workers[0];
	const struct launch_message *message = &first->plan->message;
	uint32_t checksum = crew->group->none_hash;
	struct span span;

	if (message->unique_bytes > 0) {
		span = device_row->view(
			&first->stage, unique_address(message), message->unique_bytes);
		checksum = worker_span_hash(span);
		span_release(span);
	}
	checksum = args_combine(checksum, common);
	for (uint32_t i = 0; i < crew->count; i++)
		crew->checksum[i] = checksum;
}

/* Returns true if the arguments belong to all workers of the crew and to no other workers. */
static bool are_complete(
	const struct worker_crew *crew, const struct worker_arguments *arguments, uint32_t count)
{
	uint32_t workers = 0;

	for (uint32_t i = 0; i < count; i++) {
		workers += arguments[i].count;
		for (uint32_t t = 0; t < arguments[i].count; t++)
			if (crew->member[arguments[i].targets[t].tile] == 0)
				return false;
	}
	return workers == crew->count;
}

/* Adds the checksum of the launch that is over to the sums of all workers. */
static void checksums_add(struct worker_crew *crew)
{
	const uint32_t *restrict checksum = crew->checksum;
	uint32_t *restrict sum = crew->sum, count = crew->count;

	for (uint32_t i = 0; i < count; i++)
		sum[i] += checksum[i];
}

static void checksum_set(struct worker_crew *crew, uint16_t tile, uint32_t checksum)
{
	crew->checksum[crew->member[tile] - 1] = checksum;
}

static const uint8_t *span_bytes(struct span span)
{
	return span.extent->bytes + span.offset;
}

/* Returns true if `sums` are checksums of arguments of this shape, with these common arguments. */
static bool is_like(const struct checksums *sums, const struct worker_arguments *arguments,
	uint32_t length, uint32_t bytes, uint32_t common)
{
	return sums->stride == arguments->stride && sums->count == arguments->count &&
	       sums->bytes == bytes && sums->common == common && sums->span.length == length;
}

/* Returns the checksums that were computed last if `back` is 1, those before them if it is 2. */
static const struct checksums *known_before(uint32_t back)
{
	return &known.sums[(known.turn - back) % KNOWN_CHECKSUMS];
}

/* Returns the checksums of these arguments if they were computed for this memory, otherwise NULL.
 * The checksums of the workload that chips run now were computed last. */
static const uint32_t *known_here(
	const struct worker_arguments *arguments, struct span span, uint32_t bytes, uint32_t common)
{
	for (uint32_t back = 1; back <= KNOWN_CHECKSUMS; back++) {
		const struct checksums *sums = known_before(back);

		if (sums->count > 0 && span_bytes(sums->span) == span_bytes(span) &&
			is_like(sums, arguments, span.length, bytes, common))
			return sums->sum;
	}
	return NULL;
}

/* Returns the checksums of the same arguments in other memory, as after a broadcast by another
 * initiator, or NULL if there are none. */
static const uint32_t *known_elsewhere(
	const struct worker_arguments *arguments, struct span span, uint32_t bytes, uint32_t common)
{
	for (uint32_t back = 1; back <= KNOWN_CHECKSUMS; back++) {
		const struct checksums *sums = known_before(back);

		if (is_like(sums, arguments, span.length, bytes, common) &&
			memcmp(span_bytes(sums->span), span_bytes(span), span.length) == 0)
			return sums->sum;
	}
	return NULL;
}

/* Returns one checksum for each target of the arguments, in the same order. The bytes of the
 * arguments must be present, not elided. */
static const uint32_t *checksums_of(
	const struct worker_arguments *arguments, uint32_t bytes, uint32_t common)
{
	struct span span = span_part(arguments->span, arguments->offset,
		(arguments->count - 1) * arguments->stride + bytes);
	const uint8_t *at = span_bytes(span);
	const uint32_t *found = known_here(arguments, span, bytes, common);
	struct checksums *sums;

	if (found != NULL)
		return found;
	found = known_elsewhere(arguments, span, bytes, common);
	sums = &known.sums[known.turn++ % KNOWN_CHECKSUMS];
	if (arguments->count > sums->capacity) {
		sums->sum = allocate_more(sums->sum, arguments->count, sizeof *sums->sum);
		sums->capacity = arguments->count;
	}
	span_hold(span);
	span_release(sums->span);
	*sums = (struct checksums){span, arguments->stride, arguments->count, bytes, common,
		sums->sum, sums->capacity};
	for (uint32_t t = 0; t < arguments->count; t++, at += arguments->stride)
		sums->sum[t] =
			found != NULL ? found[t] : args_combine(args_hash(at, bytes), common);
	return sums->sum;
}

static void checksums_each(
	struct worker_crew *crew, const struct worker_arguments *arguments, uint32_t common)
{
	uint32_t bytes = crew->workers[0]->plan->message.unique_bytes;
	struct span span = span_part(arguments->span, arguments->offset, bytes);
	const uint32_t *sums;

	if (span.extent == NULL || span.extent->elided) {
		uint32_t checksum = args_combine(worker_span_hash(span), common);

		for (uint32_t t = 0; t < arguments->count; t++)
			checksum_set(crew, arguments->targets[t].tile, checksum);
		return;
	}
	sums = checksums_of(arguments, bytes, common);
	for (uint32_t t = 0; t < arguments->count; t++)
		checksum_set(crew, arguments->targets[t].tile, sums[t]);
}

bool worker_crew_finish(
	struct worker_crew *crew, const struct worker_arguments *arguments, uint32_t count)
{
	struct worker *first = crew->workers[0];
	const struct launch_message *message = &first->plan->message;
	bool alike = is_shared(first, unique_address(message), message->unique_bytes);
	uint32_t common;

	if (!is_shared(first, common_address(message), message->common_bytes) ||
		(!alike && !are_complete(crew, arguments, count)))
		return false;
	common = worker_common_hash(first, first->plan);
	if (alike)
		checksums_alike(crew, common);
	for (uint32_t i = 0; i < count && !alike; i++)
		checksums_each(crew, &arguments[i], common);
	checksums_add(crew);
	crew->launches++;
	crew->program = message->program;
	launch_plan_release(first->plan);
	first->plan = NULL;
	first->phase = WORKER_READY;
	first->ended_ps = first->stage.now_ps;
	return true;
}

/* ---- splitting ---- */

static void member_update(const struct worker_crew *crew, uint32_t i)
{
	const struct worker *first = crew->workers[0];
	struct worker *worker = crew->workers[i];

	worker->go = first->go;
	worker->phase = first->phase;
	worker->early = first->early;
	if (i > 0) /* the launches of all members take the same time */
		worker->ended_ps += first->ended_ps - crew->formed_ps;
	if (i > 0 && first->plan != NULL) {
		worker->plan = first->plan;
		worker->plan->users++;
	}
	if (crew->launches > 0) {
		worker->launches += crew->launches;
		worker->sum += crew->sum[i];
		worker_store_result(worker, crew->checksum[i], crew->program);
	}
	if (worker->phase == WORKER_READY)
		worker_block(worker, &worker->stage.wait);
}

void worker_crew_split(struct worker_crew *crew)
{
	for (uint32_t i = 0; i < crew->count; i++)
		member_update(crew, i);
}

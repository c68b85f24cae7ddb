/* The packetizer, and the prefetch_h that is also a packetizer (broadcast.h). Both have a socket
 * for each command queue that they serve (spec 3.8.1). The sockets take turns, packet by packet. A
 * socket that waits does not delay the other sockets. socket.c implements sockets. */
#include "broadcast_private.h"

#include "base/ensure.h"

struct packetizer {
	struct stage_base base;
	uint32_t socket_count;
	uint32_t turn;	 /* number of the socket that is tried first */
	uint32_t chosen; /* number of the socket of the next commit */
	struct socket sockets[PACKETIZER_SOCKETS_MAX];
};

static struct packetizer *packetizer_of(struct stage_base *base)
{
	return (struct packetizer *)base;
}

static struct socket *chosen_of(struct stage_base *base)
{
	return &packetizer_of(base)->sockets[packetizer_of(base)->chosen];
}

static void fetch_plan(struct stage_base *base)
{
	fetch_commit(&chosen_of(base)->fetch, base);
}

static void socket_plan(struct stage_base *base)
{
	struct packetizer *packetizer = packetizer_of(base);
	bool ended = true;

	socket_commit(chosen_of(base), base);
	packetizer->turn = (packetizer->chosen + 1) % packetizer->socket_count;
	for (uint32_t i = 0; i < packetizer->socket_count; i++)
		ended &= packetizer->sockets[i].ended;
	base->ended = ended;
}

/* Adds *wait, the wait of a socket, to *all, the wait of the whole stage. If some sockets wait for
 * a router, the stage waits for the router of the first of these sockets, because a router is free
 * again soon. Otherwise, if several sockets wait, the stage waits for any change on its tile. */
static void wait_join(struct stage_wait *all, const struct stage_wait *wait)
{
	if (all->what == NULL || (wait->on == STAGE_WAIT_FABRIC && all->on != STAGE_WAIT_FABRIC))
		*all = *wait;
	else if (all->on != STAGE_WAIT_FABRIC)
		block_on_tile(all, all->idle && wait->idle, all->idle ? wait->what : all->what);
}

static int64_t fetches_begin(struct packetizer *packetizer)
{
	const struct fetch_leave leave = {.issue = true};
	int64_t cost = STAGE_BLOCKED;

	for (uint32_t i = 0; i < packetizer->socket_count && cost == STAGE_BLOCKED; i++) {
		packetizer->chosen = (packetizer->turn + i) % packetizer->socket_count;
		cost = fetch_begin(&packetizer->sockets[packetizer->chosen].fetch,
			&packetizer->base, leave, fetch_plan);
	}
	return cost;
}

static int64_t sockets_begin(struct packetizer *packetizer, struct stage_wait *wait)
{
	struct stage_wait all = {.what = NULL};
	int64_t cost = STAGE_BLOCKED;

	for (uint32_t i = 0; i < packetizer->socket_count && cost == STAGE_BLOCKED; i++) {
		struct stage_wait one = {.what = NULL};
		uint32_t chosen = (packetizer->turn + i) % packetizer->socket_count;

		if (packetizer->sockets[chosen].ended)
			continue;
		packetizer->chosen = chosen;
		cost = socket_begin(
			&packetizer->sockets[chosen], &packetizer->base, &one, socket_plan);
		if (cost == STAGE_BLOCKED)
			wait_join(&all, &one);
	}
	*wait = all;
	return cost;
}

static int64_t packetizer_begin(struct stage *stage, struct stage_wait *wait)
{
	struct packetizer *packetizer = (struct packetizer *)stage;
	int64_t over = stage_over(&packetizer->base, wait);

	return over != 0 ? over : sockets_begin(packetizer, wait);
}

/* Fetching from issue queues continues while a socket waits for credits. */
static int64_t mcast_prefetch_begin(struct stage *stage, struct stage_wait *wait)
{
	struct packetizer *packetizer = (struct packetizer *)stage;
	int64_t cost = stage_over(&packetizer->base, wait);

	if (cost != 0)
		return cost;
	cost = fetches_begin(packetizer);
	if (cost == STAGE_BLOCKED)
		cost = sockets_begin(packetizer, wait);
	if (cost == STAGE_BLOCKED && wait->on == STAGE_WAIT_WORD)
		block_on_tile(wait, false, wait->what);
	return cost;
}

static void packetizer_fini(struct stage_base *base)
{
	struct packetizer *packetizer = packetizer_of(base);

	for (uint32_t i = 0; i < packetizer->socket_count; i++)
		socket_fini(&packetizer->sockets[i]);
}

static struct stage *new_stage(const struct firmware *firmware,
	const struct packetizer_config *config, const struct stage_ops *ops, bool fetches)
{
	struct packetizer *packetizer = stage_new(sizeof *packetizer, ops, firmware, config->place);

	ensure(config->socket_count >= 1 && config->socket_count <= PACKETIZER_SOCKETS_MAX,
		"a packetizer of %u sockets", config->socket_count);
	packetizer->base.fini = packetizer_fini;
	packetizer->socket_count = config->socket_count;
	for (uint32_t i = 0; i < config->socket_count; i++)
		socket_init(
			&packetizer->sockets[i], &packetizer->base, &config->sockets[i], fetches);
	return &packetizer->base.stage;
}

static const struct stage_ops packetizer_ops = STAGE_OPS("packetizer", packetizer_begin);
static const struct stage_ops mcast_prefetch_ops =
	STAGE_OPS("mcast_prefetch_h", mcast_prefetch_begin);

struct stage *packetizer_new(
	const struct firmware *firmware, const struct packetizer_config *config)
{
	return new_stage(firmware, config, &packetizer_ops, false);
}

struct stage *mcast_prefetch_new(
	const struct firmware *firmware, const struct packetizer_config *config)
{
	return new_stage(firmware, config, &mcast_prefetch_ops, true);
}

/* ---- public functions ---- */

enum status packetizer_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint16_t receivers, struct packetizer_layout *layout)
{
	enum status status = tile_plan_words(plan, 1, &layout->arrival_word);

	if (status == STATUS_OK)
		status = tile_plan_words(plan, 2u * receivers, &layout->account_words);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, limits->packetizer_ring_bytes, &layout->ring);
	return status;
}

enum status mcast_prefetch_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint16_t receivers, struct packetizer_layout *layout)
{
	enum status status = tile_plan_words(plan, limits->fetch_entries, &layout->fetch_queue);

	if (status == STATUS_OK)
		status = tile_plan_words(plan, 2u * receivers, &layout->account_words);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, limits->fetch_ring_bytes, &layout->ring);
	return status;
}

enum status packetizer_add_tree(
	struct stage *stage, uint32_t socket, const struct broadcast_tree *tree, uint16_t *number)
{
	struct packetizer *packetizer = (struct packetizer *)stage;

	ensure(socket < packetizer->socket_count, "socket %u of %u", socket,
		packetizer->socket_count);
	return socket_add_tree(&packetizer->sockets[socket], tree, number);
}

struct packetizer_counters packetizer_counters(const struct stage *stage)
{
	const struct packetizer *packetizer = (const struct packetizer *)stage;
	struct packetizer_counters sum = {0};

	for (uint32_t i = 0; i < packetizer->socket_count; i++) {
		const struct packetizer_counters *counters = &packetizer->sockets[i].counters;

		sum.segments += count_read(&counters->segments);
		sum.packets += count_read(&counters->packets);
		sum.bytes += count_read(&counters->bytes);
		sum.credits += count_read(&counters->credits);
	}
	return sum;
}

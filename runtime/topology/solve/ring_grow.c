/* Builds a cycle or a path of a given length. A cycle starts short, and its links are replaced by
 * detours of two or three links through free chips. If no detour is possible, some detours are
 * undone or moved at random. A path is extended at one end; if that is impossible, its last part is
 * reversed. Makes a limited number of attempts from different chips. If all attempts fail, there
 * may still be a cycle or path. */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "solve_private.h"

struct grower {
	const struct wired *host;
	/* next and previous chip on the cycle; SOLVE_ANY: the chip is not on the cycle */
	uint32_t *next, *before;
	uint32_t *queue; /* queue of chips on the cycle; for each of them, a detour must still be
			  * tried in place of its link to the next chip */
	uint32_t queued, length, wanted;
	uint64_t steps, budget;
	struct stream stream;
	struct arena *arena;
};

static bool is_free(const struct grower *grower, uint32_t chip)
{
	return grower->next[chip] == SOLVE_ANY;
}

static void enqueue(struct grower *grower, uint32_t chip)
{
	if (grower->queued < 2 * grower->host->count)
		grower->queue[grower->queued++] = chip;
}

/* Inserts `chip` after `at`. */
static void ring_grow_insert(struct grower *grower, uint32_t at, uint32_t chip)
{
	uint32_t next = grower->next[at];

	grower->next[at] = chip;
	grower->before[chip] = at;
	grower->next[chip] = next;
	grower->before[next] = chip;
	grower->length++;
	enqueue(grower, chip);
	enqueue(grower, at);
}

static void ring_grow_drop(struct grower *grower, uint32_t chip)
{
	grower->next[grower->before[chip]] = grower->next[chip];
	grower->before[grower->next[chip]] = grower->before[chip];
	enqueue(grower, grower->before[chip]);
	grower->next[chip] = SOLVE_ANY;
	grower->length--;
}

/* Replaces the link after `u` by a detour of two links. */
static bool widen_by_one(struct grower *grower, uint32_t u)
{
	const struct wired *host = grower->host;

	for (uint32_t i = host->first[u]; i < host->first[u + 1]; i++) {
		uint32_t chip = host->to[i];

		grower->steps++;
		if (is_free(grower, chip) && wired_channels(host, chip, grower->next[u])) {
			ring_grow_insert(grower, u, chip);
			return true;
		}
	}
	return false;
}

/* Replaces the link after `u` by a detour of three links. */
static bool widen_by_two(struct grower *grower, uint32_t u)
{
	const struct wired *host = grower->host;
	uint32_t v = grower->next[u], turn = (uint32_t)stream_next(&grower->stream);
	uint32_t degree = wired_degree(host, u);

	for (uint32_t i = 0; i < degree; i++) {
		uint32_t a = host->to[host->first[u] + (i + turn % degree) % degree];

		if (!is_free(grower, a))
			continue;
		for (uint32_t k = host->first[a]; k < host->first[a + 1]; k++) {
			uint32_t b = host->to[k];

			grower->steps++;
			if (b == a || !is_free(grower, b) || !wired_channels(host, b, v))
				continue;
			ring_grow_insert(grower, u, a);
			ring_grow_insert(grower, a, b);
			return true;
		}
	}
	return false;
}

/* Replaces links of the cycle by detours until the cycle has the wanted length, no queued chip is
 * left to try, or the budget is exhausted. Returns true if the cycle has the wanted length. */
static bool widen(struct grower *grower)
{
	while (grower->length < grower->wanted && grower->queued) {
		uint32_t pick = (uint32_t)stream_below(&grower->stream, grower->queued);
		uint32_t u = grower->queue[pick];

		grower->queue[pick] = grower->queue[--grower->queued];
		if (is_free(grower, u) || grower->steps++ >= grower->budget)
			continue;
		if (grower->wanted - grower->length >= 2 && widen_by_two(grower, u))
			continue;
		widen_by_one(grower, u);
	}
	return grower->length == grower->wanted;
}

/* If a link leads from chip `u` to a chip that is two or three places further on the cycle,
 * shortens the cycle by using this link. At least four chips must remain. Returns true if the cycle
 * was shortened. */
static bool ring_grow_narrow(struct grower *grower, uint32_t u)
{
	uint32_t a = grower->next[u], b = grower->next[a], c = grower->next[b];

	if (grower->length > 5 && wired_channels(grower->host, u, c)) {
		ring_grow_drop(grower, a);
		ring_grow_drop(grower, b);
		return true;
	}
	if (grower->length > 4 && wired_channels(grower->host, u, b)) {
		ring_grow_drop(grower, a);
		return true;
	}
	return false;
}

/* Replaces the chip after `u` by a free chip that has links to the same two chips of the cycle.
 * Returns false if there is no such chip. */
static bool swap(struct grower *grower, uint32_t u)
{
	const struct wired *host = grower->host;
	uint32_t a = grower->next[u], b = grower->next[a];

	for (uint32_t i = host->first[u]; i < host->first[u + 1]; i++) {
		uint32_t chip = host->to[i];

		if (!is_free(grower, chip) || !wired_channels(host, chip, b))
			continue;
		ring_grow_drop(grower, a);
		ring_grow_insert(grower, u, chip);
		return true;
	}
	return false;
}

/* Undoes and moves parts of the cycle at random, so that it can grow at another place. */
static void disturb(struct grower *grower)
{
	uint32_t count = grower->host->count;

	for (uint32_t tries = 0; tries < 4 + grower->length / 16; tries++) {
		uint32_t chip = (uint32_t)stream_below(&grower->stream, count);

		grower->steps++;
		if (is_free(grower, chip))
			continue;
		if (stream_below(&grower->stream, 2))
			ring_grow_narrow(grower, chip);
		else
			swap(grower, chip);
	}
	grower->queued = 0;
	for (uint32_t chip = 0; chip < count; chip++)
		if (!is_free(grower, chip))
			enqueue(grower, chip);
	grower->steps += count / 8;
}

/* Finds a short cycle through `root`, by a breadth-first search. The search ends when two branches
 * of its tree meet: they form the cycle. Returns false if no branches meet. */
static bool find_cycle(struct grower *grower, uint32_t root)
{
	const struct wired *host = grower->host;
	uint32_t *from = arena_array(grower->arena, host->count, sizeof(uint32_t));
	uint32_t *branch = arena_array(grower->arena, host->count, sizeof(uint32_t));
	uint32_t *queue = arena_array(grower->arena, host->count, sizeof(uint32_t));
	uint32_t head = 0, tail = 1;

	memset(from, 0xff, host->count * sizeof(uint32_t));
	queue[0] = root;
	from[root] = root;
	while (head < tail) {
		uint32_t at = queue[head++];

		for (uint32_t i = host->first[at]; i < host->first[at + 1]; i++) {
			uint32_t to = host->to[i], last;

			grower->steps++;
			if (from[to] == SOLVE_ANY) {
				from[to] = at;
				branch[to] = at == root ? to : branch[at];
				queue[tail++] = to;
			} else if (to != root && at != root && branch[to] != branch[at]) {
				/* the chips from root to `at`, then from `to` back to root */
				grower->next[root] = grower->before[root] = root;
				grower->length = 1;
				for (last = at; last != root; last = from[last])
					ring_grow_insert(grower, root, last);
				for (last = to; last != root; last = from[last])
					ring_grow_insert(grower, grower->before[root], last);
				return true;
			}
		}
	}
	return false;
}

static void ring_grow_clear(struct grower *grower)
{
	memset(grower->next, 0xff, grower->host->count * sizeof(uint32_t));
	memset(grower->before, 0xff, grower->host->count * sizeof(uint32_t));
	grower->length = grower->queued = 0;
}

/* Finds a short cycle through `root`, and grows it to the wanted length. Returns false if the short
 * cycle does not exist or is already too long, or if growing takes more than about `share` steps.
 */
static bool grow_from(struct grower *grower, uint32_t root, uint64_t share)
{
	uint64_t end = grower->steps + share;

	ring_grow_clear(grower);
	if (!find_cycle(grower, root) || grower->length > grower->wanted)
		return false;
	while (!widen(grower) && grower->steps < end && grower->steps < grower->budget)
		disturb(grower);
	return grower->length == grower->wanted;
}

/* --- paths ---------------------------------------------------------------------------------- */

/* Grows a path from `root` and writes it to `path`. Each step extends the path by a free neighbour
 * of the last chip: the neighbour that has the fewest free neighbours itself. If the last chip has
 * no free neighbour, the step chooses a random neighbour of it on the path, and reverses the part
 * of the path after this neighbour. After about one of 64 such steps, the whole path is reversed
 * too. Returns false if the path is too short after `share` steps. */
static bool grow_path(struct grower *grower, uint32_t root, uint64_t share, uint32_t *path)
{
	const struct wired *host = grower->host;
	uint64_t end = grower->steps + share;
	uint32_t length = 1;

	ring_grow_clear(grower);
	path[0] = root;
	grower->next[root] = 0; /* in a path, next[] is the place of the chip along the path */
	while (length < grower->wanted && grower->steps < end && grower->steps < grower->budget) {
		uint32_t at = path[length - 1], best = SOLVE_ANY, fewest = SOLVE_ANY, turn;

		for (uint32_t i = host->first[at]; i < host->first[at + 1]; i++) {
			uint32_t to = host->to[i], ways = 0;

			if (!is_free(grower, to))
				continue;
			for (uint32_t k = host->first[to]; k < host->first[to + 1];
				k++, grower->steps++)
				ways += is_free(grower, host->to[k]);
			if (ways < fewest || (ways == fewest && stream_below(&grower->stream, 2))) {
				fewest = ways;
				best = to;
			}
		}
		if (best != SOLVE_ANY) {
			grower->next[best] = length;
			path[length++] = best;
			continue;
		}
		if (wired_degree(host, at) == 0)
			return false;
		turn = host->to[host->first[at] +
				(uint32_t)stream_below(&grower->stream, wired_degree(host, at))];
		for (uint32_t low = grower->next[turn] + 1, high = length - 1; low < high;
			low++, high--, grower->steps++) {
			uint32_t swapped = path[low];

			path[low] = path[high];
			path[high] = swapped;
			grower->next[path[low]] = low;
			grower->next[path[high]] = high;
		}
		grower->steps++;
		if (stream_below(&grower->stream, 64) == 0) /* continue from the other end */
			for (uint32_t i = 0; i < length / 2; i++, grower->steps++) {
				uint32_t swapped = path[i];

				path[i] = path[length - 1 - i];
				path[length - 1 - i] = swapped;
				grower->next[path[i]] = i;
				grower->next[path[length - 1 - i]] = length - 1 - i;
			}
	}
	return length == grower->wanted;
}

/* Lists the chips of the cycle in order, beginning with the lowest number. */
static void list_cycle(const struct grower *grower, uint32_t *out)
{
	uint32_t at = 0;

	while (is_free(grower, at))
		at++;
	for (uint32_t i = 0; i < grower->length; i++, at = grower->next[at])
		out[i] = at;
}

bool ring_grow(const struct wired *host, uint32_t length, bool closed, uint64_t budget,
	uint64_t *steps, uint32_t *out, struct arena *arena)
{
	struct grower grower = {.host = host, .wanted = length, .budget = budget, .arena = arena};
	bool found = false;

	grower.next = arena_array(arena, host->count, sizeof(uint32_t));
	grower.before = arena_array(arena, host->count, sizeof(uint32_t));
	grower.queue = arena_array(arena, 2 * (size_t)host->count + 2, sizeof(uint32_t));
	stream_init(&grower.stream, length, "topology/ring");
	for (uint32_t i = 0; !found && grower.steps < budget && i < 64; i++) {
		uint32_t root = i < 8 ? (uint32_t)((uint64_t)i * host->count / 8)
				      : (uint32_t)stream_below(&grower.stream, host->count);

		grower.steps++;
		if (closed) {
			found = grow_from(&grower, root, budget / 8 + 1);
			if (found)
				list_cycle(&grower, out);
		} else {
			found = grow_path(&grower, root, budget / 8 + 1, out);
		}
	}
	*steps += grower.steps;
	return found;
}

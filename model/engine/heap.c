/* The event heap (engine_private.h). In measurements with 1,000 to 100,000 events, it was 2 to 3
 * times as fast as 4-ary heaps with entries of 16, 32 and 40 bytes. It was slower in no
 * measurement. */
#include "engine_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

void heap_init(struct heap *heap)
{
	memset(heap, 0, sizeof(*heap));
	heap->free = HEAP_NONE;
}

void heap_fini(struct heap *heap)
{
	free(heap->nodes);
	heap_init(heap);
}

static void grow(struct heap *heap)
{
	uint32_t capacity = heap->capacity ? 2 * heap->capacity : 1024;
	ensure(capacity < HEAP_NONE / 2, "%u events", heap->count);
	struct heap_node *nodes = allocate_more(heap->nodes, capacity, sizeof(*nodes));
	for (uint32_t i = capacity; i-- > heap->capacity;) {
		nodes[i].next = heap->free;
		heap->free = i;
	}
	heap->nodes = nodes;
	heap->capacity = capacity;
}

/* Appends a node to a list. `slots` has the bit `slot` for this list. Returns true if the list was
 * empty. */
static inline bool list_append(
	struct heap *heap, struct heap_list *list, uint64_t *slots, uint32_t slot, uint32_t index)
{
	bool empty = !(*slots >> slot & 1);

	if (empty) {
		list->first = index;
		*slots |= UINT64_C(1) << slot;
	} else {
		heap->nodes[list->last].next = index;
	}
	list->last = index;
	return empty;
}

/* Number of low bits of a key by which slots of the wide level, and of the level after it, differ.
 */
enum { WIDE_SHIFT = HEAP_WIDE * HEAP_DIGIT_BITS, WIDE_END = WIDE_SHIFT + 2 * HEAP_DIGIT_BITS };

/* Appends a node to the list of its level and slot. Events with equal keys are removed in the order
 * of insertion: they are always in the same list, and keep their order when they move to another
 * list. */
static inline void heap_place(struct heap *heap, uint32_t index)
{
	struct heap_node *node = &heap->nodes[index];
	uint64_t key = node->event.key, differs = key ^ heap->last_key;
	uint32_t level, slot;

	node->next = HEAP_NONE;
	if (differs >> WIDE_SHIFT != 0 && differs >> WIDE_END == 0) {
		uint32_t word = (uint32_t)(key >> (WIDE_SHIFT + HEAP_DIGIT_BITS)) % HEAP_SLOTS;

		slot = (uint32_t)(key >> WIDE_SHIFT) % HEAP_SLOTS;
		if (!list_append(heap, &heap->wide_lists[word * HEAP_SLOTS + slot],
			    &heap->wide[word], slot, index))
			return;
		heap->slots[HEAP_WIDE] |= UINT64_C(1) << word;
		heap->levels |= 1u << HEAP_WIDE;
		return;
	}
	level = (uint32_t)(63 - __builtin_clzll(differs | 1)) / HEAP_DIGIT_BITS;
	slot = (uint32_t)(key >> (level * HEAP_DIGIT_BITS)) % HEAP_SLOTS;
	if (list_append(heap, &heap->lists[level][slot], &heap->slots[level], slot, index))
		heap->levels |= 1u << level;
}

static inline void clear_slot(struct heap *heap, uint32_t level, uint32_t slot)
{
	heap->slots[level] &= ~(UINT64_C(1) << slot);
	if (!heap->slots[level])
		heap->levels &= ~(1u << level);
}

static inline const struct heap_list *wide_first(
	const struct heap *heap, uint32_t *word, uint32_t *slot)
{
	*word = (uint32_t)__builtin_ctzll(heap->slots[HEAP_WIDE]);
	*slot = (uint32_t)__builtin_ctzll(heap->wide[*word]);
	return &heap->wide_lists[*word * HEAP_SLOTS + *slot];
}

/* Removes the first list of the wide level, and returns it. */
static inline uint32_t wide_take(struct heap *heap)
{
	uint32_t word, slot, first = wide_first(heap, &word, &slot)->first;

	heap->wide[word] &= ~(UINT64_C(1) << slot);
	if (!heap->wide[word])
		clear_slot(heap, HEAP_WIDE, word);
	return first;
}

/* Removes the first node with the smallest key from the list at `first`, and returns it. Its key
 * becomes the last removed key. The levels of nodes depend on this key, so all other nodes of the
 * list move to lower levels. It is not inlined, so that heap_pop() saves few registers: four of
 * five times it removes the only node of a list. */
__attribute__((noinline)) static uint32_t distribute(struct heap *heap, uint32_t first)
{
	struct heap_node *nodes = heap->nodes;
	uint32_t least = first, before = HEAP_NONE, last = first, index;
	uint64_t key = nodes[first].event.key;

	for (index = nodes[first].next; index != HEAP_NONE; index = nodes[index].next) {
		if (nodes[index].event.key < key) {
			key = nodes[index].event.key;
			least = index;
			before = last;
		}
		last = index;
	}
	if (before == HEAP_NONE)
		first = nodes[least].next;
	else
		nodes[before].next = nodes[least].next;
	heap->last_key = key;
	while (first != HEAP_NONE) {
		index = heap->nodes[first].next;
		heap_place(heap, first);
		first = index;
	}
	return least;
}

static uint64_t list_minimum(const struct heap *heap, uint32_t index)
{
	uint64_t minimum = UINT64_MAX;
	for (; index != HEAP_NONE; index = heap->nodes[index].next)
		if (heap->nodes[index].event.key < minimum)
			minimum = heap->nodes[index].event.key;
	return minimum;
}

void heap_push(struct heap *heap, uint64_t key, engine_run *run, void *subject, uint64_t argument,
	uint32_t cause)
{
	if (heap->free == HEAP_NONE)
		grow(heap);
	uint32_t index = heap->free;
	struct heap_node *node = &heap->nodes[index];
	heap->free = node->next;
	node->event =
		(struct event){key < heap->last_key ? heap->last_key : key, run, subject, argument};
	node->cause = cause;
	if (++heap->count > heap->high_water)
		heap->high_water = heap->count;
	heap_place(heap, index);
}

/* Removes the first list of the lowest level, which is not the wide level, and returns it. From
 * level 0, where all events of a list are at the same time, removes only the first event. */
static inline uint32_t heap_take(struct heap *heap, uint32_t level)
{
	uint32_t slot = (uint32_t)__builtin_ctzll(heap->slots[level]);
	struct heap_list *list = &heap->lists[level][slot];
	uint32_t first = list->first, next = heap->nodes[first].next;

	if (level > 0 || next == HEAP_NONE) {
		clear_slot(heap, level, slot);
	} else {
		list->first = next;
		heap->nodes[first].next = HEAP_NONE;
	}
	return first;
}

const struct heap_node *heap_pop(struct heap *heap)
{
	uint32_t level = (uint32_t)__builtin_ctz(heap->levels);
	uint32_t index = level == HEAP_WIDE ? wide_take(heap) : heap_take(heap, level);
	struct heap_node *node = &heap->nodes[index];

	if (node->next != HEAP_NONE) {
		index = distribute(heap, index);
		node = &heap->nodes[index];
	}
	heap->last_key = node->event.key;
	node->next = heap->free;
	heap->free = index;
	heap->count--;
	return node;
}

int64_t heap_first_ps(const struct heap *heap)
{
	uint32_t level, slot, word;

	if (!heap->levels)
		return INT64_MAX;
	level = (uint32_t)__builtin_ctz(heap->levels);
	slot = (uint32_t)__builtin_ctzll(heap->slots[level]);
	return heap_key_ps(
		list_minimum(heap, level == HEAP_WIDE ? wide_first(heap, &word, &slot)->first
						      : heap->lists[level][slot].first));
}

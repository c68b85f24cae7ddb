/* Sparse memory as a sorted array of disjoint pieces (base/sparse.h). A search first tries the
 * pieces that were used last, and then bisects the array. Writes share the extents of the caller,
 * and a view of data that lie in one piece shares the piece's extent. */
#include "base/sparse.h"
#include "joins.h"
#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* A small store creates a piece for a whole block of STORE_BLOCK_BYTES, a power of two. So words
 * that are stored one by one next to each other lie in one piece. */
enum { STORE_BLOCK_BYTES = 64, FIRST_CAPACITY = 8 };

/* The number of pieces after a hint that a search checks one by one. */
enum { NEAR = 6 };

void sparse_init(struct sparse *memory, uint64_t size)
{
	memset(memory, 0, sizeof *memory);
	memory->size = size;
}

void sparse_fini(struct sparse *memory)
{
	for (uint32_t i = 0; i < memory->count; i++)
		span_release(memory->pieces[i].span);
	free(memory->pieces);
	sparse_init(memory, memory->size);
}

static uint64_t piece_end(const struct sparse_piece *piece)
{
	return piece->address + piece->span.length;
}

/* Updates the hints: the indices of two pieces that a search tries first. There are two of them
 * because callers often alternate between two rings, one of headers and one of payloads. */
static void remember(uint32_t hints[2], uint32_t i)
{
	if (i < hints[0] || i > hints[0] + NEAR)
		hints[1] = hints[0];
	hints[0] = i;
}

/* Searches near a hint for the first piece that ends after `address`. Returns true, with the
 * piece's index in *found, if this piece is near the hint. Also returns true, with the number of
 * pieces in *found, if the search shows that there is no such piece. */
static bool is_near(const struct sparse *memory, uint32_t hint, uint64_t address, uint32_t *found)
{
	uint32_t end = hint + NEAR < memory->count ? hint + NEAR : memory->count;

	if (hint >= memory->count || (hint > 0 && piece_end(&memory->pieces[hint - 1]) > address))
		return false;
	for (*found = hint; *found < end; (*found)++)
		if (piece_end(&memory->pieces[*found]) > address)
			return true;
	return *found == memory->count;
}

/* Returns the index of the first piece that ends after `address`, or the number of pieces if there
 * is none. */
static uint32_t sparse_find(const struct sparse *memory, const uint32_t hints[2], uint64_t address)
{
	uint32_t low = 0, high = memory->count, found;

	for (uint32_t i = 0; i < 2; i++)
		if (is_near(memory, hints[i], address, &found))
			return found;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (piece_end(&memory->pieces[middle]) > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static uint32_t find_to_write(struct sparse *memory, uint64_t address)
{
	return sparse_find(memory, memory->written, address);
}

/* Finds a piece for reading. Changes only the hints. */
static uint32_t find_to_read(struct sparse *memory, uint64_t address)
{
	uint32_t i = sparse_find(memory, memory->read, address);

	remember(memory->read, i);
	return i;
}

static void ensure_inside(const struct sparse *memory, uint64_t address, uint32_t length)
{
	ensure(address <= memory->size && length <= memory->size - address,
		"[%llu, +%u) in a memory of %llu bytes", (unsigned long long)address, length,
		(unsigned long long)memory->size);
}

/* Replaces the pieces from index `from` to `to` - 1 by `count` other pieces. The caller must take
 * and release the references. */
static void splice(struct sparse *memory, uint32_t from, uint32_t to,
	const struct sparse_piece *pieces, uint32_t count)
{
	uint32_t behind = memory->count - to;
	uint32_t total = memory->count - (to - from) + count;

	if (total > memory->capacity) {
		uint32_t capacity = memory->capacity == 0 ? FIRST_CAPACITY : memory->capacity * 2;

		memory->pieces = allocate_more(memory->pieces, capacity, sizeof *memory->pieces);
		memory->capacity = capacity;
	}
	if (from + count != to && behind > 0)
		memmove(&memory->pieces[from + count], &memory->pieces[to],
			behind * sizeof *memory->pieces);
	if (count > 0)
		memcpy(&memory->pieces[from], pieces, count * sizeof *pieces);
	memory->count = total;
}

static bool continues(const struct sparse_piece *a, const struct sparse_piece *b)
{
	return a->span.extent == b->span.extent && piece_end(a) == b->address &&
	       a->span.offset + a->span.length == b->span.offset;
}

/* Joins piece i with the next piece, if the two pieces are consecutive parts of one extent. */
static void join_next(struct sparse *memory, uint32_t i)
{
	struct sparse_piece *pieces = memory->pieces;

	if (i + 1 >= memory->count || !continues(&pieces[i], &pieces[i + 1]))
		return;
	pieces[i].span.length += pieces[i + 1].span.length;
	span_release(pieces[i + 1].span);
	splice(memory, i + 1, i + 2, NULL, 0);
}

/* Writes `span` at `address`, where piece i is the first piece that ends after `address`. Takes
 * over the caller's reference. If the span has no extent, removes the pieces in the range, so that
 * the range reads as zeros. */
static void overlay(struct sparse *memory, uint32_t i, uint64_t address, struct span span)
{
	uint64_t end = address + span.length;
	struct sparse_piece replaced[3] = {0};
	uint32_t count = 0, last = i, self = i;

	while (last < memory->count && memory->pieces[last].address < end)
		last++;
	if (last > i && memory->pieces[i].address < address) {
		replaced[count] = memory->pieces[i];
		replaced[count].span.length = (uint32_t)(address - memory->pieces[i].address);
		span_hold(replaced[count++].span);
		self++;
	}
	if (span.extent != NULL)
		replaced[count++] = (struct sparse_piece){.address = address, .span = span};
	if (last > i && piece_end(&memory->pieces[last - 1]) > end) {
		const struct sparse_piece *cut = &memory->pieces[last - 1];
		uint32_t gone = (uint32_t)(end - cut->address);

		replaced[count].address = end;
		replaced[count].span = span_part(cut->span, gone, cut->span.length - gone);
		span_hold(replaced[count++].span);
	}
	for (uint32_t j = i; j < last; j++)
		span_release(memory->pieces[j].span);
	splice(memory, i, last, replaced, count);
	if (span.extent == NULL)
		return;
	join_next(memory, self);
	if (self > 0)
		join_next(memory, self - 1);
	remember(memory->written, self);
}

/* If piece i has exactly the range of `span`, replaces its contents and returns true; otherwise
 * returns false. This case is frequent, because each lap of a ring writes the same ranges again. */
static bool replace(struct sparse *memory, uint32_t i, uint64_t address, struct span span)
{
	struct sparse_piece *piece;

	if (i >= memory->count || span.extent == NULL)
		return false;
	piece = &memory->pieces[i];
	if (piece->address != address || piece->span.length != span.length)
		return false;
	span_release(piece->span);
	piece->span = span;
	remember(memory->written, i);
	join_next(memory, i);
	if (i > 0)
		join_next(memory, i - 1);
	return true;
}

/* If piece i does not exist, writes `span` behind all pieces and returns true; otherwise returns
 * false. This case is the most frequent one, because data come to a ring in parts. */
static bool append(struct sparse *memory, uint32_t i, uint64_t address, struct span span)
{
	const struct sparse_piece written = {.address = address, .span = span};
	struct sparse_piece *end;

	if (i < memory->count || i == memory->capacity || span.extent == NULL)
		return false;
	end = &memory->pieces[i];
	if (i > 0 && continues(end - 1, &written)) {
		end[-1].span.length += span.length;
		remember(memory->written, i - 1);
		return true;
	}
	span_hold(span);
	*end = written;
	memory->count++;
	remember(memory->written, i);
	return true;
}

void sparse_write(struct sparse *memory, uint64_t address, struct span span)
{
	uint32_t i = find_to_write(memory, address);

	ensure_inside(memory, address, span.length);
	if (span.length == 0 || append(memory, i, address, span))
		return;
	span_hold(span);
	if (!replace(memory, i, address, span))
		overlay(memory, i, address, span);
}

/* Returns true if the piece covers the range, its bytes are simulated, and it holds the only
 * reference to its extent. */
static bool is_private(const struct sparse_piece *piece, uint64_t address, uint32_t length)
{
	const struct extent *extent = piece->span.extent;

	return piece->address <= address && piece_end(piece) >= address + length &&
	       !extent->elided && __atomic_load_n(&extent->references, __ATOMIC_ACQUIRE) == 1;
}

void sparse_store(struct sparse *memory, uint64_t address, const void *bytes, uint32_t length)
{
	uint32_t i = find_to_write(memory, address);
	uint64_t from = address & ~(uint64_t)(STORE_BLOCK_BYTES - 1);
	uint64_t to =
		(address + length + STORE_BLOCK_BYTES - 1) & ~(uint64_t)(STORE_BLOCK_BYTES - 1);
	struct extent *extent;

	ensure_inside(memory, address, length);
	if (length == 0)
		return;
	if (i < memory->count && is_private(&memory->pieces[i], address, length)) {
		struct sparse_piece *piece = &memory->pieces[i];

		memcpy(piece->span.extent->bytes + piece->span.offset + (address - piece->address),
			bytes, length);
		remember(memory->written, i);
		return;
	}
	if (to > memory->size)
		to = memory->size;
	extent = extent_new((uint32_t)(to - from));
	if (sparse_read(memory, from, extent->length, extent->bytes) == STATUS_OK) {
		memcpy(extent->bytes + (address - from), bytes, length);
	} else {
		extent_release(extent);
		extent = span_copy(bytes, length).extent;
		from = address;
	}
	overlay(memory, find_to_write(memory, from), from, span_of(extent));
}

static bool is_any_elided(struct sparse *memory, uint64_t address, uint32_t length)
{
	for (uint32_t i = find_to_read(memory, address);
		i < memory->count && memory->pieces[i].address < address + length; i++)
		if (memory->pieces[i].span.extent->elided)
			return true;
	return false;
}

/* Returns the piece that was read last, or the piece after it, if it covers the range. Otherwise
 * returns NULL. Usually, one of these two pieces covers the range. */
static const struct sparse_piece *covering(struct sparse *memory, uint64_t address, uint32_t length)
{
	for (uint32_t i = memory->read[0]; i < memory->count && i <= memory->read[0] + 1; i++) {
		const struct sparse_piece *piece = &memory->pieces[i];

		if (piece->address > address)
			return NULL;
		if (piece_end(piece) >= address + length && piece_end(piece) > address) {
			memory->read[0] = i;
			return piece;
		}
	}
	return NULL;
}

enum status sparse_read(struct sparse *memory, uint64_t address, uint32_t length, void *out)
{
	const struct sparse_piece *whole = covering(memory, address, length);
	uint64_t end = address + length, at = address;
	uint8_t *to = out;

	if (whole != NULL && whole->span.extent->elided)
		return STATUS_ELIDED;
	if (whole != NULL && out != NULL)
		memcpy(out,
			whole->span.extent->bytes + whole->span.offset + (address - whole->address),
			length);
	if (whole != NULL)
		return STATUS_OK;
	ensure_inside(memory, address, length);
	if (out == NULL)
		return is_any_elided(memory, address, length) ? STATUS_ELIDED : STATUS_OK;
	for (uint32_t i = find_to_read(memory, address); i < memory->count; i++) {
		const struct sparse_piece *piece = &memory->pieces[i];
		uint64_t stop = piece_end(piece) < end ? piece_end(piece) : end;

		if (piece->address >= end)
			break;
		if (piece->address > at) {
			memset(to + (at - address), 0, piece->address - at);
			at = piece->address;
		}
		if (span_read(piece->span, (uint32_t)(at - piece->address), (uint32_t)(stop - at),
			    to + (at - address)) != STATUS_OK)
			return STATUS_ELIDED;
		at = stop;
	}
	if (at < end)
		memset(to + (at - address), 0, end - at);
	return STATUS_OK;
}

/* If the range lies in piece i and the next one, and no byte of it is elided, writes the two parts
 * to `join` and returns true. The range begins in piece i and does not end there. */
static bool is_join(const struct sparse *memory, uint32_t i, uint64_t address, uint32_t length,
	struct sparse_join *join)
{
	const struct sparse_piece *piece = &memory->pieces[i], *next = piece + 1;
	uint64_t border = piece_end(piece);

	if (i + 1 >= memory->count || piece->address > address || next->address != border ||
		piece_end(next) < address + length || piece->span.extent->elided ||
		next->span.extent->elided)
		return false;
	join->first = span_part(
		piece->span, (uint32_t)(address - piece->address), (uint32_t)(border - address));
	join->second = span_part(next->span, 0, (uint32_t)(address + length - border));
	return true;
}

struct span sparse_view(struct sparse *memory, uint64_t address, uint32_t length)
{
	return sparse_view_joined(memory, address, length, NULL);
}

struct span sparse_view_joined(
	struct sparse *memory, uint64_t address, uint32_t length, struct sparse_joins *joins)
{
	struct span view = {.extent = NULL, .offset = 0, .length = length};
	const struct sparse_piece *piece = covering(memory, address, length);
	struct sparse_join join;
	uint32_t i;

	if (piece != NULL && length > 0) {
		view = span_part(piece->span, (uint32_t)(address - piece->address), length);
		span_hold(view);
		return view;
	}
	ensure_inside(memory, address, length);
	i = find_to_read(memory, address);
	if (length == 0 || i == memory->count)
		return view; /* the memory may have no pieces at all */
	piece = &memory->pieces[i];
	if (piece->address >= address + length)
		return view;
	if (piece->address <= address && piece_end(piece) >= address + length) {
		view = span_part(piece->span, (uint32_t)(address - piece->address), length);
		span_hold(view);
		return view;
	}
	if (joins == NULL || !is_join(memory, i, address, length, &join))
		joins = NULL;
	else if (sparse_join_find(joins, &join))
		return join.whole;
	view.extent = extent_new(length);
	if (sparse_read(memory, address, length, view.extent->bytes) != STATUS_OK) {
		extent_release(view.extent);
		view.extent = extent_new_elided(length);
	}
	join.whole = view;
	if (joins != NULL)
		sparse_join_keep(joins, &join);
	return view;
}

struct span sparse_view_piece(struct sparse *memory, uint64_t address, uint32_t length)
{
	uint32_t i = find_to_read(memory, address);
	struct span view = {.extent = NULL, .offset = 0, .length = length};
	const struct sparse_piece *piece;

	ensure_inside(memory, address, length);
	if (i == memory->count)
		return view;
	piece = &memory->pieces[i];
	if (piece->address >= address + length)
		return view;
	if (piece->address > address) {
		view.length = (uint32_t)(piece->address - address);
		return view;
	}
	if (piece_end(piece) < address + length)
		length = (uint32_t)(piece_end(piece) - address);
	view = span_part(piece->span, (uint32_t)(address - piece->address), length);
	span_hold(view);
	return view;
}

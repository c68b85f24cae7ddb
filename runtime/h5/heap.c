/* Fractal heaps, and the version 2 B-trees that index their objects (private.h). HDF5 uses both for
 * groups with many links, and for tables with very many attributes. */
#include <string.h>

#include "private.h"

enum { ID_BYTES_MAX = 16, NODE_BYTES_MAX = 1 << 20, TREE_DEPTH_MAX = 16, HEAP_DEPTH_MAX = 16 };

static unsigned log2_of(uint64_t number)
{
	unsigned log = 0;

	while (number >>= 1)
		log++;
	return log;
}

static bool is_power(uint64_t number)
{
	return number > 0 && (number & (number - 1)) == 0;
}

/* Returns the number of bytes in which HDF5 writes numbers up to `most`. */
static unsigned bytes_for(uint64_t most)
{
	return log2_of(most) / 8 + 1;
}

/* ---- heap ---- */

struct heap {
	struct h5_file *file;
	/* root: address of the root block; first: size in bytes of the blocks in the first row;
	 * most: size in bytes of the largest block that contains data and not further rows */
	uint64_t root, first, most;
	/* width: number of blocks in a row; rows: number of rows of the root block, or 0 if the
	 * root block contains data */
	uint64_t width, rows;
	unsigned id_bytes, offset_bytes, length_bytes;
};

static bool heap_open(struct h5_file *file, uint64_t address, struct heap *heap)
{
	enum { HEAP_BYTES = 142 };
	unsigned char bytes[HEAP_BYTES];
	struct cursor at = {bytes, sizeof bytes, false};
	uint64_t filters, largest, bits;

	if (!h5_file_read(file, address, bytes, sizeof bytes) || !cursor_signature(&at, "FRHP") ||
		cursor_number(&at, 1) != 0)
		return false;
	heap->file = file;
	heap->id_bytes = (unsigned)cursor_number(&at, 2);
	filters = cursor_number(&at, 2);
	cursor_bytes(&at, 1);
	largest = cursor_number(&at, 4);
	cursor_bytes(&at, 96);
	heap->width = cursor_number(&at, 2);
	heap->first = cursor_number(&at, 8);
	heap->most = cursor_number(&at, 8);
	bits = cursor_number(&at, 2);
	cursor_bytes(&at, 2);
	heap->root = cursor_number(&at, 8);
	heap->rows = cursor_number(&at, 2);
	heap->offset_bytes = (unsigned)(bits + 7) / 8;
	heap->length_bytes = (log2_of(heap->most) + 7) / 8;
	if (bytes_for(largest) < heap->length_bytes)
		heap->length_bytes = bytes_for(largest);
	return !at.bad && filters == 0 && heap->id_bytes <= ID_BYTES_MAX && bits <= 48 &&
	       is_power(heap->width) && is_power(heap->first) && is_power(heap->most) &&
	       heap->first <= heap->most && heap->most <= UINT32_MAX;
}

/* Returns the number of bytes before the table of an indirect block. */
static uint64_t table_offset(const struct heap *heap)
{
	return 4 + 1 + 8 + heap->offset_bytes;
}

/* Finds the `length` bytes at `offset` of the heap, and sets *address to their address in the file.
 * Returns false if the heap is damaged. The blocks of a heap are arranged in rows. Blocks of the
 * first two rows have `first` bytes, and the size doubles with each further row. A block of more
 * than `most` bytes contains rows of smaller blocks instead of data. */
static bool heap_find(const struct heap *heap, uint64_t offset, uint64_t length, uint64_t *address)
{
	uint64_t block = heap->root, rows = heap->rows, row_bytes = heap->first * heap->width;

	if (rows == 0) {
		*address = block + offset;
		return offset < heap->first && length <= heap->first - offset &&
		       h5_file_holds(heap->file, block, heap->first);
	}
	for (int depth = 0; depth < HEAP_DEPTH_MAX; depth++) {
		uint64_t row = offset < row_bytes ? 0 : log2_of(offset / row_bytes) + 1u;
		uint64_t start = row == 0 ? 0 : row_bytes << (row - 1);
		uint64_t bytes = row == 0 ? heap->first : heap->first << (row - 1);
		uint64_t column = (offset - start) / bytes;
		unsigned char place[8];
		struct cursor at = {place, sizeof place, false};

		if (row >= rows || block > heap->file->length ||
			!h5_file_read(heap->file,
				block + table_offset(heap) + (row * heap->width + column) * 8,
				place, sizeof place))
			return false;
		block = cursor_number(&at, 8);
		offset -= start + column * bytes;
		if (bytes <= heap->most) {
			*address = block + offset;
			return length <= bytes - offset && h5_file_holds(heap->file, block, bytes);
		}
		rows = log2_of(bytes) - log2_of(row_bytes) + 1u;
	}
	return false;
}

/* Reads the object with the given id. Supports only objects that lie in the heap's blocks. */
static bool heap_object(
	const struct heap *heap, struct cursor id, struct arena *arena, struct cursor *object)
{
	uint64_t offset, length, address;

	if (cursor_number(&id, 1) != 0)
		return false;
	offset = cursor_number(&id, heap->offset_bytes);
	length = cursor_number(&id, heap->length_bytes);
	return !id.bad && length > 0 && heap_find(heap, offset, length, &address) &&
	       h5_file_load(heap->file, address, length, arena, object);
}

/* ---- tree ---- */

struct tree {
	const struct heap *heap;
	struct arena *arena;
	/* left: number of records that may still follow */
	uint64_t node_bytes, record_bytes, left;
	unsigned skip;
	unsigned depth;
	/* each pointer to a child contains the number of records in the child; this is the size of
	 * that number in bytes */
	unsigned count_bytes;
	/* [depth of the child] number of bytes of a field in each pointer to a child; the field has
	 * the number of records in the child's subtree */
	unsigned total_bytes[TREE_DEPTH_MAX];
	enum status (*take)(void *context, struct cursor body);
	void *context;
};

/* Computes `count_bytes` and `total_bytes` of a tree from the number of records that fit into a
 * node. Returns false if the tree is invalid. */
static bool plan_widths(struct tree *tree)
{
	uint64_t most = (tree->node_bytes - 10) / tree->record_bytes, below = most;

	tree->count_bytes = bytes_for(most);
	for (unsigned depth = 1; depth <= tree->depth; depth++) {
		uint64_t pointer = 8 + tree->count_bytes + tree->total_bytes[depth - 1];

		if (tree->node_bytes <= 10 + pointer)
			return false;
		most = (tree->node_bytes - 10 - pointer) / (tree->record_bytes + pointer);
		if (below > (UINT64_MAX >> 16) / (most + 1))
			return false;
		below = (most + 1) * below + most;
		tree->total_bytes[depth] = bytes_for(below);
	}
	return true;
}

static enum status take_records(struct tree *tree, struct cursor *node, uint64_t count)
{
	enum status status = STATUS_OK;

	if (count > tree->left)
		return STATUS_INVALID;
	tree->left -= count;
	for (uint64_t i = 0; i < count && status == STATUS_OK; i++) {
		const unsigned char *record = cursor_bytes(node, tree->record_bytes);
		struct cursor id = {record, tree->record_bytes, record == NULL}, object;

		cursor_bytes(&id, tree->skip);
		if (!heap_object(tree->heap, id, tree->arena, &object))
			return STATUS_INVALID;
		status = tree->take(tree->context, object);
	}
	return status;
}

/* Visits a node of the tree and the nodes below it. A node without records is an error, so a
 * damaged file cannot make this function visit more nodes than there are records. */
static enum status visit_node(struct tree *tree, uint64_t address, uint64_t count, unsigned depth)
{
	struct arena arena = {0};
	struct cursor node;
	enum status status = STATUS_INVALID;

	if (!h5_file_load(tree->heap->file, address, tree->node_bytes, &arena, &node) ||
		!cursor_signature(&node, depth == 0 ? "BTLF" : "BTIN") || count == 0)
		goto out;
	cursor_bytes(&node, 2); /* version, type */
	status = take_records(tree, &node, count);
	for (uint64_t i = 0; depth > 0 && i <= count && status == STATUS_OK; i++) {
		uint64_t child = cursor_number(&node, 8);
		uint64_t records = cursor_number(&node, tree->count_bytes);

		cursor_bytes(&node, tree->total_bytes[depth - 1]);
		status = node.bad ? STATUS_INVALID : visit_node(tree, child, records, depth - 1);
	}
out:
	arena_fini(&arena);
	return status;
}

static enum status visit_tree(struct tree *tree, uint64_t address)
{
	enum { TREE_BYTES = 38 };
	unsigned char bytes[TREE_BYTES];
	struct cursor at = {bytes, sizeof bytes, false};
	uint64_t root, count, depth;

	if (!h5_file_read(tree->heap->file, address, bytes, sizeof bytes) ||
		!cursor_signature(&at, "BTHD") || cursor_number(&at, 1) != 0)
		return STATUS_INVALID;
	cursor_bytes(&at, 1);
	tree->node_bytes = cursor_number(&at, 4);
	tree->record_bytes = cursor_number(&at, 2);
	depth = cursor_number(&at, 2);
	cursor_bytes(&at, 2);
	root = cursor_number(&at, 8);
	count = cursor_number(&at, 2);
	tree->left = cursor_number(&at, 8);
	tree->depth = (unsigned)depth;
	if (at.bad || depth >= TREE_DEPTH_MAX || tree->node_bytes < 32 ||
		tree->node_bytes > NODE_BYTES_MAX || tree->record_bytes == 0 ||
		tree->record_bytes > tree->node_bytes - 10 ||
		tree->left > tree->heap->file->length / tree->record_bytes || !plan_widths(tree))
		return STATUS_INVALID;
	return tree->left == 0 ? STATUS_OK : visit_node(tree, root, count, tree->depth);
}

enum status heap_visit(struct h5_file *file, uint64_t heap, uint64_t tree, unsigned skip,
	struct arena *arena, enum status (*take)(void *context, struct cursor body), void *context)
{
	struct heap opened;
	struct tree walk = {
		.heap = &opened, .arena = arena, .skip = skip, .take = take, .context = context};
	enum status status = STATUS_INVALID;

	if (heap_open(file, heap, &opened))
		status = visit_tree(&walk, tree);
	return status == STATUS_OK ? STATUS_OK : h5_file_refuse(file, NULL);
}

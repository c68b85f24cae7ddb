/* The kernels of a chain that move tiles: NCRISC reads the tiles of inputs, and BRISC writes
 * results. */
#include "chain.h"

/* Sets PAGE to the page of the group's first tile. */
static void first_page(struct kernel_text *text, const struct chain_input *input)
{
	kernel_text_set(text, PAGE, 0);
	for (int i = 0; i < 2 && !input->kept; i++) {
		const struct chain_term *term = &input->first[i];

		if (term->modulus == 0)
			continue;
		kernel_text_add(text, KERNEL_DIVIDE, TERM, WALK_NUMBER, 0, term->divide);
		kernel_text_add(text, KERNEL_REMAINDER, TERM, TERM, 0, term->modulus);
		kernel_text_add(text, KERNEL_MULTIPLY, TERM, TERM, 0, term->multiply);
		kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, TERM, 0);
	}
}

static void read_input(
	struct parts *parts, const struct chain_input *input, uint8_t buffer, uint32_t description)
{
	struct kernel_text *text = &parts->text;
	uint32_t bytes = parts_tile_bytes(parts->use);
	struct chain_loop loop;

	first_page(text, input);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, input->tiles);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	loop = chain_varying_begin(text, COUNT, LIMIT, input->tiles, input->read);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, bytes);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, bytes);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, input->stride);
	chain_varying_end(text, &loop);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, input->tiles);
}

/* Appends code that writes one face of the mask, row by row, to the address in register LOCAL. In
 * row r, columns before column c = first + by_row * r are 0, the other columns are -infinity. The
 * code keeps r in register RESULT, and c in register LEFT. */
static void make_face(struct kernel_text *text, uint32_t first, uint32_t by_row)
{
	enum { FACE = KERNEL_TILE_SIDE / 2 };
	uint32_t row = loop_begin(text, RESULT, RESULTS, FACE), column, above, stored;

	kernel_text_add(text, KERNEL_MULTIPLY, LEFT, RESULT, 0, by_row);
	kernel_text_add(text, KERNEL_ADD, LEFT, LEFT, 0, first);
	column = loop_begin(text, COUNT, LIMIT, FACE);
	above = kernel_text_label(text);
	stored = kernel_text_label(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, COUNT, LEFT, above);
	kernel_text_add(text, KERNEL_STORE, 0, LOCAL, 0, 0);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, stored);
	kernel_text_place(text, above);
	kernel_text_add(text, KERNEL_STORE, RIGHT, LOCAL, 0, 0);
	kernel_text_place(text, stored);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, 4);
	loop_end(text, COUNT, LIMIT, column);
	loop_end(text, RESULT, RESULTS, row);
}

static void make_mask(struct kernel_text *text, uint8_t buffer)
{
	kernel_text_set(text, RIGHT, LEAST_BITS);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	make_face(text, 1, 1);
	make_face(text, 0, 0);
	make_face(text, KERNEL_TILE_SIDE, 0);
	make_face(text, 1, 1);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, 1);
}

void chain_add_reader(struct parts *parts, const struct chain *chain)
{
	uint32_t descriptions[CHAIN_INPUTS];

	parts_begin(parts, PROCESSOR_NCRISC);
	for (uint8_t i = 0; i < chain->input_count; i++) {
		if (chain->inputs[i].mask) {
			make_mask(&parts->text, i);
			continue;
		}
		descriptions[i] = parts_port(parts, i, chain->inputs[i].name);
		if (chain->inputs[i].image)
			chain_make_zeros(&parts->text, chain);
		if (chain->inputs[i].kept)
			read_input(parts, &chain->inputs[i], i, descriptions[i]);
	}
	chain_groups_begin(parts, chain);
	for (uint8_t i = 0; i < chain->input_count; i++)
		if (chain->inputs[i].image)
			chain_read_image(&parts->text, chain, i, descriptions[i]);
		else if (!chain->inputs[i].kept)
			read_input(parts, &chain->inputs[i], i, descriptions[i]);
	parts_walk_end(parts);
	parts_end(parts);
}

void chain_add_writer(struct parts *parts, const struct chain *chain)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_BRISC);
	uint8_t buffer = (uint8_t)(chain->buffer_count - 1);
	uint32_t tiles = chain_tiles(chain, buffer), description, again;

	description = parts_port(parts, chain_output(chain), "to");
	parts_walk(parts, chain->groups);
	kernel_text_add(text, KERNEL_MULTIPLY, PAGE, WALK_NUMBER, 0, tiles);
	again = loop_begin(text, COUNT, LIMIT, tiles);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
	kernel_text_add(text, KERNEL_AWAIT, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, buffer, 0, 0);
	kernel_text_add(text, KERNEL_WRITE, LOCAL, PLACE, 0, parts_tile_bytes(parts->use));
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, 1);
	loop_end(text, COUNT, LIMIT, again);
	parts_walk_end(parts);
	parts_end(parts);
}

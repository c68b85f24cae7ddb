/* Reads the operands of an instruction in readable form (kernel_text.h): registers, numbers, names
 * and words. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "command/kernel_tile.h"
#include "command/launch.h"
#include "kernel_reading.h"

enum kind {
	KIND_NONE,
	KIND_TO,
	KIND_FROM,
	KIND_PAIR_TO,
	KIND_PAIR,
	KIND_TRIPLE,
	KIND_BUFFER,
	KIND_VALUE,
	KIND_TARGET,
	KIND_SEMAPHORE,
	KIND_SOURCE,
	KIND_DESTINATION,
	KIND_ELEMENT,
	KIND_BROADCAST,
	KIND_ALONG,
	KIND_REDUCTION,
	KIND_FUNCTION,
	KIND_FORMAT,
	KIND_RESULT,
	KIND_ROWS_RESULT,
	KIND_COUNT
};

static const uint8_t kinds[KERNEL_OPCODES][4] = {
#define X(name, text, a, b, c, immediate, class, sentence)                                         \
	[KERNEL_##name] = {KIND_##a, KIND_##b, KIND_##c, KIND_##immediate},
#include "command/instructions.def"
#undef X
};

/* How an operand of each kind is written: as one of `words`, or as a number less than `below`. If
 * `before` is set, this word may stand before the number. */
static const struct form {
	const char *before;
	uint32_t below;
	const char *words[KERNEL_FUNCTIONS + 1];
} forms[KIND_COUNT] = {
	[KIND_BUFFER] = {.before = "buffer", .below = CIRCULAR_BUFFERS_MAX},
	[KIND_SEMAPHORE] = {.before = "semaphore",
		.below = SEMAPHORES_MAX + STANDING_SEMAPHORES_MAX},
	[KIND_DESTINATION] = {.before = "destination", .below = KERNEL_DESTINATIONS},
	[KIND_SOURCE] = {.words = {"left", "right"}},
	[KIND_ELEMENT] = {.words = {"f32", "bf16"}},
	[KIND_FORMAT] = {.words = {"f32", "bf16", "bfp8", "bfp4"}},
	[KIND_BROADCAST] = {.words = {"each", "row", "column", "scalar"}},
	[KIND_ALONG] = {.words = {"rows", "columns", "both"}},
	[KIND_REDUCTION] = {.words = {"sum", "max"}},
	[KIND_FUNCTION] = {.words = {"exp", "reciprocal", "sqrt", "gelu", "silu", "tanh"}},
};

static bool read_number(struct piece piece, int64_t *number)
{
	char copy[WORD_BYTES], *end;

	piece_copy(piece, copy);
	if (piece.length == 0 || piece.length >= 60)
		return false;
	*number = strtoll(copy, &end, strncmp(copy + (copy[0] == '-'), "0x", 2) == 0 ? 16 : 10);
	return *end == '\0' && *number >= INT32_MIN && *number <= UINT32_MAX;
}

static bool read_register(struct piece piece, int64_t *number)
{
	struct piece rest = {piece.at + 1, piece.length - 1};

	return piece.length > 1 && piece.at[0] == 'r' && rest.at[0] >= '0' && rest.at[0] <= '9' &&
	       read_number(rest, number);
}

static void refuse_name(struct reading *reading, struct piece piece, const char *what, bool labels)
{
	char copy[WORD_BYTES];
	struct nearest nearest;

	if (piece.length == 0) {
		kernel_reading_refuse(reading, piece, "missing %s", what);
		return;
	}
	nearest_start(&nearest, piece_copy(piece, copy));
	for (uint32_t i = 0; i < reading->symbol_count && !labels; i++)
		nearest_offer(&nearest, reading->symbols[i].name);
	for (uint32_t i = 0; i < reading->label_count && labels; i++)
		nearest_offer(&nearest, reading->labels[i].name);
	if (nearest.best)
		kernel_reading_refuse(reading, piece, "'%s' is no %s, did you mean '%s'?", copy,
			what, nearest.best);
	else
		kernel_reading_refuse(reading, piece, "'%s' is no %s", copy, what);
}

static uint32_t term_of(struct reading *reading, struct piece piece)
{
	int64_t number = 0;

	if (read_number(piece, &number))
		return (uint32_t)number;
	for (uint32_t i = 0; i < reading->symbol_count; i++)
		if (piece_is(piece, reading->symbols[i].name))
			return reading->symbols[i].value;
	refuse_name(reading, piece, "number", false);
	return 0;
}

/* Reads a number, a name, or a sum of them. */
static uint32_t kernel_operands_value_of(struct reading *reading, struct piece piece)
{
	uint32_t sum = 0;
	bool more = true;

	while (more) {
		struct piece term = piece_take_until(&piece, '+');

		more = piece.length > 0;
		sum += term_of(reading, term);
	}
	return sum;
}

static uint8_t register_of(struct reading *reading, struct piece piece, enum kind kind)
{
	uint32_t behind = kind == KIND_TRIPLE ? 2 : kind == KIND_PAIR || kind == KIND_PAIR_TO;
	struct piece rest = piece, first = piece_take_until(&rest, ':');
	int64_t number = 0, last;

	if (!read_register(first, &number)) {
		refuse_name(reading, piece, "register", false);
		return 1;
	}
	if (number + behind >= KERNEL_REGISTERS)
		kernel_reading_refuse(reading, piece, "there is no r%lld: a core has r0 to r%d",
			(long long)(number + behind), KERNEL_REGISTERS - 1);
	else if (number == 0 && (kind == KIND_TO || kind == KIND_PAIR_TO))
		kernel_reading_refuse(reading, piece, "r0 is always 0, and is not written");
	else if (rest.at != first.at + first.length && rest.length > 0 &&
		 (!read_number(piece_trimmed(rest), &last) || last != number + behind ||
			 behind == 0))
		kernel_reading_refuse(reading, piece, "these %s are r%lld%s",
			behind ? "registers" : "operands", (long long)number,
			behind ? " and those behind it" : " alone");
	else
		return (uint8_t)number;
	return 1;
}

static uint32_t target_of(struct reading *reading, struct piece piece)
{
	struct piece rest = piece;
	int64_t number = 0;

	if (piece_is(piece_take_word(&rest), "to") && rest.length > 0)
		piece = rest;
	for (uint32_t i = 0; i < reading->label_count; i++)
		if (piece_is(piece, reading->labels[i].name))
			return reading->labels[i].number;
	if (!read_number(piece, &number))
		refuse_name(reading, piece, "label", true);
	else if (number < 0 || number >= reading->instructions)
		kernel_reading_refuse(reading, piece, "there is no instruction %lld, but 0 to %u",
			(long long)number, reading->instructions - 1);
	else
		return (uint32_t)number;
	return 0;
}

static void refuse_choice(struct reading *reading, struct piece piece, const char *const *words)
{
	char copy[WORD_BYTES];
	struct nearest nearest;

	nearest_start(&nearest, piece_copy(piece, copy));
	for (uint32_t i = 0; words[i]; i++)
		nearest_offer(&nearest, words[i]);
	kernel_reading_refuse(reading, piece,
		nearest.best ? "'%s' is none of %s, %s, ..., did you mean '%s'?"
			     : "'%s' is none of %s, %s, ...",
		copy, words[0], words[1], nearest.best);
}

/* Reads one of a few choices, given as a word or as a number. */
static uint32_t choice_of(struct reading *reading, struct piece piece, enum kind kind)
{
	const struct form *form = &forms[kind];
	struct piece rest = piece;
	int64_t number = 0;

	for (uint32_t i = 0; form->words[i]; i++)
		if (piece_is(piece, form->words[i]))
			return i;
	if (form->words[0]) {
		refuse_choice(reading, piece, form->words);
		return 0;
	}
	if (piece_is(piece_take_word(&rest), form->before))
		piece = rest;
	if (!read_number(piece, &number))
		refuse_name(reading, piece, form->before, false);
	else if (number < 0 || number >= form->below)
		kernel_reading_refuse(reading, piece, "there is no %s %lld, but 0 to %u",
			form->before, (long long)number, form->below - 1);
	else
		return (uint32_t)number;
	return 0;
}

/* Reads "r3 + 16", "16" or "r3". */
static void read_sum(struct reading *reading, struct piece piece, uint8_t *summand, uint32_t *value)
{
	struct piece rest = piece, first = piece_take_until(&rest, '+');
	int64_t number;

	rest = piece_trimmed(rest);
	if (!read_register(first, &number)) {
		*value = kernel_operands_value_of(reading, piece);
		return;
	}
	*summand = register_of(reading, first, KIND_FROM);
	if (rest.length > 0)
		*value = kernel_operands_value_of(reading, rest);
	else if (first.at + first.length != piece.at + piece.length)
		refuse_name(reading, rest, "number", false);
}

static uint32_t operand_of(struct reading *reading, struct piece piece, enum kind kind)
{
	if (kind == KIND_TARGET)
		return target_of(reading, piece);
	if (kind == KIND_VALUE)
		return kernel_operands_value_of(reading, piece);
	if (forms[kind].before || forms[kind].words[0])
		return choice_of(reading, piece, kind);
	return register_of(reading, piece, kind);
}

uint32_t kernel_operands_count(enum kernel_opcode opcode)
{
	const uint8_t *kind = kinds[opcode];
	uint32_t count = 0;

	for (int i = 0; i < 4; i++)
		count += kind[i] != KIND_NONE;
	if (kind[2] != KIND_NONE && kind[3] == KIND_VALUE)
		count--;
	return count + (kind[3] == KIND_RESULT || kind[3] == KIND_ROWS_RESULT);
}

static void read_immediate(struct reading *reading, const struct piece *pieces, uint32_t left,
	const uint8_t *kind, struct kernel_instruction *made)
{
	if (kind[3] == KIND_NONE || left == 0)
		return; /* if the number is missing, it is 0 */
	if (kind[2] != KIND_NONE && kind[3] == KIND_VALUE)
		read_sum(reading, pieces[0], &made->c, &made->immediate);
	else if (kind[3] == KIND_RESULT || kind[3] == KIND_ROWS_RESULT)
		made->immediate =
			kernel_tile_result(choice_of(reading, pieces[0], KIND_DESTINATION),
				(enum kernel_element)choice_of(reading, pieces[1],
					kind[3] == KIND_RESULT ? KIND_FORMAT : KIND_ELEMENT));
	else
		made->immediate = operand_of(reading, pieces[0], (enum kind)kind[3]);
}

bool kernel_operands_spare(enum kernel_opcode opcode)
{
	const uint8_t *kind = kinds[opcode];

	return kind[3] == KIND_VALUE && kind[2] == KIND_NONE && kernel_operands_count(opcode) > 1;
}

void kernel_operands_read(struct reading *reading, const struct piece *pieces, uint32_t count,
	struct kernel_instruction *made)
{
	const uint8_t *kind = kinds[made->opcode];
	uint8_t *operands[] = {&made->a, &made->b, &made->c};
	bool sum = kind[2] != KIND_NONE && kind[3] == KIND_VALUE;
	bool joined =
		!sum && count + 1 == kernel_operands_count(made->opcode) && kind[3] == KIND_VALUE;
	uint32_t at = 0;

	for (int i = 0; i < 3; i++) {
		if (kind[i] == KIND_NONE || (i == 2 && sum))
			continue;
		if (joined && at + 1 == count && kind[i] == KIND_FROM)
			read_sum(reading, pieces[at], operands[i], &made->immediate);
		else
			*operands[i] = (uint8_t)operand_of(reading, pieces[at], (enum kind)kind[i]);
		at++;
	}
	read_immediate(reading, pieces + at, count - at, kind, made);
}

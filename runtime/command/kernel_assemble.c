/* Reads kernels in readable form (kernel_text.h): splits lines into labels, words and pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/nearest.h"
#include "kernel_reading.h"

/* ---- instructions ---- */

static enum kernel_opcode opcode_of(struct reading *reading, struct piece word)
{
	char copy[WORD_BYTES];
	struct nearest nearest;

	nearest_start(&nearest, piece_copy(word, copy));
	for (uint32_t i = 1; i < KERNEL_OPCODES; i++) {
		nearest_offer(&nearest, kernel_opcode_word(i));
		if (piece_is(word, kernel_opcode_word(i)))
			return (enum kernel_opcode)i;
	}
	if (nearest.best)
		kernel_reading_refuse(reading, word, "unknown instruction '%s', did you mean '%s'?",
			copy, nearest.best);
	else
		kernel_reading_refuse(reading, word, "unknown instruction '%s'", copy);
	return KERNEL_NOTHING;
}

static void read_instruction(struct reading *reading, struct piece line)
{
	struct piece word = piece_take_word(&line), pieces[FIELDS_MAX], rest = line;
	struct kernel_instruction made = {.opcode = opcode_of(reading, word)};
	uint32_t count = 0, wanted;
	bool spare;

	if (made.opcode == KERNEL_NOTHING)
		return;
	for (; rest.length > 0 && count < FIELDS_MAX; count++)
		pieces[count] = piece_take_until(&rest, ',');
	wanted = kernel_operands_count(made.opcode);
	spare = kernel_operands_spare(made.opcode);
	if (count > wanted || count + spare < wanted) {
		kernel_reading_refuse(reading, word, "'%s' takes %u operand%s, not %u: %s",
			kernel_opcode_word(made.opcode), wanted, wanted == 1 ? "" : "s", count,
			kernel_opcode_what(made.opcode));
		return;
	}
	kernel_operands_read(reading, pieces, count, &made);
	if (reading->good)
		kernel_text_add(reading->text, made.opcode, made.a, made.b, made.c, made.immediate);
}

/* ---- lines ---- */

/* Cuts a label off the start of a line. */
static bool take_label(struct piece *line, struct piece *label)
{
	struct piece rest = *line;

	*label = piece_take_word(&rest);
	if (label->length == 0 || rest.length == 0 || rest.at[0] != ':')
		return false;
	*line = piece_trimmed((struct piece){rest.at + 1, rest.length - 1});
	return true;
}

static void note_label(struct reading *reading, struct piece name)
{
	struct label *label;

	if (name.length > 60) {
		kernel_reading_refuse(reading, name, "a label of more than 60 characters");
		return;
	}
	for (uint32_t i = 0; i < reading->label_count; i++)
		if (piece_is(name, reading->labels[i].name))
			kernel_reading_refuse(
				reading, name, "label '%s' stands twice", reading->labels[i].name);
	reading->labels =
		allocate_more(reading->labels, reading->label_count + 1, sizeof *reading->labels);
	label = &reading->labels[reading->label_count++];
	piece_copy(name, label->name);
	label->number = reading->instructions;
}

/* Calls `work` for every line, without the line's comment. */
static void for_lines(struct reading *reading, const char *source,
	void (*work)(struct reading *reading, struct piece line))
{
	reading->line = 1;
	for (const char *at = source; *at; reading->line++) {
		size_t length = strcspn(at, "\n");
		struct piece line = {at, length};

		reading->line_start = at;
		line = piece_take_until(&line, '#');
		work(reading, line);
		at += length + (at[length] == '\n');
	}
}

static void find_labels(struct reading *reading, struct piece line)
{
	struct piece label;

	while (take_label(&line, &label))
		note_label(reading, label);
	reading->instructions += line.length > 0;
}

static void read_line(struct reading *reading, struct piece line)
{
	struct piece label;

	while (take_label(&line, &label))
		continue;
	if (line.length > 0)
		read_instruction(reading, line);
}

bool kernel_assemble(const char *source, const struct kernel_symbol *symbols, uint32_t symbol_count,
	const struct kernel_mistakes *mistakes, struct kernel_text *text)
{
	struct reading reading = {.symbols = symbols,
		.symbol_count = symbol_count,
		.mistakes = mistakes,
		.text = text,
		.good = true};

	for_lines(&reading, source, find_labels);
	reading.instructions++; /* counts the END that is added at the end */
	for_lines(&reading, source, read_line);
	if (reading.good)
		kernel_text_finish(text);
	free(reading.labels);
	return reading.good;
}

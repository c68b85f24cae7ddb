/* The reader of a YAML text. Gets events from libyaml, reports libyaml's errors with locations, and
 * keeps the children of open collections. After an error there are no more events. */
#include "tree_reader.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/ensure.h"

struct location reader_at(const struct reader *reader, yaml_mark_t mark)
{
	uint32_t shift = mark.line == 0 ? reader->shift : 0;

	return location_at(
		reader->source, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1 + shift);
}

void reader_stop(struct reader *reader, struct location where, const char *problem)
{
	if (!reader->stopped)
		diag_error(reader->diag, where, "%s", problem);
	reader->stopped = true;
}

/* Returns the location just after the last character of the text that is not blank. Errors at an
 * unexpected end of the text are reported at this location. Sets *points to the number of code
 * points of the text. */
static struct location at_end(const struct reader *reader, size_t *points)
{
	struct location where = location_at(reader->source, 1, 1 + reader->shift), end = where;

	*points = 0;
	for (size_t at = 0; at < reader->length; ++*points) {
		uint32_t point = 0;

		at += utf8_decode(reader->text + at, reader->length - at, &point);
		where.column++;
		if (point == '\n') {
			where.line++;
			where.column = 1;
		} else if (point != ' ' && point != '\t' && point != '\r') {
			end = where;
		}
	}
	return end;
}

/* Reports libyaml's error at its location, and stops reading. */
static void refuse_syntax(struct reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	struct location where = reader_at(reader, parser->problem_mark);
	uint32_t from = (uint32_t)parser->context_mark.line + 1;
	size_t points;
	struct location end = at_end(reader, &points);

	/* libyaml reports the end of a text as an additional line. */
	if (parser->problem_mark.index >= points)
		where = end;
	if (parser->context && from < where.line)
		diag_error(reader->diag, where, "not YAML: %s %s that starts in line %u",
			parser->problem, parser->context, (unsigned)from);
	else
		diag_error(reader->diag, where, "not YAML: %s%s%s", parser->problem,
			parser->context ? " " : "", parser->context ? parser->context : "");
	reader->stopped = true;
}

bool reader_next(struct reader *reader, yaml_event_t *event)
{
	if (yaml_parser_parse(&reader->parser, event))
		return true;
	ensure_memory(reader->parser.error != YAML_MEMORY_ERROR, "a file that is read");
	refuse_syntax(reader);
	return false;
}

void *reader_grow(void *array, size_t *capacity, size_t size)
{
	*capacity = *capacity ? 2 * *capacity : 64;
	array = reallocarray(array, *capacity, size);
	ensure_memory(array, "%zu elements", *capacity);
	return array;
}

void reader_push(struct reader *reader, struct tree_pair pair)
{
	struct children *children = &reader->children;

	if (children->count == TREE_NODES_MAX) {
		reader_stop(reader, pair.where, "too many values: more than 1000000");
		return;
	}
	if (children->count == children->capacity)
		children->pairs = reader_grow(children->pairs, &children->capacity, sizeof(pair));
	children->pairs[children->count++] = pair;
}

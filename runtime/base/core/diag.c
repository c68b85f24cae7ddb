/* Diagnostics: keeps sources and messages, and prints the messages sorted by location, each with
 * its line and a caret. At most DIAG_PRINTED_MAX messages are printed. Control characters in the
 * user's text are replaced. */
#include "base/allocate.h"
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ensure.h"
#include "base/text.h"

enum {
	MESSAGE_BYTES_MAX = 1000,
	/* number of code points that are shown before and after the caret if the line is long */
	SHOWN_BEFORE = 100,
	SHOWN_BEHIND = 50
};

/* A source, allocated in one piece with its name and its text. */
struct source {
	struct arena_shared shared;
	struct arena_shared *own; /* points to `shared`. Code that has a const source changes the
				   * number of its keepers through this pointer */
	const char *name;
	const char *shown; /* the name, with control characters replaced */
	const char *text;  /* NULL if the file cannot be read */
	size_t length;
	uint32_t number; /* number of the source, in order of registration */
	bool hidden;	 /* true if diag_hide() was called for the file */
	char bytes[];
};

/* A file whose text is not shown. */
struct hidden {
	const char *name;
	struct location where; /* the location that names the file */
	const struct hidden *next;
};

struct message {
	struct location where;
	bool is_error;
	uint32_t number;
	const char *text;
};

struct diag {
	struct arena arena;
	struct message *messages; /* room for DIAG_KEPT_MAX; allocated with the first message */
	size_t kept;		  /* number of messages kept */
	size_t count;		  /* number of messages, without repetitions */
	size_t errors;		  /* number of errors, with repetitions */
	uint32_t sources;
	const struct hidden *hidden;
};

struct diag *diag_new(void)
{
	struct diag *diag = allocate(1, sizeof(*diag));

	return diag;
}

void diag_free(struct diag *diag)
{
	if (!diag)
		return;
	arena_fini(&diag->arena);
	free(diag->messages);
	free(diag);
}

static void free_source(struct arena_shared *shared)
{
	free(shared); /* `shared` is the first member of its source */
}

static const struct hidden *find_hidden(const struct diag *diag, const char *name)
{
	const struct hidden *hidden = diag->hidden;

	while (hidden && strcmp(hidden->name, name) != 0)
		hidden = hidden->next;
	return hidden;
}

void diag_hide(struct diag *diag, const char *name, struct location where)
{
	struct hidden *hidden;

	if (find_hidden(diag, name))
		return;
	hidden = arena_alloc(&diag->arena, sizeof *hidden);
	*hidden = (struct hidden){
		.name = arena_string(&diag->arena, name), .where = where, .next = diag->hidden};
	location_keep(&diag->arena, where);
	diag->hidden = hidden;
}

const struct source *diag_source(
	struct diag *diag, const char *name, const char *text, size_t length)
{
	const char *shown = text_plain(name, false, &diag->arena);
	size_t name_bytes = strlen(name) + 1, shown_bytes = strlen(shown) + 1;
	size_t text_bytes = text ? length : 0;
	struct source *source =
		allocate(1, sizeof(*source) + name_bytes + shown_bytes + text_bytes);

	source->shared.free = free_source;
	source->own = &source->shared;
	source->name = memcpy(source->bytes, name, name_bytes);
	source->shown = memcpy(source->bytes + name_bytes, shown, shown_bytes);
	if (text)
		source->text = source->bytes + name_bytes + shown_bytes;
	if (text_bytes)
		memcpy(source->bytes + name_bytes + shown_bytes, text, text_bytes);
	source->length = text_bytes;
	source->hidden = find_hidden(diag, name) != NULL;
	source->number = diag->sources++;
	arena_keep(&diag->arena, &source->shared);
	return source;
}

void location_keep(struct arena *arena, struct location where)
{
	if (where.source)
		arena_keep(arena, where.source->own);
}

const char *source_name(const struct source *source)
{
	return source->name;
}

struct location location_at(const struct source *source, uint32_t line, uint32_t column)
{
	return (struct location){source, line, column};
}

const char *location_cite(struct location where, char *out, size_t size)
{
	if (!where.source)
		snprintf(out, size, "default");
	else if (where.line == 0)
		snprintf(out, size, "%s", where.source->shown);
	else
		snprintf(out, size, "%s:%u", where.source->shown, (unsigned)where.line);
	return out;
}

/* Returns true if `a` and `b` are the same object, or have the same name and text. Two sources can
 * be equal: a platform file is read again for each platform that extends it, and the text of an
 * option is read again in each run of a sweep. */
static bool is_same_source(const struct source *a, const struct source *b)
{
	if (a == b || !a || !b)
		return a == b;
	return strcmp(a->name, b->name) == 0 && a->length == b->length && !a->text == !b->text &&
	       (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

static bool diag_is_known(const struct diag *diag, const struct message *message)
{
	for (size_t i = 0; i < diag->kept; i++) {
		const struct message *other = &diag->messages[i];

		if (other->where.line == message->where.line &&
			other->where.column == message->where.column &&
			other->is_error == message->is_error &&
			strcmp(other->text, message->text) == 0 &&
			is_same_source(other->where.source, message->where.source))
			return true;
	}
	return false;
}

/* Replaces the text of a message about a hidden file. The original text might show parts of this
 * file. Returns the location of the new message. */
static struct location hide(const struct diag *diag, const struct source *source, bool is_error,
	char *text, size_t size)
{
	const struct hidden *hidden = find_hidden(diag, source->name);

	snprintf(text, size,
		"'%s' has %s, not shown here since it lies outside the folder of the file that "
		"names "
		"it: give it to 'meshsim platform show' or 'meshsim place'",
		source->shown, is_error ? "errors" : "warnings");
	/* If there is no entry, the source was registered with another diag, which hides it. */
	return hidden ? hidden->where : location_at(source, 0, 0);
}

static void diag_add(struct diag *diag, struct message message, const char *format, va_list values)
{
	char text[MESSAGE_BYTES_MAX];
	int length = vsnprintf(text, sizeof(text), format, values);

	if (message.where.source && message.where.source->hidden)
		message.where =
			hide(diag, message.where.source, message.is_error, text, sizeof text);
	ensure(length >= 0, "format '%s'", format);
	if ((size_t)length >= sizeof(text))
		memcpy(text + sizeof(text) - 4, "...", 4);
	message.text = text_plain(text, false, &diag->arena);
	message.number = (uint32_t)diag->kept;
	diag->errors += message.is_error;
	if (diag->kept < DIAG_KEPT_MAX && diag_is_known(diag, &message))
		return;
	diag->count++;
	if (diag->kept == DIAG_KEPT_MAX)
		return;
	if (!diag->messages)
		diag->messages = allocate(DIAG_KEPT_MAX, sizeof(message));
	location_keep(&diag->arena, message.where);
	diag->messages[diag->kept++] = message;
}

void diag_error(struct diag *diag, struct location where, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	diag_add(diag, (struct message){.where = where, .is_error = true}, format, values);
	va_end(values);
}

void diag_warning(struct diag *diag, struct location where, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	diag_add(diag, (struct message){.where = where}, format, values);
	va_end(values);
}

size_t diag_errors(const struct diag *diag)
{
	return diag->errors;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_messages(const void *left, const void *right)
{
	const struct message *a = left, *b = right;
	/* Messages without a source come first. */
	uint32_t a_source = a->where.source ? a->where.source->number + 1 : 0;
	uint32_t b_source = b->where.source ? b->where.source->number + 1 : 0;
	int order = compare_numbers(a_source, b_source);

	if (order == 0)
		order = compare_numbers(a->where.line, b->where.line);
	if (order == 0)
		order = compare_numbers(a->where.column, b->where.column);
	return order ? order : compare_numbers(a->number, b->number);
}

/* The position of a search for lines. Lines are requested in ascending order. */
struct cursor {
	const struct source *source;
	uint32_t line;
	size_t offset;
};

/* Returns the length of the line at `offset`, without its line end. */
static size_t line_length(const struct source *source, size_t offset)
{
	size_t end = offset;

	while (end < source->length && source->text[end] != '\n' && source->text[end] != '\r')
		end++;
	return end - offset;
}

/* Moves to the line of `where`. Returns false if the source has no such line. */
static bool seek_line(struct cursor *cursor, struct location where)
{
	const struct source *source = where.source;

	if (!source->text || where.line == 0)
		return false;
	if (cursor->source != source)
		*cursor = (struct cursor){.source = source, .line = 1};
	while (cursor->line < where.line) {
		size_t end = cursor->offset + line_length(source, cursor->offset);

		if (end >= source->length)
			return false;
		cursor->offset = end + 1;
		if (source->text[end] == '\r' && cursor->offset < source->length &&
			source->text[cursor->offset] == '\n')
			cursor->offset++;
		cursor->line++;
	}
	return true;
}

struct location location_in_block(
	struct location block, uint32_t line, const char *text, size_t length, uint32_t column)
{
	struct location where = {block.source, block.line + line, 1};
	struct cursor cursor = {NULL, 0, 0};
	const char *begin;
	size_t room, at = 0;

	if (!block.source || block.line == 0 || !seek_line(&cursor, where))
		return block;
	begin = block.source->text + cursor.offset;
	room = line_length(block.source, cursor.offset);
	while (at + length <= room && memcmp(begin + at, text, length) != 0)
		at++;
	if (at + length > room)
		return block;
	for (const char *end = begin + at + column - 1; begin < end; where.column++) {
		uint32_t point;
		unsigned bytes = utf8_decode(begin, (size_t)(end - begin), &point);

		begin += bytes > 0 ? bytes : 1;
	}
	return where;
}

/* Does the same as text_commands(), for a line that continues for `length` bytes. */
static bool is_command(const char *line, size_t length, bool blank)
{
	char start[4] = "";

	memcpy(start, line, length < 3 ? length : 3);
	return text_commands(start, blank);
}

/* Prints the code points of a line from number `first` to `end` - 1, counted from 1. Code points
 * that must not reach a terminal are printed as '?'. If `padding` is set, prints a space or tab in
 * place of each code point. Returns true if the line continues after code point `end` - 1. */
static bool print_part(
	const char *line, size_t length, uint32_t first, uint32_t end, bool padding, FILE *out)
{
	uint32_t column = 1;
	bool blank = true; /* true while all characters so far are blank */

	while (length && column < end) {
		uint32_t point = 0;
		unsigned size = utf8_decode(line, length, &point);
		bool odd = size == 0 || (text_is_control(point) && point != '\t') ||
			   is_command(line, length, blank);

		size = size ? size : 1;
		if (column >= first && padding)
			fputc(*line == '\t' ? '\t' : ' ', out);
		else if (column >= first && odd)
			fputc('?', out);
		else if (column >= first)
			fwrite(line, 1, size, out);
		blank = blank && text_is_blank(point);
		line += size;
		length -= size;
		column++;
	}
	return length > 0;
}

static void print_line(const char *line, size_t length, uint32_t caret, FILE *out)
{
	uint32_t first = caret > SHOWN_BEFORE ? caret - SHOWN_BEFORE : 1;
	uint32_t end = caret + SHOWN_BEHIND + (first == 1 ? SHOWN_BEFORE : 0);
	bool more;

	fputs(first > 1 ? "..." : "", out);
	more = print_part(line, length, first, end, false, out);
	fputs(more ? "...\n" : "\n", out);
	fputs(first > 1 ? "   " : "", out);
	if (caret > first || first > 1)
		print_part(line, length, first, caret, true, out);
	fputs("^\n", out);
}

static void print_message(const struct message *message, struct cursor *cursor, FILE *out)
{
	const char *severity = message->is_error ? "error" : "warning";
	struct location where = message->where;

	if (!where.source) {
		fprintf(out, "%s: %s\n", severity, message->text);
		return;
	}
	fputs(where.source->shown, out);
	if (where.line)
		fprintf(out, ":%u:%u", (unsigned)where.line, (unsigned)where.column);
	fprintf(out, ": %s: %s\n", severity, message->text);
	if (seek_line(cursor, where))
		print_line(where.source->text + cursor->offset,
			line_length(where.source, cursor->offset), where.column, out);
}

void diag_print(const struct diag *diag, FILE *out)
{
	size_t shown = diag->kept < DIAG_PRINTED_MAX ? diag->kept : DIAG_PRINTED_MAX;
	size_t more = diag->count - shown;
	struct cursor cursor = {0};

	if (diag->kept)
		qsort(diag->messages, diag->kept, sizeof(diag->messages[0]), compare_messages);
	for (size_t i = 0; i < shown; i++)
		print_message(&diag->messages[i], &cursor, out);
	if (more)
		fprintf(out, "and %zu more\n", more);
}

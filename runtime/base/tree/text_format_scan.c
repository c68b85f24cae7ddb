/* Reads tokens of protobuf's text format: words, strings with escapes, and signs. Comments are
 * skipped. As in protobuf, a string must end in the line where it starts, and some characters are
 * not allowed. */
#include "base/tree/tree_node.h"

#include <string.h>

void scan_stop(struct scan *scan, struct location where, const char *problem)
{
	if (!scan->stopped)
		diag_error(scan->diag, where, "not text format: %s", problem);
	scan->stopped = true;
	scan->token = (struct token){.kind = TOKEN_END, .where = where, .text = ""};
}

static struct location here(const struct scan *scan)
{
	return location_at(scan->source, scan->line, scan->column);
}

/* Advances by one byte. Columns count code points. */
static void text_format_scan_step(struct scan *scan)
{
	if (*scan->at == '\n') {
		scan->line++;
		scan->column = 1;
	} else if (((unsigned char)*scan->at & 0xc0) != 0x80) {
		scan->column++;
	}
	scan->at++;
}

static void skip_blanks(struct scan *scan)
{
	bool comment = false;

	for (; scan->at < scan->end; text_format_scan_step(scan)) {
		if (*scan->at == '#')
			comment = true;
		else if (*scan->at == '\n')
			comment = false;
		else if (!comment && !strchr(" \t\r", *scan->at))
			return;
	}
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '-' || c == '+' || c == '/';
}

/* Reads the digits of an escape sequence, octal (at most 3 digits) or hexadecimal (at most 2), and
 * returns the character. The caller has checked that there is at least one digit. */
static char read_digits(struct scan *scan, unsigned base, unsigned most)
{
	static const char digits[] = "0123456789abcdef";
	unsigned value = 0;

	for (; most-- && scan->at < scan->end; text_format_scan_step(scan)) {
		const char *digit = memchr(digits, *scan->at | (*scan->at >= 'A' ? 0x20 : 0), base);

		if (!digit)
			break;
		value = value * base + (unsigned)(digit - digits);
	}
	return (char)(value & 0xff);
}

/* Reads the part of an escape after the backslash. */
static char read_escape(struct scan *scan)
{
	static const char letters[] = "abfnrtv\\'\"?", meant[] = "\a\b\f\n\r\t\v\\'\"?";
	struct location where = here(scan);
	const char *letter = memchr(letters, *scan->at, sizeof(letters) - 1);

	if (*scan->at >= '0' && *scan->at <= '7')
		return read_digits(scan, 8, 3);
	if ((*scan->at == 'x' || *scan->at == 'X') && scan->end - scan->at > 1) {
		text_format_scan_step(scan);
		return read_digits(scan, 16, 2);
	}
	if (!letter) {
		scan_stop(scan, where, "an escape that it does not have");
		return 0;
	}
	text_format_scan_step(scan);
	return meant[letter - letters];
}

static void scan_string(struct scan *scan)
{
	struct location where = here(scan);
	char quote = *scan->at;
	struct text text;

	text_init(&text);
	text_format_scan_step(scan);
	while (!scan->stopped && scan->at < scan->end && *scan->at != quote && *scan->at != '\n') {
		char c = *scan->at;

		text_format_scan_step(scan);
		if (c == '\\' && scan->at < scan->end)
			c = read_escape(scan);
		if (c == '\0')
			scan_stop(scan, where, "a string with a NUL character");
		else
			text_append_char(&text, c);
	}
	if (!scan->stopped && (scan->at == scan->end || *scan->at != quote))
		scan_stop(scan, where, "a string that does not end in its line");
	if (!scan->stopped) {
		text_format_scan_step(scan);
		scan->token = (struct token){TOKEN_STRING, where,
			arena_copy(scan->arena, text_string(&text), text.length), text.length};
	}
	text_fini(&text);
}

void scan_next(struct scan *scan)
{
	struct location where;
	const char *from;

	if (scan->stopped)
		return;
	skip_blanks(scan);
	where = here(scan);
	from = scan->at;
	if (scan->at == scan->end) {
		scan->token = (struct token){.kind = TOKEN_END, .where = where, .text = ""};
	} else if (*scan->at == '"' || *scan->at == '\'') {
		scan_string(scan);
	} else if (strchr("{}<>[]:,;", *scan->at)) {
		text_format_scan_step(scan);
		scan->token =
			(struct token){TOKEN_SIGN, where, arena_copy(scan->arena, from, 1), 1};
	} else if (is_word(*scan->at)) {
		while (scan->at < scan->end && is_word(*scan->at))
			text_format_scan_step(scan);
		scan->token = (struct token){TOKEN_WORD, where,
			arena_copy(scan->arena, from, (size_t)(scan->at - from)),
			(size_t)(scan->at - from)};
	} else {
		scan_stop(scan, where, "a character that stands for nothing here");
	}
}

void scan_start(struct scan *scan, const struct source *source, const char *text, size_t length,
	struct arena *arena, struct diag *diag)
{
	*scan = (struct scan){.source = source,
		.at = text,
		.end = text + length,
		.line = 1,
		.column = 1,
		.arena = arena,
		.diag = diag};
	scan_next(scan);
}

bool scan_is(const struct scan *scan, char sign)
{
	return scan->token.kind == TOKEN_SIGN && scan->token.text[0] == sign;
}

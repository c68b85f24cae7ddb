/* Wraps text, see wrap.h. Words are never broken, so a word that is too long gets a longer line. */
#include "analysis/print/wrap.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_MIN = 40 };

bool is_terminal(FILE *out)
{
	return fileno(out) >= 0 && isatty(fileno(out));
}

uint32_t terminal_columns(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return WRAP_COLUMNS;
	return size.ws_col < COLUMNS_MIN ? COLUMNS_MIN : size.ws_col;
}

uint32_t text_columns(FILE *out)
{
	uint32_t columns = terminal_columns(out);

	return columns < WRAP_COLUMNS ? columns : WRAP_COLUMNS;
}

uint32_t answer_columns(FILE *out)
{
	return is_terminal(out) ? text_columns(out) : PIPE_COLUMNS;
}

uint32_t table_columns(bool wide, FILE *out)
{
	return wide || !is_terminal(out) ? UINT32_MAX : terminal_columns(out);
}

uint32_t wrap_columns(const char *text, size_t bytes)
{
	uint32_t columns = 0;

	for (size_t i = 0; i < bytes; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

size_t wrap_next(const char *text, uint32_t columns)
{
	size_t taken = strcspn(text, " ");

	while (text[taken]) {
		size_t word = 1 + strcspn(text + taken + 1, " ");
		if (wrap_columns(text, taken + word) > columns)
			break;
		taken += word;
	}
	return taken;
}

size_t hang_next(const char *text, uint32_t columns)
{
	static const char *const units[] = {
		"%", "s", "ms", "us", "ns", "ps", "1/s", "cycles", "MHz"};
	size_t length = wrap_next(text, columns), before = length;
	const char *next = text + length + (text[length] == ' ');
	size_t word = strcspn(next, " ,;:.)");

	if (length == 0 || text[length - 1] < '0' || text[length - 1] > '9')
		return length;
	while (before > 0 && text[before - 1] != ' ')
		before--;
	for (size_t i = 0; before > 1 && i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i]) == word && strncmp(units[i], next, word) == 0)
			return before - 1;
	return length;
}

void wrap_hang(const char *text, uint32_t margin, uint32_t indent, uint32_t columns,
	const char *end, FILE *out)
{
	uint32_t tail = wrap_columns(end, strlen(end));

	for (uint32_t at = margin; *text; at = indent) {
		size_t length = hang_next(text, columns > at + tail ? columns - at - tail : 1);
		const char *rest = text + length + (text[length] == ' ');

		fprintf(out, "%*s%.*s%s\n", (int)at, "", (int)length, text, *rest ? end : "");
		text = rest;
	}
}

void wrap_print(const char *head, const char *text, uint32_t margin, uint32_t indent,
	uint32_t columns, FILE *out)
{
	uint32_t room = columns > indent + 20 ? columns - indent : 20;
	uint32_t column = margin + wrap_columns(head, strlen(head));

	fprintf(out, "%*s%s", (int)margin, "", head);
	if (column >= indent) {
		fprintf(out, "\n");
		column = 0;
	}
	while (*text) {
		size_t length = wrap_next(text, room);

		fprintf(out, "%*s%.*s\n", (int)(indent - column), "", (int)length, text);
		text += length;
		text += *text == ' ';
		column = 0;
		if (!*text)
			return;
	}
	fprintf(out, "\n");
}

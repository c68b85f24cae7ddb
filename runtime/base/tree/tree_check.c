/* Checks a text before libyaml parses it. Rejects bytes that are not UTF-8 text, and characters
 * that YAML treats as line ends but editors do not. Also rejects long series of %TAG directives,
 * because libyaml compares each directive with all other directives. */
#include "base/tree/tree_node.h"

#include <string.h>

#include "base/text.h"

enum { TAG_DIRECTIVES_MAX = 64 };

static bool is_text(uint32_t point)
{
	if (point < 0x20)
		return point == '\t' || point == '\n' || point == '\r';
	if (point >= 0x7f && point < 0xa0)
		return false;
	return point != 0x2028 && point != 0x2029 && point != 0xfeff && point != 0xfffe &&
	       point != 0xffff;
}

static void tree_check_refuse(
	struct location where, unsigned size, uint32_t point, unsigned char byte, struct diag *diag)
{
	if (size == 0)
		diag_error(diag, where, "byte 0x%02x is not UTF-8", (unsigned)byte);
	else if (point == 0)
		diag_error(diag, where, "NUL byte: not a text file");
	else
		diag_error(diag, where, "character U+%04X is not allowed in YAML here",
			(unsigned)point);
}

bool tree_check_text(const struct source *source, const char *text, size_t length, uint32_t shift,
	struct diag *diag)
{
	struct location where = location_at(source, 1, 1 + shift);
	unsigned directives = 0;

	for (size_t at = 0; at < length;) {
		uint32_t point = 0;
		unsigned size = utf8_decode(text + at, length - at, &point);

		if (size == 0 || !is_text(point)) {
			tree_check_refuse(where, size, point, (unsigned char)text[at], diag);
			return false;
		}
		if (where.column == 1 && length - at > 4 && memcmp(text + at, "%TAG", 4) == 0 &&
			++directives > TAG_DIRECTIVES_MAX) {
			diag_error(
				diag, where, "more than %d %%TAG directives", TAG_DIRECTIVES_MAX);
			return false;
		}
		at += size;
		where.column++;
		if (point == '\n' || (point == '\r' && (at == length || text[at] != '\n'))) {
			where.line++;
			where.column = 1;
		}
	}
	return true;
}

size_t tree_check_scalar(
	struct location where, const char *text, size_t length, bool lines, struct diag *diag)
{
	for (size_t at = 0; at < length;) {
		uint32_t point = 0;
		unsigned size = utf8_decode(text + at, length - at, &point);
		bool end = lines && (point == '\n' || point == '\t');

		if (size == 0 || (text_is_control(point) && !end)) {
			diag_error(diag, where,
				size ? "a text cannot hold the control character U+%04X"
				     : "a text cannot hold the byte 0x%02x, which is not UTF-8",
				size ? (unsigned)point : (unsigned)(unsigned char)text[at]);
			return at;
		}
		at += size;
	}
	return length;
}

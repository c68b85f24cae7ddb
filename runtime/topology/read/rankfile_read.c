/* Reads Open MPI's rank files, which have lines `rank N=HOST slot=LIST`. Lines of another form, and
 * duplicate ranks, are errors. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "base/text.h"
#include "topology/bindings.h"

enum { BYTES_MAX = 4 << 20, LINES_MAX = 65536, RANK_MAX = 1 << 20, CORE_MAX = 65535 };

/* Reads a number or a range, for example "4" or "4-7", up to a comma or the end, and adds its
 * number of cores to *cores. Returns NULL if it is malformed. */
static const char *read_range(const char *at, uint32_t *cores)
{
	uint64_t first, last;
	const char *end = number_read_whole_until(at, "-,", CORE_MAX, &first);

	last = first;
	if (end && *end == '-')
		end = number_read_whole_until(end + 1, ",", CORE_MAX, &last);
	if (!end || last < first)
		return NULL;
	*cores += (uint32_t)(last - first) + 1;
	return end;
}

/* Sets *cores to the number of cores in a list of numbers and ranges, for example "0,1,2" or, with
 * a socket, "1:0-3". "*" means all cores of the socket or host; *cores is then 0. Returns false if
 * the list is malformed. */
static bool count_cores(const char *slots, uint32_t *cores)
{
	const char *at = slots;

	*cores = 0;
	while (at) {
		const char *colon = at + strcspn(at, ":,");
		uint64_t socket;

		at += *at == 'p';
		if (*colon == ':') {
			if (!number_read_whole_until(at, ":", CORE_MAX, &socket))
				return false;
			at = colon + 1;
		}
		at = *at == '*' ? at + 1 : read_range(at, cores);
		if (!at || (*at && *at != ','))
			return false;
		if (!*at)
			return *cores <= CORE_MAX;
		at++;
	}
	return false;
}

/* Reads one line, from which the comment was removed, into *out. Returns NULL on success. If a part
 * is missing or wrong, returns a phrase that describes the mistake, and sets *column to its
 * column. */
static const char *rankfile_read_line(
	struct arena *arena, const char *line, struct rankfile_line *out, uint32_t *column)
{
	const char *at = line + strspn(line, " \t"), *host, *slot;
	const char *end;
	uint64_t rank;

	*column = (uint32_t)(at - line) + 1;
	if (strncmp(at, "rank", 4) != 0 || !strchr(" \t", at[4]) || !at[4])
		return "expected 'rank N=HOST slot=LIST'";
	at += 4 + strspn(at + 4, " \t");
	*column = (uint32_t)(at - line) + 1;
	end = number_read_whole_until(at, " \t=", RANK_MAX, &rank);
	if (!end)
		return "expected the number of a rank";
	at = end + strspn(end, " \t");
	*column = (uint32_t)(at - line) + 1;
	if (*at != '=')
		return "expected '=' and a host";
	host = at + 1 + strspn(at + 1, " \t");
	*column = (uint32_t)(host - line) + 1;
	at = host + strcspn(host, " \t");
	if (at == host)
		return "expected the name of a host";
	slot = at + strspn(at, " \t");
	*column = (uint32_t)(slot - line) + 1;
	if (strncmp(slot, "slot", 4) != 0)
		return "expected 'slot=LIST'";
	slot += 4 + strspn(slot + 4, " \t");
	if (*slot != '=')
		return "expected '=' and slots";
	slot += 1 + strspn(slot + 1, " \t");
	*column = (uint32_t)(slot - line) + 1;
	if (!*slot)
		return "expected slots";
	out->rank = (uint32_t)rank;
	out->host = arena_copy(arena, host, (size_t)(at - host));
	out->slots = arena_copy(arena, slot, strcspn(slot, " \t"));
	if (!count_cores(out->slots, &out->cores))
		return "expected slots, such as 0, 0-3, 0,1,2 or 1:0-3";
	at = slot + strcspn(slot, " \t");
	at += strspn(at, " \t");
	*column = (uint32_t)(at - line) + 1;
	return *at ? "nothing follows the slots" : NULL;
}

static void take_line(struct rankfile *rankfile, const char *from, size_t length,
	struct location where, struct diag *diag)
{
	struct rankfile_line line = {.where = where};
	const char *problem;
	char text[1024];

	length = length < sizeof(text) ? length : sizeof(text) - 1;
	memcpy(text, from, length);
	text[length] = '\0';
	text[strcspn(text, "#\r")] = '\0';
	if (!text[strspn(text, " \t")])
		return;
	problem = rankfile_read_line(&rankfile->arena, text, &line, &line.where.column);
	if (problem) {
		diag_error(diag, line.where, "%s", problem);
		return;
	}
	line.where.column = 1;
	for (uint32_t i = 0; i < rankfile->count; i++)
		if (rankfile->lines[i].rank == line.rank) {
			diag_error(diag, line.where, "rank %u is there twice, first in line %u",
				line.rank, rankfile->lines[i].where.line);
			return;
		}
	if (rankfile->count == LINES_MAX) {
		diag_error(diag, line.where, "more than %d ranks", LINES_MAX);
		return;
	}
	if ((rankfile->count & (rankfile->count - 1)) == 0) {
		struct rankfile_line *grown = arena_array(
			&rankfile->arena, 2 * (size_t)rankfile->count + 1, sizeof(line));

		if (rankfile->count)
			memcpy(grown, rankfile->lines, rankfile->count * sizeof(line));
		rankfile->lines = grown;
	}
	rankfile->lines[rankfile->count++] = line;
}

struct rankfile *rankfile_read_text(
	const char *name, const char *text, size_t length, struct diag *diag)
{
	struct rankfile *rankfile = allocate(1, sizeof(*rankfile));
	const struct source *source = diag_source(diag, name, text, length);
	size_t errors = diag_errors(diag), end;
	uint32_t number = 1;

	location_keep(&rankfile->arena, location_at(source, 0, 0));
	for (size_t at = 0; at < length; at = end + 1, number++) {
		end = at;
		while (end < length && text[end] != '\n')
			end++;
		if (memchr(text + at, '\0', end - at))
			diag_error(diag, location_at(source, number, 1), "NUL byte: not a text");
		else
			take_line(rankfile, text + at, end - at, location_at(source, number, 1),
				diag);
	}
	if (rankfile->count == 0 && diag_errors(diag) == errors)
		diag_error(diag, location_at(source, 0, 0), "it places no rank");
	if (diag_errors(diag) == errors)
		return rankfile;
	rankfile_free(rankfile);
	return NULL;
}

struct rankfile *rankfile_read_file(const char *path, struct diag *diag)
{
	struct rankfile *rankfile = NULL;
	struct text text = {0};

	if (file_read_or_say(path, BYTES_MAX, &text, diag))
		rankfile = rankfile_read_text(path, text_string(&text), text.length, diag);
	text_fini(&text);
	return rankfile;
}

void rankfile_free(struct rankfile *rankfile)
{
	if (!rankfile)
		return;
	arena_fini(&rankfile->arena);
	free(rankfile);
}

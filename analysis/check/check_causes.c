/* Prints the causes that causes.c has found, as text or as Markdown, with one line for each
 * constant and stage. */
#include "check_private.h"

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

/* Prints "42 figures in 6 runs of 3 scenarios"; scenarios only if there are several files. */
static void print_explained(
	const struct check_print *print, const struct explained *explained, FILE *out)
{
	if (explained->figures == 0) {
		fputs(": no figure\n", out);
		return;
	}
	fprintf(out, ": %u figure%s in %u run%s", explained->figures, plural(explained->figures),
		explained->runs, plural(explained->runs));
	if (print->count > 1)
		fprintf(out, " of %u scenario%s", explained->scenarios,
			plural(explained->scenarios));
	fputc('\n', out);
}

/* Constants that moved but explain nothing are printed up to this number; the rest is counted. */
enum { IDLE_MOST = 5 };

static void print_constant(const struct check_print *print, const struct constant_move *constant,
	bool markdown, FILE *out)
{
	const char *move = arena_printf(
		print->arena, "%s %s", constant->path, constant_move_text(constant, print->arena));

	fputs(markdown ? change_markdown(move, print->arena)
		       : text_plain(move, false, print->arena),
		out);
}

static void print_cause(const struct check_print *print, const struct cause *cause,
	const char *indent, const char *bullet, FILE *out)
{
	if (cause->constant) {
		fputs(bullet, out);
		print_constant(print, cause->constant, bullet[0] == '-', out);
		print_explained(print, &cause->explained, out);
	}
	for (int i = 0; i < STAGE_COUNT && cause->stages[i].explained.figures > 0; i++) {
		fprintf(out, "%s%s%s an operation", cause->constant ? indent : "", bullet,
			stage_move_text(cause->stages[i].largest, print->arena));
		print_explained(print, &cause->stages[i].explained, out);
	}
}

void check_causes(const struct check_print *print, const char *bullet, FILE *out)
{
	struct causes causes = causes_find(print);
	uint32_t figures = 0, idle = 0;

	for (uint32_t i = 0; i < causes.count; i++)
		figures += causes.at[i].explained.figures;
	if (figures == 0 && causes.count == 1)
		return;
	if (!bullet[0])
		fputs("causes\n", out);
	for (uint32_t i = 0; i < causes.count; i++) {
		const struct cause *cause = &causes.at[i];
		idle += cause->constant && cause->explained.figures == 0;
		if (!cause->constant || cause->explained.figures > 0 || idle <= IDLE_MOST)
			print_cause(print, cause, "  ", bullet[0] ? bullet : "  ", out);
	}
	if (idle > IDLE_MOST)
		fprintf(out, "%s%u more constants: no figure\n", bullet[0] ? bullet : "  ",
			idle - IDLE_MOST);
	if (!causes.constants_known)
		fprintf(out,
			"%sstages only: the baseline holds no constants; a new one (--update) "
			"will\n",
			bullet[0] ? bullet : "  ");
	fputc('\n', out);
}

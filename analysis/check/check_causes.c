/* What the changes of a check come from: the stages that moved, each once, with how many figures
 * in how many runs it explains. Refuses to guess: figures whose stages did not move are not
 * counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_private.h"

struct cause {
	const struct stage_move *largest;
	const struct measured_run *last_run;
	uint32_t figures, runs;
};

static double moved(const struct stage_move *move)
{
	return fabs(move->new - move->old);
}

static bool is_wait(const struct stage_move *move)
{
	return strstr(stage_label(move->stage), "wait") != NULL;
}

/* The stage that moved most; but what was waited for is no cause where something else moved. */
static const struct stage_move *cause_of(const struct change *change)
{
	for (uint32_t i = 0; i < change->move_count; i++)
		if (!is_wait(&change->moves[i]))
			return &change->moves[i];
	return change->move_count ? &change->moves[0] : NULL;
}

static int by_figures(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->figures != y->figures)
		return x->figures > y->figures ? -1 : 1;
	if (!x->largest || !y->largest)
		return 0;
	return (int)x->largest->stage - (int)y->largest->stage;
}

/* Changes of one run stand behind each other. */
static void count(struct cause *causes, const struct changes *changes)
{
	for (uint32_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->at[i];
		const struct stage_move *move = cause_of(change);
		struct cause *cause;
		if (!move || change->verdict == VERDICT_TOLERATED)
			continue;
		cause = &causes[move->stage];
		if (!cause->largest || moved(move) > moved(cause->largest))
			cause->largest = move;
		cause->runs += cause->last_run != change->run;
		cause->last_run = change->run;
		cause->figures++;
	}
}

void check_causes(const struct check_print *print, const char *bullet, FILE *out)
{
	struct cause causes[STAGE_COUNT] = {{NULL, NULL, 0, 0}};

	count(causes, print->changes);
	qsort(causes, STAGE_COUNT, sizeof(*causes), by_figures);
	if (causes[0].figures == 0)
		return;
	if (!bullet[0])
		fputs("causes\n", out);
	for (int i = 0; i < STAGE_COUNT && causes[i].figures > 0; i++)
		fprintf(out, "%s%s an operation: %u figure%s in %u run%s\n",
			bullet[0] ? bullet : "  ", stage_move_text(causes[i].largest, print->arena),
			causes[i].figures, causes[i].figures == 1 ? "" : "s", causes[i].runs,
			causes[i].runs == 1 ? "" : "s");
	fputc('\n', out);
}

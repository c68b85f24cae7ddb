/* The stall report. It lists the blocked actors, one line for each group that waits for the same
 * thing. Then it calls the registered reporters. */
#include "engine_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/ensure.h"

enum { LINES_MAX = 12 };

/* A group of blocked actors that wait for the same thing, and whose names differ only in
 * numbers. */
struct group {
	const struct actor *first, *last;
	uint32_t count;
	int64_t from_ps, to_ps; /* earliest and latest start of their waits */
};

static bool is_blocked(const struct actor *actor)
{
	return actor->state == ACTOR_BLOCKED;
}

static bool engine_report_are_alike(const struct actor *a, const struct actor *b)
{
	const char *one = a->name, *other = b->name;

	if (strcmp(a->what, b->what) != 0)
		return false;
	while (*one && *other) {
		bool number = isdigit((unsigned char)*one) && isdigit((unsigned char)*other);

		if (!number && *one++ != *other++)
			return false;
		while (number && isdigit((unsigned char)*one))
			one++;
		while (number && isdigit((unsigned char)*other))
			other++;
	}
	return *one == *other;
}

/* Returns the group of `first`: all blocked actors that wait for the same thing and whose names
 * differ from the name of `first` only in numbers. If another actor of the group comes before
 * `first`, returns a group with count 0, because the group was printed for that actor. */
static struct group engine_report_collect(const struct actor *first)
{
	struct group group = {first, first, 0, first->since_ps, first->since_ps};

	for (const struct actor *actor = engine.first_actor; actor; actor = actor->next) {
		if (!is_blocked(actor) || !engine_report_are_alike(actor, first))
			continue;
		if (group.count == 0 && actor != first)
			return group;
		group.count++;
		group.last = actor;
		if (actor->since_ps < group.from_ps)
			group.from_ps = actor->since_ps;
		if (actor->since_ps > group.to_ps)
			group.to_ps = actor->since_ps;
	}
	return group;
}

static void print_time(FILE *out, int64_t time_ps)
{
	fprintf(out, "%" PRId64 ".%03d", time_ps / 1000, (int)(time_ps % 1000));
}

static void print_group(FILE *out, const struct group *group)
{
	if (group->count == 1)
		fprintf(out, "%s waits", group->first->name);
	else
		fprintf(out, "%" PRIu32 " threads, %s to %s, wait", group->count,
			group->first->name, group->last->name);
	fprintf(out, " for %s since ", group->first->what);
	print_time(out, group->from_ps);
	if (group->to_ps != group->from_ps) {
		fprintf(out, " to ");
		print_time(out, group->to_ps);
	}
	fprintf(out, " ns\n");
}

static void report_actors(FILE *out)
{
	uint32_t lines = 0, more = 0;

	for (const struct actor *actor = engine.first_actor; actor; actor = actor->next) {
		struct group group = {0};

		if (is_blocked(actor))
			group = engine_report_collect(actor);
		if (group.count > 0 && lines++ < LINES_MAX)
			print_group(out, &group);
		else
			more += group.count;
	}
	if (more > 0)
		fprintf(out, "and %" PRIu32 " more threads wait\n", more);
}

void stall_report(void)
{
	FILE *out = engine.stall_stream ? engine.stall_stream : stderr;
	if (engine.reported)
		return;
	engine.reported = true;
	fprintf(out, "stalled at %lld.%03d ns: nothing can happen any more\n",
		(long long)(engine.now_ps / 1000), (int)(engine.now_ps % 1000));
	report_actors(out);
	for (uint32_t i = 0; i < engine.reporter_count; i++)
		engine.reporters[i].report(engine.reporters[i].context, out);
	fflush(out);
}

void engine_on_stall(void (*report)(void *context, FILE *out), void *context)
{
	ensure(engine.reporter_count < ENGINE_REPORTERS, "more than %d stall reporters",
		ENGINE_REPORTERS);
	engine.reporters[engine.reporter_count++] = (struct stall_reporter){report, context};
}

void engine_set_stall_stream(FILE *out)
{
	engine.stall_stream = out;
}

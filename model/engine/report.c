/* What the engine says on a stall: every blocked actor, then the registered reporters. It writes
 * lines for people and changes nothing. */
#include "engine_private.h"

#include "base/ensure.h"

static void report_actors(FILE *out)
{
	for (const struct actor *actor = engine.first_actor; actor; actor = actor->next) {
		if (actor->state != ACTOR_BLOCKED)
			continue;
		fprintf(out, "%s waits for %s since %lld.%03d ns\n", actor->name, actor->what,
			(long long)(actor->since_ps / 1000), (int)(actor->since_ps % 1000));
	}
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

/* bench-engine: measures the wake-up of an actor (engine_exchange.h). A simulated host thread is an
 * actor, which is woken after every charge of time and every wait. */
#include "base/ensure.h"
#include "engine/engine.h"
#include "engine_exchange.h"

enum { WAKES = 1000 };

struct wakes {
	const struct exchange *exchange;
	struct exchange_cost *cost;
};

static void wake(void *subject, uint64_t unused)
{
	(void)unused;
	actor_wake(subject);
}

static void sleep_often(void *argument)
{
	const struct wakes *wakes = argument;
	double cpu_s = exchange_cpu_s();
	for (uint64_t i = 0; i < (uint64_t)wakes->exchange->broadcasts * WAKES; i++) {
		engine_push(
			engine_now() + 1000000 + (int64_t)(i * 131 % 997), wake, actor_self(), 0);
		actor_block("its event");
	}
	wakes->cost->cpu_s = exchange_cpu_s() - cpu_s;
	wakes->cost->events = engine_events();
	wakes->cost->simulated_ps = engine_now();
}

void exchange_wakes(const struct exchange *exchange, struct exchange_cost *cost)
{
	struct wakes wakes = {exchange, cost};
	exchange_open_engine();
	enum engine_end end =
		engine_run_main("host", sleep_often, &wakes, (struct engine_limits){0});
	ensure(end == ENGINE_FINISHED, "the wake-ups ended with %d", (int)end);
}

/* Probe of spinning. Two threads on two cores change the same word in turn. Measures the time until
 * the other thread sees a change. */
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "probe.h"
#include "world/world.h"

enum { TURNS = 200 };

struct words {
	uint32_t here, there; /* number of turns that each thread has taken; atomic */
	uint32_t rounds;
};

static void wait_for(const uint32_t *word, uint32_t turn)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != turn)
		;
}

static void spin_answer(void *argument)
{
	struct words *words = argument;

	for (uint32_t turn = 1; turn <= words->rounds * TURNS; turn++) {
		wait_for(&words->here, turn);
		__atomic_store_n(&words->there, turn, __ATOMIC_RELEASE);
	}
}

static void spin_run(struct probing *probing)
{
	static const char name[] = "host.spin_see", how[] = "two cores in turn, half a round trip";
	struct words words = {.rounds = 4 * probing->pace->rounds};
	struct samples samples = {0};
	struct thread *other;

	if (world->core_count(0) < 2) {
		probe_refuse(probing, name, how, "there is one core only");
		return;
	}
	ensure(world->bind(0) == STATUS_OK, "cannot be bound to a core");
	other = world->spawn("spin", (struct affinity){0, 1}, spin_answer, &words);
	for (uint32_t round = 0, turn = 1; round < words.rounds; round++) {
		int64_t begin_ns = clock_now_ns();

		for (uint32_t i = 0; i < TURNS; i++, turn++) {
			__atomic_store_n(&words.here, turn, __ATOMIC_RELEASE);
			wait_for(&words.there, turn);
		}
		samples_add(&samples, (double)(clock_now_ns() - begin_ns) / (2 * TURNS));
	}
	world->join(other);
	world->bind(-1);
	probe_median(probing, name, "ps", 1e3, &samples, how);
	samples_fini(&samples);
}

const struct probe probe_spin = {"spin", "a word seen by a thread that spins on it", spin_run};

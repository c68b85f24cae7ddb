/* Cores: giving cores to threads, quanta, context switches and wake-ups. Each host has a queue of
 * runnable threads, and each core has a queue of the runnable threads that are pinned to it. The
 * scheduler chooses the next thread. A woken thread gets a free core if there is one: the core on
 * which it ran last, or else the core that became free last. If no core is free, the thread is
 * queued, and may preempt another thread. Only the costs that a thread charges take simulated time.
 * Its code itself takes no simulated time, and is never interrupted. */
#include "host_private.h"

#include <stddef.h>

#include "base/ensure.h"

/* Adds the time since the last call to the thread's present bucket, then changes to `bucket`. */
static void count_as(struct thread *thread, enum bucket bucket)
{
	static const char *const names[] = {
		"computing", "spinning", "switching", "waits for a core", NULL};
	struct family_cpu *family = &sim_hosts.families[thread->family];
	int64_t spent_ps = engine_now() - thread->bucket_since_ps;
	if (thread->bucket != BUCKET_PARKED)
		watch_slice(thread->track, thread->bucket_since_ps, engine_now(),
			names[thread->bucket]);
	thread->spent_ps[thread->bucket] += spent_ps;
	if (thread->bucket < BUCKET_WAITING) {
		thread->core->spent_ps[thread->bucket] += spent_ps;
		family->cpu_ps += spent_ps;
		family->on_cpu--;
		family->on_cpu_since_ps -= thread->bucket_since_ps;
	}
	if (bucket < BUCKET_WAITING) {
		family->on_cpu++;
		family->on_cpu_since_ps += engine_now();
	}
	thread->bucket = bucket;
	thread->bucket_since_ps = engine_now();
}

void host_threads_show(void)
{
	for (uint32_t i = 0; i < sim_hosts.thread_count; i++)
		if (!sim_hosts.threads[i]->ended)
			count_as(sim_hosts.threads[i], sim_hosts.threads[i]->bucket);
}

/* ---- the end of a quantum ---- */

static void on_quantum(void *subject, uint64_t unused);
static void on_yield(void *subject, uint64_t unused);
static void on_robbed(void *subject, uint64_t unused);

/* Returns true if a queued thread should get this core. If the core's thread only spins, threads
 * that also only spin do not get the core, because they would take turns for ever. */
static bool core_wanted(const struct core *core)
{
	if (thread_only_spins(core->thread))
		return core->queue.ready + core->host->queue.ready > 0;
	return core->queue.count + core->host->queue.count > 0;
}

/* Tells the scheduler that the core's thread starts to keep the core beyond its quantum (`begins`),
 * or stops doing so. A thread may do this as long as it only spins, and all threads that want the
 * core would only spin, too. */
static void cpu_idle(struct core *core, bool begins)
{
	if (core->idles == begins)
		return;
	core->idles = begins;
	core->host->scheduler->idle(core->thread, begins);
}

static bool may_idle(const struct core *core)
{
	return core->host->scheduler->idle && !core->idles &&
	       core->queue.count + core->host->queue.count > 0;
}

/* True if the core's thread polls, and yields between two polls. */
static bool gives_way(const struct core *core)
{
	return core->thread->yields && thread_only_spins(core->thread);
}

static void cpu_arm(struct core *core)
{
	if (!core->thread || !(core_wanted(core) || may_idle(core)))
		return;
	if (gives_way(core) && !core->yields && core_wanted(core)) {
		bool later = core->thread->switching && core->slice_ps > engine_now();
		core->yields = true;
		host_push(later ? core->slice_ps : engine_now(), on_yield, core, 0);
	}
	if (core->armed)
		return;
	int64_t at_ps = core->host->scheduler->until_ps(core);
	if (at_ps < engine_now())
		at_ps = engine_now();
	if (core->thread->switching && at_ps < core->slice_ps)
		at_ps = core->slice_ps;
	core->armed = true;
	core->host->armed_count++;
	host_push(at_ps, on_quantum, core, 0);
}

static void arm_all(struct host *host)
{
	bool all = host->yield_count > 0;
	for (uint32_t c = 0; c < host->core_count && (all || host->armed_count < host->core_count);
		c++)
		cpu_arm(&host->cores[c]);
}

static void enqueue(struct thread *thread)
{
	struct host *host = thread->host;
	thread->place = PLACE_QUEUED;
	thread->queued = host->queued++;
	count_as(thread, BUCKET_WAITING);
	host->scheduler->wait(thread);
	if (thread->pinned >= 0) {
		thread_queue_push(&host->cores[thread->pinned].queue, thread);
		cpu_arm(&host->cores[thread->pinned]);
	} else {
		thread_queue_push(&host->queue, thread);
		arm_all(host);
	}
}

static struct thread_queue *queue_of(struct thread *thread)
{
	return thread->pinned >= 0 ? &thread->host->cores[thread->pinned].queue
				   : &thread->host->queue;
}

static void dequeue(struct thread *thread)
{
	thread->host->scheduler->wait_no_longer(thread);
	thread_queue_remove(queue_of(thread), thread);
}

/* ---- what a thread does on its core ---- */

static void computed(void *subject, uint64_t timer);

static void start_copy(struct thread *thread)
{
	thread->phase = PHASE_COPY;
	memory_start(&thread->host->sockets[thread->core->socket], &thread->flow, cpu_start_code);
}

/* The reason why the thread's code continues now. The caller owns the reference. */
static cause_id resumed(struct thread *thread)
{
	cause_id cause, before;
	if (thread->cause == CAUSE_NONE)
		return cause_now();
	before = cause_enter(thread->cause);
	cause_clear();
	cause_charge(thread->resumes.charge, thread->resumes.ps);
	cause_charge(CHARGE_YIELD, thread->look_ps);
	thread->look_ps = 0;
	cause_rest(thread->phase == PHASE_COPY ? CHARGE_WAIT_MEMORY : CHARGE_WAIT_CORE);
	cause = cause_take(engine_now());
	cause_enter(before);
	cause_release(thread->cause);
	thread->cause = CAUSE_NONE;
	thread->resumes.ps = 0;
	return cause;
}

void cpu_start_code(struct thread *thread)
{
	cause_id before = cause_enter(resumed(thread));
	cpu_idle(thread->core, false);
	if (thread->phase == PHASE_STALL && thread->core->robbed == thread)
		host_push(engine_now(), on_robbed, thread->core, 0);
	thread->phase = PHASE_CODE;
	count_as(thread, BUCKET_BUSY);
	actor_wake(thread->actor);
	cause_release(cause_enter(before));
	cpu_arm(thread->core);
}

static void resume(struct thread *thread)
{
	count_as(thread, thread->phase == PHASE_SPIN ? BUCKET_SPINNING : BUCKET_BUSY);
	switch (thread->phase) {
	case PHASE_CODE:
		cpu_start_code(thread);
		break;
	case PHASE_COMPUTE:
		thread->until_ps = engine_now() + thread->left_ps;
		host_push(thread->until_ps, computed, thread, ++thread->timer);
		break;
	case PHASE_COPY:
		start_copy(thread);
		break;
	case PHASE_SPIN:
		if (thread->woken)
			cpu_start_code(thread);
		break;
	case PHASE_STALL:
		break;
	}
	cpu_arm(thread->core);
}

static void computed(void *subject, uint64_t timer)
{
	struct thread *thread = subject;
	if (timer != thread->timer)
		return;
	thread->left_ps = 0;
	if (thread->flow.left > 0)
		start_copy(thread);
	else
		cpu_start_code(thread);
}

void cpu_charge(struct thread *thread)
{
	struct account *account = &thread->account;
	account_close(thread);
	cause_release(thread->cause);
	thread->cause = cause_now();
	thread->resumes.ps = 0;
	thread->left_ps = account->compute_ps;
	thread->flow.left = 0;
	if (account->copy_ps > 0) {
		unsigned __int128 traffic =
			(unsigned __int128)account->traffic_bytes * 1000000000000u;
		uint64_t demand = (uint64_t)((traffic + (uint64_t)account->copy_ps - 1) /
					     (uint64_t)account->copy_ps);
		thread->flow.demand_bytes_per_s = demand;
		thread->flow.left = (unsigned __int128)demand * (uint64_t)account->copy_ps;
	}
	*account = (struct account){0};
	thread->phase = thread->left_ps > 0 ? PHASE_COMPUTE : PHASE_COPY;
	resume(thread);
}

void cpu_wait_on_core(struct thread *thread, enum phase phase)
{
	thread->phase = phase;
	thread->woken = false;
	resume(thread);
}

/* ---- switching ---- */

static void switched(void *subject, uint64_t timer)
{
	struct thread *thread = subject;
	if (timer != thread->timer)
		return;
	thread->switching = false;
	thread->core->slice_ps = engine_now();
	resume(thread);
}

static void put_on(struct core *core, struct thread *thread, enum charge charge, int64_t latency_ps)
{
	thread->resumes = (struct bill){charge, latency_ps};
	if (thread->cause == CAUSE_NONE)
		thread->cause = cause_now();
	core->thread = thread;
	thread->core = core;
	thread->place = PLACE_ON_CORE;
	thread->switching = true;
	count_as(thread, BUCKET_SWITCHING);
	if (core->last != thread) {
		core->switches++;
		thread->counted.switches++;
	}
	core->last = thread;
	core->slice_ps = engine_now() + latency_ps;
	core->host->scheduler->begin(thread);
	host_push(core->slice_ps, switched, thread, ++thread->timer);
	cpu_arm(core);
}

/* Gives a core that became free to the next thread, which may be pinned to it or not. */
static void next_thread(struct core *core)
{
	struct thread *thread = core->host->scheduler->choose(core);
	core->thread = NULL;
	core->robbed = NULL;
	core->free_since_ps = engine_now();
	if (!thread) {
		core->host->free_count++;
		return;
	}
	dequeue(thread);
	put_on(core, thread, CHARGE_SWITCH, core->host->constants->switch_ps);
}

static void preempt(struct core *core)
{
	struct thread *thread = core->thread;
	if (thread->switching) {
		/* the thread has not started to run yet */
	} else if (thread->phase == PHASE_COMPUTE) {
		thread->left_ps = thread->until_ps - engine_now();
	} else if (thread->phase == PHASE_COPY) {
		memory_stop(&core->host->sockets[core->socket], &thread->flow);
	}
	thread->timer++;
	thread->switching = false;
	thread->counted.preemptions++;
	cpu_idle(core, false);
	core->host->scheduler->end(thread);
	enqueue(thread);
	next_thread(core);
}

static void end_quantum(struct core *core)
{
	cpu_idle(core, false);
	if (core->host->scheduler->makes_way(core))
		preempt(core);
	else
		cpu_arm(core);
}

static void on_quantum(void *subject, uint64_t unused)
{
	struct core *core = subject;
	(void)unused;
	core->armed = false;
	core->host->armed_count--;
	if (!core->thread || !(core_wanted(core) || may_idle(core)))
		return;
	const struct thread *thread = core->thread;
	bool computed_now = thread->phase == PHASE_COMPUTE && thread->until_ps == engine_now();
	if (engine_now() < core->host->scheduler->until_ps(core))
		cpu_arm(core);
	else if (thread->phase == PHASE_CODE || computed_now)
		cpu_arm(core); /* retry at this time, after the code has chosen its next phase */
	else if (thread->phase == PHASE_STALL)
		return;
	else if (!core_wanted(core))
		cpu_idle(core, true);
	else
		end_quantum(core);
}

/* Called before the next poll of a polling thread, which yields its core then. */
static void on_yield(void *subject, uint64_t unused)
{
	struct core *core = subject;
	(void)unused;
	core->yields = false;
	if (!core->thread || !core_wanted(core) || !gives_way(core))
		return;
	if (core->thread->switching)
		cpu_arm(core);
	else
		preempt(core);
}

/* ---- a woken thread takes a core ---- */

/* Preempts the thread core->robbed, because a woken thread takes its core. If the code of
 * core->robbed runs at this moment, tries again later at the same simulated time. If core->robbed
 * waits for a load, does nothing: cpu_start_code() preempts the thread when the load has completed.
 */
static void on_robbed(void *subject, uint64_t unused)
{
	struct core *core = subject;
	const struct thread *thread = core->thread;
	(void)unused;
	if (!thread || core->robbed != thread)
		return;
	if (!thread->switching &&
		(thread->phase == PHASE_CODE ||
			(thread->phase == PHASE_COMPUTE && thread->until_ps == engine_now()))) {
		host_push(engine_now(), on_robbed, core, 0);
		return;
	}
	if (thread->phase == PHASE_STALL)
		return;
	core->robbed = NULL;
	preempt(core);
}

static void take_core(struct thread *woken)
{
	struct core *core = woken->pinned >= 0 ? &woken->host->cores[woken->pinned] : woken->core;
	if (!core || !core->thread || core->robbed)
		return;
	cpu_idle(core, false);
	if (!core->host->scheduler->takes(core, woken))
		return;
	core->robbed = core->thread;
	host_push(engine_now(), on_robbed, core, 0);
}

void cpu_park(struct thread *thread)
{
	enum place place = thread->place;
	if (place == PLACE_QUEUED) {
		dequeue(thread);
	} else {
		cpu_idle(thread->core, false);
		thread->host->scheduler->end(thread);
	}
	thread->host->scheduler->leave(thread);
	count_as(thread, BUCKET_PARKED);
	thread->place = PLACE_PARKED;
	if (place == PLACE_ON_CORE) {
		thread->switching = false;
		thread->timer++;
		next_thread(thread->core);
	}
	thread->phase = PHASE_CODE;
}

void cpu_pin(struct thread *thread, int16_t core)
{
	const struct scheduler *scheduler = thread->host->scheduler;
	scheduler->end(thread);
	scheduler->leave(thread);
	thread->pinned = core;
	scheduler->join(thread);
	scheduler->begin(thread);
}

/* ---- wake-ups ---- */

static struct core *free_core(struct thread *thread)
{
	struct host *host = thread->host;
	struct core *best = NULL;
	if (thread->pinned >= 0) {
		struct core *own = &host->cores[thread->pinned];
		return own->thread ? NULL : own;
	}
	if (host->free_count == 0)
		return NULL;
	if (thread->core && !thread->core->thread)
		return thread->core;
	for (uint32_t c = 0; c < host->core_count; c++) {
		struct core *core = &host->cores[c];
		if (!core->thread && (!best || core->free_since_ps > best->free_since_ps))
			best = core;
	}
	return best;
}

bool cpu_is_free_for(struct thread *thread)
{
	return free_core(thread) != NULL;
}

void cpu_unpark(struct thread *thread, bool cold_start)
{
	const struct host_constants *constants = thread->host->constants;
	struct core *core = free_core(thread);
	thread->host->scheduler->join(thread);
	if (!core) {
		thread->counted.wakes[HOST_WAKE_QUEUED]++;
		enqueue(thread);
		take_core(thread);
		return;
	}
	thread->host->free_count--;
	if (cold_start) {
		put_on(core, thread, CHARGE_NOTHING, 0);
		return;
	}
	bool hot = engine_now() - core->free_since_ps <= constants->idle_after_ps;
	int64_t latency_ps = hot ? constants->wake_hot_ps : constants->wake_idle_ps;
	if (constants->noise)
		latency_ps = noise_draw(&thread->stream, &constants->wake_noise, latency_ps, 1);
	thread->counted.wakes[hot ? HOST_WAKE_HOT : HOST_WAKE_IDLE]++;
	put_on(core, thread, hot ? CHARGE_WAKE_HOT : CHARGE_WAKE_IDLE, latency_ps);
}

static void seen(void *subject, uint64_t timer)
{
	struct thread *thread = subject;
	if (timer == thread->timer)
		cpu_start_code(thread);
}

void cpu_spinner_ready(struct thread *thread, int64_t delay_ps)
{
	if (thread->place == PLACE_QUEUED || thread->switching)
		thread->look_ps = 0;
	if (thread->place == PLACE_QUEUED) {
		queue_of(thread)->ready++;
		thread->host->scheduler->find(thread);
		if (thread->pinned >= 0)
			cpu_arm(thread->core);
		else
			arm_all(thread->host);
	} else if (!thread->switching) {
		thread->resumes = (struct bill){CHARGE_SPIN_SEE, delay_ps - thread->look_ps};
		host_push(engine_now() + delay_ps, seen, thread, ++thread->timer);
	}
}

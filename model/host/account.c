/* The account of a host thread. Work and copies add costs to the account; settling the account lets
 * simulated time pass for these costs. A mark says when an operation has passed a point. The time
 * of a mark includes the costs that are still in the account of its thread. Events may record
 * marks, too. The process aborts if an event adds costs or settles an account. */
#include "host_private.h"

#include <stddef.h>

#include "base/ensure.h"
#include "engine/server.h"

void sim_work(enum work_kind kind, uint64_t count)
{
	struct thread *self = thread_caller("work");
	const struct host_constants *constants = self->host->constants;
	ensure((unsigned)kind < WORK_KIND_COUNT, "work kind %u", (unsigned)kind);
	const struct host_work_cost *cost = &constants->work[kind];
	int64_t cost_ps = cost->cost_ps * (int64_t)count;
	if (constants->noise)
		cost_ps = noise_draw(&self->stream, &cost->noise, cost_ps, count);
	if (kind == WORK_DOORBELL && count > 0 && self->write_combined) {
		account_add(
			self, CHARGE_WRITE_COMBINING_DRAIN, constants->write_combining_drain_ps);
		self->write_combined = false;
	}
	account_add(self, (enum charge)(CHARGE_WORK_API_CALL + kind), cost_ps);
	self->counted.work.units[kind] += count;
}

void sim_work_copy(uint64_t bytes, enum memory_kind from, enum memory_kind to)
{
	struct thread *self = thread_caller("work_copy");
	const struct host_constants *constants = self->host->constants;
	ensure((unsigned)from < MEMORY_KIND_COUNT && (unsigned)to < MEMORY_KIND_COUNT,
		"a copy from %u to %u", (unsigned)from, (unsigned)to);
	const struct host_copy_cost *cost = &constants->copy[from][to];
	int64_t cost_ps = server_transfer_ps(bytes, cost->bandwidth_bytes_per_s);
	enum charge charge =
		(enum charge)(CHARGE_COPY_CACHED_CACHED + from * MEMORY_KIND_COUNT + to);
	uint64_t traffic = (bytes * cost->traffic_percent + 99) / 100;
	if (bytes == 0)
		return;
	if (constants->noise)
		cost_ps = noise_draw(&self->stream, &constants->copy_noise, cost_ps, 1);
	bill_add(self, charge, cost_ps);
	if (traffic > 0 && cost_ps > 0) {
		self->account.copy_ps += cost_ps;
		self->account.traffic_bytes += traffic;
	} else {
		self->account.compute_ps += cost_ps;
		self->counted.copying_ps += cost_ps;
	}
	self->write_combined |= to == MEMORY_WRITE_COMBINING;
	self->counted.work.copied_bytes[from][to] += bytes;
}

void sim_work_code(uint32_t codec, bool reads, uint64_t words, uint64_t bytes)
{
	struct thread *self = thread_caller("work_code");
	const struct host_coding_cost *cost = &sim_hosts.codings[codec][reads];
	int64_t words_ps = cost->words_kib_ps * 4 * (int64_t)words;
	int64_t parts_ps = (words_ps + cost->bytes_kib_ps * (int64_t)bytes + 1023) / 1024;
	enum charge first = reads ? CHARGE_CODEC_DECODE : CHARGE_CODEC_ENCODE;
	ensure(codec < WORK_CODECS && sim_hosts.has_codings, "codec %u, of unknown cost", codec);
	words_ps = (words_ps + 1023) / 1024;
	account_add(self, first, cost->command_ps);
	account_add(self, first + 1, words_ps);
	account_add(self, first + 2, parts_ps - words_ps);
	work_coded_add(
		&self->counted.work.coded[codec][reads], &(struct work_coded){1, words, bytes});
}

void host_thread_charge(int64_t cost_ps, enum charge charge)
{
	ensure(cost_ps >= 0, "a cost of %lld ps", (long long)cost_ps);
	account_add(thread_caller("host_thread_charge"), charge, cost_ps);
}

void host_thread_settle(void)
{
	struct thread *self = thread_caller("settle");
	if (account_pending_ps(self) == 0)
		return;
	self->counted.settles++;
	cpu_charge(self);
	actor_block("the end of its own work");
}

int64_t host_thread_paid_at_ps(void)
{
	const struct thread *self = thread_self();
	return engine_now() + (self ? account_pending_ps(self) : 0);
}

const struct log_sink *sim_log(struct log_line *line)
{
	const struct recorder *recorder = sim_hosts.recorder;
	const struct log_sink *sink = recorder ? recorder->log : NULL;
	const struct thread *self = thread_self();

	if (sink == NULL || line == NULL)
		return sink;
	line->at_ps = host_thread_paid_at_ps();
	line->host = self ? self->server : 0;
	line->thread = self ? self->name : "";
	return sink;
}

void sim_mark(uint32_t operation, enum mark_point point, uint32_t chip)
{
	const struct recorder *recorder = sim_hosts.recorder;
	struct thread *self = thread_self();
	if (operation > 0 && self)
		account_close(self);
	cause_mark(operation);
	if (recorder)
		recorder->mark(recorder->context, host_thread_paid_at_ps(), operation, point, chip);
}

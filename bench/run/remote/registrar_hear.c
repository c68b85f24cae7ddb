/* Handles the messages that registered executors send during a run (registrar.h). */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/watcher/watcher.h"
#include "native/processes.h"
#include "registrar_private.h"

/* Quartz clocks drift apart by less than this. */
enum { DRIFT_NS_PER_MS = 100 };

void registrar_part(struct enlisted *enlisted, bool ended)
{
	if (enlisted->ended || enlisted->lost)
		return;
	enlisted->ended = ended;
	enlisted->lost = !ended;
	if (registrar.client == NULL)
		return;
	close(enlisted->ends.output);
	close(enlisted->ends.talk);
	close(enlisted->ends.pulse);
}

/* Computes from an answered ping how far the executor's clock is ahead of this process's clock. The
 * result is too large by the time that the ping travelled to the executor, so the smallest result
 * of all pings is used. An old result counts as larger, because clocks drift. The result is
 * subtracted from the executor's times, so these may become too early, but not too late. If they
 * were too late, work could seem to end after its answer. They are too early by at most about the
 * time that a message travels, so work does not seem to begin before its call. */
static void hear_clock(struct enlisted *enlisted, const struct enlist *message)
{
	int64_t offset_ns = message->now_ns - message->sent_ns;
	int64_t aged_ns = (message->sent_ns - enlisted->offset_at_ns) / 1000000 * DRIFT_NS_PER_MS;

	if (enlisted->pongs++ > 0 && enlisted->offset_ns + aged_ns <= offset_ns)
		return;
	enlisted->offset_ns = offset_ns;
	enlisted->offset_at_ns = message->sent_ns;
}

static bool hear_pong(struct enlisted *enlisted, const struct enlist *message)
{
	if (!enlisted->asked || message->sent_ns != enlisted->asked_ns)
		return false;
	enlisted->asked = false;
	enlisted->settled = enlisted->asked_for;
	__atomic_store_n(&enlisted->cpu_ns, message->cpu_ns, __ATOMIC_RELAXED);
	hear_clock(enlisted, message);
	if (enlisted->owes_pulse)
		(void)send(enlisted->ends.pulse, "!", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	enlisted->owes_pulse = false;
	return true;
}

static int64_t own_ps(const struct enlisted *enlisted, int64_t time_ps)
{
	int64_t own = time_ps - enlisted->offset_ns * 1000;

	return own > 0 ? own : 1;
}

static bool hear_marks(const struct enlisted *enlisted, const struct enlist *message)
{
	struct recorder recorder = op_recorder_sink(registrar.client->recorder);
	const uint8_t *bytes = message->bytes;
	uint32_t count;

	(void)op_recorder_rows(registrar.client->recorder, &count);
	for (uint32_t at = 0; at < message->length; at += ENLIST_MARK_BYTES) {
		struct enlist_mark mark;

		if (!enlist_mark_read(bytes + at, &mark) || mark.operation > count)
			return false;
		recorder.mark(recorder.context, own_ps(enlisted, mark.time_ps), mark.operation,
			mark.point, mark.chip);
	}
	return true;
}

static bool hear_firmware(const struct enlisted *enlisted, struct enlist *message)
{
	const struct firmware_faults *faults = registrar.client->faults;
	struct firmware_fault fault;
	struct firmware_print print;

	if (faults == NULL)
		return false;
	if (message->kind == ENLIST_FAULT && enlist_is_fault(message, &fault)) {
		faults->report(faults->context, &fault);
		return true;
	}
	if (message->kind != ENLIST_PRINT || !enlist_is_print(message, &print))
		return false;
	print.at_ps = own_ps(enlisted, print.at_ps);
	faults->print(faults->context, &print);
	return true;
}

static bool hear_log(const struct enlisted *enlisted, struct enlist *message)
{
	const struct log_sink *sink = registrar.client->log;
	struct log_line line;

	if (sink == NULL || !enlist_is_log(message, &line))
		return false;
	line.at_ps = own_ps(enlisted, line.at_ps);
	sink->take(sink->context, &line);
	return true;
}

/* Forwards the state of a processor, or the end of the answer, to processes_watch_ask(). */
static bool hear_state(const struct enlisted *enlisted, const struct enlist *message)
{
	struct watched_processor watched = {.chip = UINT32_MAX};

	if (message->length > 0) {
		memcpy(&watched, message->bytes, sizeof watched);
		watched.row.processor[sizeof watched.row.processor - 1] = '\0';
		watched.row.state[sizeof watched.row.state - 1] = '\0';
		watched.row.at[sizeof watched.row.at - 1] = '\0';
		watched.row.waits[sizeof watched.row.waits - 1] = '\0';
		watched.row.chips[0] = watched.row.tiles[0] = '\0';
	}
	(void)send(enlisted->ends.talk, &watched, sizeof watched, MSG_NOSIGNAL);
	return true;
}

static bool hear_end(struct enlisted *enlisted, const struct enlist *message)
{
	struct process_report *report = enlisted->ends.report;

	if (message->number >= STATUS_COUNT)
		return false;
	report->status = (enum status)message->number;
	snprintf(report->why, sizeof report->why, "%s", message->text);
	memcpy(&report->counts, message->bytes, sizeof report->counts);
	__atomic_store_n(&enlisted->cpu_ns, message->cpu_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&report->complete, true, __ATOMIC_RELEASE);
	registrar_part(enlisted, true);
	return true;
}

bool registrar_hear(struct enlisted *enlisted, struct enlist *message)
{
	if (enlisted->ended || enlisted->lost)
		return false;
	if (registrar.client == NULL) /* the run has not begun */
		return message->kind == ENLIST_PONG && hear_pong(enlisted, message);
	switch (message->kind) {
	case ENLIST_PONG:
		return hear_pong(enlisted, message);
	case ENLIST_MARKS:
		return hear_marks(enlisted, message);
	case ENLIST_PRINT:
	case ENLIST_FAULT:
		return hear_firmware(enlisted, message);
	case ENLIST_LOG:
		return hear_log(enlisted, message);
	case ENLIST_SEEN:
		return hear_state(enlisted, message);
	case ENLIST_END:
		return hear_end(enlisted, message);
	default:
		return false;
	}
}

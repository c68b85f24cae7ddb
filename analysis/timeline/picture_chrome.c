/* Writes a picture as Chrome's trace-event JSON: complete events, counters and flows, one event per
 * line. Times are in us with six decimals, so they are exact to the picosecond. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "picture.h"

enum { PS_PER_US = 1000000 };

static void put_time(struct text *out, const char *key, int64_t time)
{
	text_printf(out, ",\"%s\":%" PRId64 ".%06" PRId64, key, time / PS_PER_US, time % PS_PER_US);
}

/* Writes the duration of a slice. Viewers compute the end as start + duration, in doubles. Because
 * of rounding, this sum may be later than the true end, and the slice would overlap the next slice.
 * In this case, writes a duration that is shorter by far less than a picosecond. */
static void put_duration(struct text *out, int64_t start, int64_t end)
{
	double first = (double)start / PS_PER_US, last = (double)end / PS_PER_US;
	double duration = (double)(end - start) / PS_PER_US;

	if (first + duration <= last) {
		put_time(out, "dur", end - start);
		return;
	}
	while (first + duration > last)
		duration -= nextafter(last, INFINITY) - last;
	text_printf(out, ",\"dur\":%.24f", duration);
}

static void put_head(struct text *out, const char *phase, uint32_t process, uint32_t lane)
{
	text_printf(out, ",\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", phase, process + 1, lane + 1);
}

static void put_name(struct text *out, const char *name)
{
	text_append(out, ",\"name\":");
	text_append_json(out, name);
}

static void put_metadata(struct text *out, const char *what, uint32_t process, uint32_t lane,
	const char *name, uint32_t rank)
{
	put_head(out, "M", process, lane);
	text_printf(out, ",\"name\":\"%s\",\"args\":{", what);
	if (name) {
		text_append(out, "\"name\":");
		text_append_json(out, name);
	} else {
		text_printf(out, "\"sort_index\":%u", rank);
	}
	text_append(out, "}}");
}

static void put_slice(
	struct text *out, const struct picture_plan *plan, const struct picture_event *event)
{
	const struct picture_slice *slice = event->slice;

	put_head(out, "X", plan->lanes[event->lane].process, event->lane);
	put_name(out, slice->name);
	put_time(out, "ts", slice->start);
	put_duration(out, slice->start, slice->end);
	text_append(out, ",\"cat\":\"meshsim\",\"args\":{");
	for (uint32_t i = 0; i < slice->argument_count; i++) {
		const struct picture_argument *argument = &slice->arguments[i];
		text_append(out, i ? "," : "");
		text_append_json(out, argument->key);
		text_append(out, ":");
		if (argument->text)
			text_append_json(out, argument->text);
		else
			text_printf(out, "%" PRId64, argument->number);
	}
	text_append(out, "}}");
}

/* Writes the flows: first the starts of all flows, then their steps, then their ends. Viewers
 * handle events with the same time in the order of the file, and a flow must start before its
 * steps. */
static void put_flows(struct text *out, const struct picture_plan *plan)
{
	static const char *const phases[] = {[FLOW_NONE] = "", "s", "t", "f"};

	for (int flow = FLOW_NONE + 1; flow < (int)(sizeof(phases) / sizeof(phases[0])); flow++)
		for (uint64_t i = 0; i < plan->event_count; i++) {
			const struct picture_event *event = &plan->events[i];
			if (event->kind != EVENT_BEGIN || (int)event->slice->flow != flow)
				continue;
			put_head(out, phases[flow], plan->lanes[event->lane].process, event->lane);
			put_name(out, "operation");
			put_time(out, "ts", event->slice->start);
			text_printf(out, ",\"cat\":\"meshsim\",\"id\":%" PRIu64 ",\"bp\":\"e\"}",
				event->slice->flow_id);
		}
}

static void put_count(
	struct text *out, const struct picture_plan *plan, const struct picture_event *event)
{
	const struct picture_lane *lane = &plan->lanes[event->lane];

	put_head(out, "C", lane->process, event->lane);
	put_name(out, lane->name);
	put_time(out, "ts", event->time);
	text_printf(out, ",\"args\":{\"value\":%" PRId64 "}}", event->value);
}

static const char head_of_file[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
				   "{\"ph\":\"M\",\"pid\":0,\"tid\":0,\"name\":\"process_name\","
				   "\"args\":{\"name\":\"meshsim\"}}";

bool picture_is_chrome(const char *head, size_t length)
{
	(void)length;
	return strncmp(head, head_of_file, strlen(head_of_file)) == 0;
}

void picture_write_chrome(struct picture *picture, struct text *out)
{
	struct picture_plan plan = picture_plan(picture);

	text_append(out, head_of_file);
	for (uint32_t i = 0; i < plan.process_count; i++) {
		put_metadata(out, "process_name", i, 0, plan.processes[i], 0);
		put_metadata(out, "process_sort_index", i, 0, NULL, i);
	}
	for (uint32_t i = 0; i < plan.lane_count; i++) {
		if (plan.lanes[i].is_counter)
			continue;
		put_metadata(out, "thread_name", plan.lanes[i].process, i, plan.lanes[i].name, 0);
		put_metadata(out, "thread_sort_index", plan.lanes[i].process, i, NULL, i);
	}
	for (uint64_t i = 0; i < plan.event_count; i++) {
		if (plan.events[i].kind == EVENT_BEGIN)
			put_slice(out, &plan, &plan.events[i]);
		else if (plan.events[i].kind == EVENT_COUNT)
			put_count(out, &plan, &plan.events[i]);
	}
	put_flows(out, &plan);
	text_append(out, "\n]}\n");
}

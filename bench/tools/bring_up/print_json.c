/* Prints the outcome of bring-up as JSON. */
#include "base/json.h"
#include "bring_up.h"

static void print_messages(const struct flow_result *result, struct json *json)
{
	json_array_of(json, "messages");
	for (unsigned i = 0; i < FLOW_MESSAGE_COUNT; i++) {
		if (result->messages[i] == 0)
			continue;
		json_object(json);
		json_text(json, "message", flow_message_name((enum flow_message)i));
		json_unsigned_of(json, "count", result->messages[i]);
		json_unsigned_of(json, "bytes", result->bytes[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void print_steps(const struct bring_up_trial *trial, struct json *json)
{
	const struct flow_part *part = flow_row(trial->flow)->parts;

	json_array_of(json, "steps");
	for (; part->step != FLOW_STEP_COUNT; part++) {
		const struct flow_span *span = &trial->result.steps[part->step];

		if (span->actors == 0)
			continue;
		json_object(json);
		json_text(json, "step", flow_step_name(part->step));
		json_text(json, "actor", flow_actor_name(part->actor));
		json_unsigned_of(json, "actors", span->actors);
		json_integer_of(json, "begins", span->first_ns);
		json_integer_of(json, "ends", span->last_ns);
		json_integer_of(json, "longest", span->longest_ns);
		json_object_end(json);
	}
	json_array_end(json);
}

static void print_notice(const struct flow_result *result, struct json *json)
{
	static const char *const words[MOMENT_COUNT] = {
		"before_launch", "at_launch", "at_dispatch", "never"};
	bool noticed = result->moment != MOMENT_NEVER;

	json_text(json, "noticed", words[result->moment]);
	json_text(json, "by", noticed ? flow_message_name(result->message) : NULL);
	json_array_of(json, "path");
	for (unsigned i = 0; i < FLOW_MESSAGE_COUNT; i++)
		if (noticed && (result->told >> i & 1))
			json_string(json, flow_message_name((enum flow_message)i));
	json_array_end(json);
	json_text(json, "why", result->why);
}

static void print_trial(const struct bring_up_trial *trial, struct json *json)
{
	const struct flow_result *result = &trial->result;
	struct text hash = {0};

	text_printf(&hash, "%016llx", (unsigned long long)result->bindings_hash);
	json_object(json);
	json_text(json, "flow", flow_row(trial->flow)->name);
	json_text(json, "fault", bring_up_fault_name(trial->fault));
	json_text(json, "impossible", trial->impossible);
	json_bool_of(json, "reached", result->reached);
	json_integer_of(json, "time", result->reached_ns);
	json_text(json, "bindings", text_string(&hash));
	print_notice(result, json);
	json_unsigned_of(json, "lesser", result->links_less);
	json_unsigned_of(json, "links", result->links);
	print_steps(trial, json);
	print_messages(result, json);
	json_object_end(json);
	text_fini(&hash);
}

void bring_up_print_json(const struct bring_up_world *settings, const struct bring_up_trial *trials,
	uint32_t count, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_text(&json, "world", settings->native ? "native" : "sim");
	json_unsigned_of(&json, "hosts", settings->source.hosts);
	json_text(&json, "unit", "ns");
	json_array_of(&json, "runs");
	for (uint32_t i = 0; i < count; i++)
		if (trials[i].impossible || trials[i].ended)
			print_trial(&trials[i], &json);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, out);
}

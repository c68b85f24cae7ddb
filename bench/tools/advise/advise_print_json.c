/* Prints an advice as JSON (advise.h). bench/tools/output_schema describes it. */
#include <string.h>

#include "advise.h"
#include "base/json.h"

/* Writes the members of a verdict. */
static void json_verdict(struct json *json, const struct advise_verdict *verdict)
{
	json_text(json, "outcome", advise_outcome_name(verdict->outcome));
	json_real_of(json, "time", verdict->after);
	json_real_of(json, "gain", verdict->gain);
	json_key(json, "low");
	if (verdict->has_interval)
		json_real(json, verdict->low);
	else
		json_null(json);
	json_key(json, "high");
	if (verdict->has_interval)
		json_real(json, verdict->high);
	else
		json_null(json);
	json_key(json, "chance");
	if (verdict->chance >= 0)
		json_real(json, verdict->chance);
	else
		json_null(json);
	json_text(json, "mechanism", verdict->mechanism);
	json_text(json, "rests_on", verdict->rests_on);
	json_text(json, "doubt", verdict->doubt);
}

static void json_idle(struct json *json, const struct advice *advice)
{
	const struct advise_idle *idle = &advice->idle;

	json_object_of(json, "idle");
	for (int cause = 0; cause < IDLE_CAUSES; cause++)
		json_real_of(json, idle_cause_name(cause), advice_idle_share(advice, cause));
	json_unsigned_of(json, "launches", idle->launches);
	json_unsigned_of(json, "bound", idle->bound);
	json_array_of(json, "steps");
	for (uint32_t i = 0; i < idle->step_count; i++) {
		const struct advise_step *step = &idle->steps[i];

		json_object(json);
		json_text(json, "step", step->name);
		json_unsigned_of(json, "launches", step->launches);
		json_real_of(json, "kernel", step->kernel);
		json_real_of(json, "idle", step->idle);
		json_text(json, "cause", idle_cause_name(step->cause));
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void json_design(struct json *json, const struct advise_design *design)
{
	json_object(json);
	json_text(json, "change", design->name);
	json_text(json, "key", design->choice.key);
	json_text(json, "set", design->choice.key ? design->choice.value : NULL);
	json_text(json, "needs", design->rewrite ? design->rewrite->needs : "");
	json_text(json, "refused", design->refused);
	json_key(json, "verdict");
	if (design->refused) {
		json_null(json);
	} else {
		json_object(json);
		json_verdict(json, &design->verdict);
		json_object_end(json);
	}
	json_object_end(json);
}

static void json_pair(struct json *json, const struct advice *advice)
{
	const struct advise_design *pair = advice->pair;

	json_key(json, "pair");
	if (!pair) {
		json_null(json);
		return;
	}
	json_object(json);
	json_text(json, "change", pair->name);
	json_object_of(json, "verdict");
	json_verdict(json, &pair->verdict);
	json_object_end(json);
	json_text(json, "single", advice->designs[0].name);
	json_object_of(json, "against_single");
	json_verdict(json, &advice->pair_verdict);
	json_object_end(json);
	json_object_end(json);
}

static void json_notes(struct json *json, const char *notes)
{
	struct arena arena = {0};

	json_array_of(json, "notes");
	while (*notes) {
		size_t length = strcspn(notes, "\n");

		json_string(json, arena_copy(&arena, notes, length));
		notes += length + (notes[length] == '\n');
	}
	json_array_end(json);
	arena_fini(&arena);
}

void advise_write_json(const struct advice *advice, FILE *out)
{
	const struct text *notes = &advice->base.notes;
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_text(&json, "scenario", advice->base.name);
	json_text(&json, "platform", advice->base.machine);
	json_real_of(&json, "time", advice->iteration);
	json_key(&json, "tokens");
	if (advice->request->tokens)
		json_unsigned(&json, advice->request->tokens);
	else
		json_null(&json);
	json_real_of(&json, "remains", advice_free_time(advice));
	json_idle(&json, advice);
	json_array_of(&json, "changes");
	for (uint32_t i = 0; i < advice->count; i++)
		json_design(&json, &advice->designs[i]);
	json_array_end(&json);
	json_pair(&json, advice);
	json_notes(&json, notes->length > 0 ? text_string(notes) : "");
	json_object_end(&json);
	json_print(&json, out);
}

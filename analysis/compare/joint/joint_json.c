/* Writes the joint uncertainty of a verdict as JSON (analysis/compare.h). */
#include "analysis/compare/joint.h"

/* Writes a number, or null if the number is not known. */
static void joint_json_known(struct json *json, const char *key, bool known, double value)
{
	json_key(json, key);
	if (known)
		json_real(json, value);
	else
		json_null(json);
}

static void joint_json_together(struct json *json, const struct joint_together *together)
{
	json_key(json, "together");
	if (together->count == 0) {
		json_null(json);
		return;
	}
	json_object(json);
	json_array_of(json, "groups");
	for (uint32_t i = 0; i < together->count && i < JOINT_TOGETHER_MAX; i++)
		json_string(json, together->groups[i]);
	json_array_end(json);
	json_unsigned_of(json, "count", together->count);
	json_text(json, "rival", together->rival);
	json_real_of(json, "margin", together->margin);
	joint_json_known(json, "measured", together->rerun, together->measured);
	json_object_end(json);
}

static void joint_json_costs(struct json *json, const struct joint *joint)
{
	json_array_of(json, "costs");
	for (uint32_t i = 0; i < joint->share_count; i++) {
		json_object(json);
		json_text(json, "constant", joint->shares[i].path);
		json_text(json, "kind", joint->shares[i].kind);
		json_real_of(json, "factor", joint->shares[i].factor);
		json_real_of(json, "first", joint->shares[i].first);
		json_real_of(json, "total", joint->shares[i].total);
		json_object_end(json);
	}
	json_array_end(json);
}

static void joint_json_options(
	struct json *json, const struct question *question, const struct joint *joint)
{
	json_array_of(json, "options");
	for (uint32_t i = 0; i < joint->option_count; i++) {
		json_object(json);
		json_text(json, "option", question->options[joint->options[i].option]);
		json_text(json, "label", joint->options[i].label);
		json_real_of(json, "chance", joint->options[i].chance);
		json_object_end(json);
	}
	json_array_end(json);
}

void compare_joint_json(struct json *json, const struct question *question)
{
	static const char *const bases[] = {[JOINT_FIRST_ORDER] = "first order",
		[JOINT_CONFIRMED] = "confirmed",
		[JOINT_CORRECTED] = "corrected",
		[JOINT_RERUN] = "reruns"};
	const struct joint *joint = question->joint;

	json_key(json, "joint");
	if (!joint) {
		json_null(json);
		return;
	}
	json_object(json);
	json_text(json, "basis", bases[joint->basis]);
	json_unsigned_of(json, "draws", joint->draws);
	json_unsigned_of(json, "reruns", joint->reruns);
	json_unsigned_of(json, "failed", joint->failed);
	json_unsigned_of(json, "runs", joint->runs);
	json_text(json, "failure", joint->failure);
	joint_json_known(json, "error", joint->error_rival != NULL, joint->error);
	joint_json_known(json, "precision", joint->basis >= JOINT_CORRECTED, joint->precision);
	joint_json_options(json, question, joint);
	json_real_of(json, "low", joint->low);
	json_real_of(json, "middle", joint->middle);
	json_real_of(json, "high", joint->high);
	joint_json_costs(json, joint);
	joint_json_together(json, &joint->together);
	json_object_end(json);
}

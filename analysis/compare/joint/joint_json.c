/* Writes the joint uncertainty of a verdict as JSON (analysis/compare.h). */
#include "analysis/compare/joint.h"

static void joint_json_real(struct json *json, const char *key, double value)
{
	json_key(json, key);
	json_real(json, value);
}

/* Writes a number, or null if the number is not known. */
static void joint_json_known(struct json *json, const char *key, bool known, double value)
{
	json_key(json, key);
	if (known)
		json_real(json, value);
	else
		json_null(json);
}

static void joint_json_count(struct json *json, const char *key, uint32_t value)
{
	json_key(json, key);
	json_unsigned(json, value);
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
	joint_json_count(json, "count", together->count);
	json_text(json, "rival", together->rival);
	joint_json_real(json, "margin", together->margin);
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
		joint_json_real(json, "factor", joint->shares[i].factor);
		joint_json_real(json, "first", joint->shares[i].first);
		joint_json_real(json, "total", joint->shares[i].total);
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
		joint_json_real(json, "chance", joint->options[i].chance);
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
	joint_json_count(json, "draws", joint->draws);
	joint_json_count(json, "reruns", joint->reruns);
	joint_json_count(json, "failed", joint->failed);
	joint_json_count(json, "runs", joint->runs);
	json_text(json, "failure", joint->failure);
	joint_json_known(json, "error", joint->error_rival != NULL, joint->error);
	joint_json_known(json, "precision", joint->basis >= JOINT_CORRECTED, joint->precision);
	joint_json_options(json, question, joint);
	joint_json_real(json, "low", joint->low);
	joint_json_real(json, "middle", joint->middle);
	joint_json_real(json, "high", joint->high);
	joint_json_costs(json, joint);
	joint_json_together(json, &joint->together);
	json_object_end(json);
}

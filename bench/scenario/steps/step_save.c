/* Checks the key `save` of steps that read: that its value is a valid name, that no other step
 * saves under this name, and that the data are not too large. */
#include <ctype.h>
#include <string.h>

#include "bench/scenario/step_layout.h"
#include "check.h"
#include "step_check.h"

enum {
	NAME_MOST = 32,
	ELEMENTS_MOST = 1 << 22, /* most elements of a step, which take 32 MiB in a result file */
};

static const char *saved_as(const struct step *step)
{
	if (step->kind == STEP_READ_BUFFER)
		return step->read.save;
	return step->kind == STEP_READ_TENSOR ? step->tensor.save : NULL;
}

static bool is_file_name(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '-')
			return false;
	return length > 0 && length <= NAME_MOST;
}

/* The state of a walk over all steps. */
struct saves {
	const struct step *before; /* a step with the same name, before the one that is checked */
	uint32_t count;
	bool met; /* the checked step */
};

static void look(const struct step *steps, uint32_t count, const struct step *checked,
	const char *name, struct saves *saves)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const char *other = saved_as(&steps[i]);

		saves->met |= &steps[i] == checked;
		saves->count += other != NULL;
		if (other && !saves->met && !saves->before && strcmp(other, name) == 0)
			saves->before = &steps[i];
		if (body)
			look(body->steps, body->step_count, checked, name, saves);
	}
}

void check_save(const struct check *check, const struct tree_node *keys, const struct step *step,
	uint64_t elements, uint64_t device_bytes)
{
	const struct scenario *scenario = check->run->scenario;
	const char *name = saved_as(step);
	struct location where = tree_where(keys, "save");
	char cited[LOCATION_CITE_BYTES];
	uint64_t limit = scenario->model.elide_above_bytes;
	struct saves saves = {NULL};

	if (!name)
		return;
	look(scenario->steps, scenario->step_count, step, name, &saves);
	if (!is_file_name(name))
		diag_error(check->diag, where,
			"a name in the result file has 1 to %d letters, digits, '-' and '_'",
			NAME_MOST);
	else if (saves.before)
		diag_error(check->diag, where, "the step at %s saves as '%s', too",
			location_cite(saves.before->where, cited, sizeof cited), name);
	else if (check->trace)
		diag_error(check->diag, where,
			"steps of a trace save nothing: save what a step outside reads");
	else if (step->kind == STEP_READ_BUFFER && step->read.pages_count)
		diag_error(check->diag, where,
			"a read of some pages is not saved: save a read of the whole buffer");
	else if (step->kind == STEP_READ_BUFFER && !step->read.blocking)
		diag_error(check->diag, where, "a read that is saved has to be blocking");
	else if (elements > ELEMENTS_MOST)
		diag_error(check->diag, where, "%llu elements to save, at most %d",
			(unsigned long long)elements, ELEMENTS_MOST);
	else if (limit > 0 && device_bytes > limit)
		diag_error(check->diag, where,
			"of the %llu bytes per device none are simulated "
			"(model.elide_above_bytes), so there is nothing to save",
			(unsigned long long)device_bytes);
	else if (saves.count > SCENARIO_SAVED_MAX)
		diag_error(check->diag, where, "%u steps save, at most %d", saves.count,
			SCENARIO_SAVED_MAX);
}

void check_save_tensor(
	const struct check *check, const struct tree_node *keys, const struct step *step)
{
	struct diag *unheard = diag_new();
	struct layout layout;

	if (step_tensor_layout(check->run->scenario, step, unheard, &layout))
		check_save(check, keys, step, layout_volume(&layout.tensor),
			step_tensor_device_bytes(check->run->scenario, step));
	diag_free(unheard);
}

uint64_t step_saved_elements(const struct write_step *write)
{
	return write->bytes / element_bytes(step_saved_element(write));
}

enum element step_saved_element(const struct write_step *write)
{
	if (write->shape_rank > 0 && !element_is_block((enum element)write->element))
		return (enum element)write->element;
	if (write->values == STEP_F32)
		return ELEMENT_F32;
	return write->values == STEP_BF16 ? ELEMENT_BF16 : ELEMENT_U8;
}

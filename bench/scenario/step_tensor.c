/* Checks of the steps that move tensors. They reject, for example, layouts that the mesh cannot
 * hold, and reads of tensors that no step writes. */
#include <string.h>

#include "bench/scenario/step_layout.h"
#include "layout/layout_text.h"
#include "programs/gather.h"
#include "rehearsal/rehearsal.h"
#include "step_check.h"

/* Searches `steps`, and the steps under their `do`, for the first step that writes the tensor of
 * the step `last`. Stops at `last`, and then sets *met to true. Returns the keys of the step that
 * was found, or NULL. */
static const struct tensor_step *step_tensor_find_write(
	const struct step *steps, uint32_t count, const struct step *last, bool *met)
{
	for (uint32_t i = 0; i < count && !*met; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const struct tensor_step *found = NULL;

		if (body)
			found = step_tensor_find_write(body->steps, body->step_count, last, met);
		else if (steps[i].kind == STEP_WRITE_TENSOR && steps[i].mesh == last->mesh &&
			 strcmp(steps[i].tensor.tensor, last->tensor.tensor) == 0)
			found = &steps[i].tensor;
		if (found)
			return found;
		*met |= &steps[i] == last;
	}
	return NULL;
}

/* Returns the first step that writes the tensor that `step` uses. If no step writes this tensor,
 * reports an error and returns NULL. */
static const struct tensor_step *first_write(
	const struct scenario *scenario, const struct step *step, struct diag *diag)
{
	const struct tensor_step *tensor = &step->tensor;
	bool met = false;
	const struct tensor_step *first =
		step_tensor_find_write(scenario->steps, scenario->step_count, step, &met);

	if (!first)
		diag_error(diag, tensor->tensor_where, "no step before this one writes tensor '%s'",
			tensor->tensor);
	return first;
}

bool step_tensor_layout(const struct scenario *scenario, const struct step *step, struct diag *diag,
	struct layout *layout)
{
	const struct tensor_step *tensor = &step->tensor;
	const struct tensor_step *first = first_write(scenario, step, diag);
	char cited[LOCATION_CITE_BYTES], name[LOCATION_CITE_BYTES + 16];
	bool encoded = false;

	if (!first)
		return false;
	if (!first->layout) {
		diag_error(diag, first->tensor_where,
			"tensor '%s': missing key 'layout' in the first step that writes it",
			tensor->tensor);
		return false;
	}
	snprintf(name, sizeof name, "%s layout",
		location_cite(first->layout_where, cited, sizeof cited));
	if (!layout_parse(name, first->layout, strlen(first->layout), diag, layout, &encoded))
		return false;
	if (!encoded)
		diag_error(diag, first->layout_where,
			"tensor '%s' has a shape and no layout: `meshsim layout' makes one",
			tensor->tensor);
	return encoded;
}

/* Returns the number of shards on a device. This is the product of the grid's last two extents,
 * because the last two dimensions of the grid are cores. */
static uint64_t device_shards(const struct layout *layout)
{
	uint32_t rank = layout->grid.rank;

	return layout->grid.size[rank - 1] * (rank > 1 ? layout->grid.size[rank - 2] : 1);
}

uint64_t step_tensor_device_bytes(const struct scenario *scenario, const struct step *step)
{
	struct diag *diag = diag_new();
	struct layout layout;
	uint64_t bytes = 0;

	if (step_tensor_layout(scenario, step, diag, &layout))
		bytes = layout.shard_bytes * device_shards(&layout);
	diag_free(diag);
	return bytes;
}

/* Reports an error if a step reads a tensor that consists of several parts, and `runtime.gather`
 * gathers data on the devices. Devices can gather only buffers. The host reads the parts of a
 * tensor separately from each device. */
static void step_tensor_check_gather(
	const struct run_plan *run, const struct step *step, struct diag *diag)
{
	struct diag *unheard = diag_new();
	struct layout layout;

	if (step->kind == STEP_READ_TENSOR &&
		gather_row(run->scenario->runtime.gather)->on_devices &&
		step_tensor_layout(run->scenario, step, unheard, &layout) &&
		layout.shards > device_shards(&layout))
		diag_error(diag, step->tensor.tensor_where,
			"read of tensor '%s', whose parts go from their devices to the host one by "
			"one: runtime.gather: %s is for read_buffer",
			step->tensor.tensor, gather_row(run->scenario->runtime.gather)->entry.name);
	diag_free(unheard);
}

void check_tensor(const struct run_plan *run, struct rehearsal *rehearsal, const struct step *step,
	struct diag *diag)
{
	const struct tensor_step *tensor = &step->tensor;
	const struct tensor_step *first = first_write(run->scenario, step, diag);
	char cited[LOCATION_CITE_BYTES];
	struct layout layout;
	struct text why = {0};

	step_tensor_check_gather(run, step, diag);
	if (first && first != tensor) {
		if (tensor->layout && first->layout && strcmp(tensor->layout, first->layout) != 0)
			diag_error(diag, tensor->layout_where,
				"tensor '%s' was made with another layout at %s", tensor->tensor,
				location_cite(first->layout_where, cited, sizeof cited));
		return;
	}
	if (!first || !step_tensor_layout(run->scenario, step, diag, &layout))
		return;
	if (rehearsal_tensor(rehearsal, step->mesh, &layout, &why) != STATUS_OK)
		diag_error(diag, tensor->layout_where, "tensor '%s': %s", tensor->tensor,
			text_string(&why));
	text_fini(&why);
}

/* Checks that meshes are open when steps use them. Walks the steps in the order in which the client
 * runs them. Reports steps that use a closed mesh, and reads of buffers that were lost when a mesh
 * was closed. */
#include <stdio.h>
#include <string.h>

#include "bench/results/results.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "check.h"

/* A buffer or tensor that was written since its mesh was opened. */
struct kept {
	struct kept *next;
	const char *name;
	bool tensor;
};

struct life {
	bool open;
	const struct step *turned; /* step that last opened or closed the mesh; NULL: none yet */
	struct kept *kept;
};

struct lives {
	const struct check *check;
	struct life of[SCENARIO_MESHES_MAX];
};

static bool turns(const struct step *step)
{
	return step->kind == STEP_CLOSE_MESH || step->kind == STEP_OPEN_MESH;
}

/* Returns the first step that opens or closes the mesh, or NULL. */
static const struct step *first_turn(const struct step *steps, uint32_t count, uint32_t mesh)
{
	const struct step *first = NULL;

	for (uint32_t i = 0; i < count && !first; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			first = first_turn(body->steps, body->step_count, mesh);
		else if (turns(&steps[i]) && steps[i].mesh == mesh)
			first = &steps[i];
	}
	return first;
}

bool scenario_mesh_begins_open(const struct scenario *scenario, uint32_t mesh)
{
	const struct step *first = first_turn(scenario->steps, scenario->step_count, mesh);

	return !first || first->kind == STEP_CLOSE_MESH;
}

/* Names the mesh: "mesh 'left'", or "the mesh" if there is only one. */
enum { NAME_BYTES = MESH_NAME_BYTES + 16 };

static const char *say_mesh(const struct lives *lives, uint32_t mesh, char *said)
{
	const char *name = scenario_mesh(lives->check->run->scenario, mesh)->name;

	if (name)
		snprintf(said, NAME_BYTES, "mesh '%s'", name);
	else
		snprintf(said, NAME_BYTES, "the mesh");
	return said;
}

/* Returns the place of the last step that opened or closed the mesh, like "(left.yaml:7:5)".
 * Returns `never` if no step has opened or closed it. */
static const char *cite_turn(const struct life *life, const char *never, char *cited)
{
	return life->turned ? location_cite(life->turned->where, cited, LOCATION_CITE_BYTES)
			    : never;
}

static bool refuse_closed(const struct lives *lives, const struct step *step)
{
	const struct life *life = &lives->of[step->mesh];
	char said[NAME_BYTES], cited[LOCATION_CITE_BYTES];

	diag_error(lives->check->diag, step->where, "%s on %s, which is closed (%s)",
		step_name(step->kind), say_mesh(lives, step->mesh, said),
		cite_turn(life, "no open_mesh comes before", cited));
	return false;
}

/* ---- buffers and tensors of a mesh ---- */

static bool is_kept(const struct life *life, const char *name, bool tensor)
{
	const struct kept *kept = life->kept;

	while (kept && (kept->tensor != tensor || strcmp(kept->name, name) != 0))
		kept = kept->next;
	return kept != NULL;
}

static void step_open_keep(
	struct lives *lives, const struct step *step, const char *name, bool tensor)
{
	struct life *life = &lives->of[step->mesh];
	struct kept *kept;

	if (is_kept(life, name, tensor))
		return;
	kept = arena_alloc(lives->check->arena, sizeof *kept);
	*kept = (struct kept){life->kept, name, tensor};
	life->kept = kept;
}

static bool want_kept(
	const struct lives *lives, const struct step *step, const char *name, bool tensor)
{
	const struct life *life = &lives->of[step->mesh];
	char said[NAME_BYTES], cited[LOCATION_CITE_BYTES];

	if (!life->turned || is_kept(life, name, tensor))
		return true;
	diag_error(lives->check->diag, step->where,
		"%s '%s' was not written since %s was opened (%s): what a mesh holds is gone when "
		"it is closed",
		tensor ? "tensor" : "buffer", name, say_mesh(lives, step->mesh, said),
		cite_turn(life, "", cited));
	return false;
}

/* ---- the walk ---- */

static bool walk_close(struct lives *lives, const struct step *step)
{
	struct life *life = &lives->of[step->mesh];

	if (!life->open)
		return refuse_closed(lives, step);
	*life = (struct life){.turned = step};
	return true;
}

static bool walk_open(struct lives *lives, const struct step *step)
{
	const struct check *check = lives->check;
	struct device_range range = machine_range(&check->configs[step->mesh]);
	struct life *life = &lives->of[step->mesh];
	char said[NAME_BYTES], cited[LOCATION_CITE_BYTES];

	if (life->open) {
		diag_error(check->diag, step->where, "open_mesh on %s, which is open (%s)",
			say_mesh(lives, step->mesh, said),
			cite_turn(life, "from the start", cited));
		return false;
	}
	for (uint32_t i = 0; i < scenario_mesh_count(check->run->scenario); i++) {
		struct device_range other = machine_range(&check->configs[i]);

		if (!lives->of[i].open || !device_range_overlap(range, other))
			continue;
		diag_error(check->diag, step->where,
			"mesh '%s' has the chip at row %u, column %u of the platform, which "
			"belongs to mesh '%s' until that is closed",
			scenario_mesh(check->run->scenario, step->mesh)->name,
			range.row0 > other.row0 ? range.row0 : other.row0,
			range.column0 > other.column0 ? range.column0 : other.column0,
			scenario_mesh(check->run->scenario, i)->name);
		return false;
	}
	life->open = true;
	life->turned = step;
	return true;
}

static bool want_all_kept(const struct lives *lives, const struct step *step)
{
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);
	bool good = true;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < programs[i].buffer_count && good; k++)
			good = want_kept(lives, step, programs[i].buffers[k].buffer, false);
	return good;
}

static bool step_open_walk(struct lives *lives, const struct step *steps, uint32_t count)
{
	bool good = true;

	for (uint32_t i = 0; i < count && good; i++) {
		const struct step *step = &steps[i];

		if (step->kind == STEP_REPEAT) {
			for (uint32_t turn = 0; turn < step->repeat.times && turn < 2 && good;
				turn++)
				good = step_open_walk(
					lives, step->repeat.steps, step->repeat.step_count);
			continue;
		}
		if (step->mesh == STEP_ALL_MESHES) /* a finish of all open meshes */
			continue;
		if (step->kind == STEP_OPEN_MESH)
			good = walk_open(lives, step);
		else if (step->kind == STEP_CLOSE_MESH)
			good = walk_close(lives, step);
		else if (!lives->of[step->mesh].open)
			good = refuse_closed(lives, step);
		else if (step->kind == STEP_ENQUEUE_WORKLOAD)
			good = want_all_kept(lives, step);
		else if (step->kind == STEP_READ_BUFFER)
			good = want_kept(lives, step, step->read.buffer, false);
		else if (step->kind == STEP_READ_TENSOR)
			good = want_kept(lives, step, step->tensor.tensor, true);
		else if (step->kind == STEP_WRITE_BUFFER)
			step_open_keep(lives, step, step->write.buffer, false);
		else if (step->kind == STEP_WRITE_TENSOR)
			step_open_keep(lives, step, step->tensor.tensor, true);
	}
	return good;
}

/* Reports an error if a step opens or closes a mesh on which a fabric step runs. The kernels of
 * fabric steps stay on the workers until the run ends. */
static void check_fabric_steps(const struct lives *lives, const struct step *steps, uint32_t count)
{
	const struct scenario *scenario = lives->check->run->scenario;

	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			check_fabric_steps(lives, body->steps, body->step_count);
		else if ((steps[i].kind == STEP_FABRIC_PING ||
				 steps[i].kind == STEP_FABRIC_TRAFFIC) &&
			 first_turn(scenario->steps, scenario->step_count, steps[i].mesh))
			diag_error(lives->check->diag, steps[i].where,
				"%s on a mesh that is closed or opened by a step: its kernels stay "
				"on the workers",
				step_name(steps[i].kind));
	}
}

void check_lives(const struct check *check)
{
	const struct scenario *scenario = check->run->scenario;
	struct lives lives = {.check = check};
	uint32_t count = scenario_mesh_count(scenario);

	for (uint32_t i = 0; i < count; i++) {
		const struct step *turn = first_turn(scenario->steps, scenario->step_count, i);

		lives.of[i].open = scenario_mesh_begins_open(scenario, i);
		if (!turn || count == 1 || scenario->runtime.host.clients != CLIENTS_PER_MESH)
			continue;
		diag_error(check->diag, turn->where,
			"%s waits until nothing is under way on any mesh: not with "
			"runtime.host.clients: per-mesh",
			step_name(turn->kind));
		return;
	}
	check_fabric_steps(&lives, scenario->steps, scenario->step_count);
	(void)step_open_walk(&lives, scenario->steps, scenario->step_count);
}

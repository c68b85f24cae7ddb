/* Finds the virtual mesh of each step. The key `mesh` of the step, or of a step around it, names
 * the mesh. If there is only one mesh, no name is needed. */
#include <string.h>

#include "base/nearest.h"
#include "bench/results/results.h"
#include "check.h"

struct finding {
	const struct scenario *scenario;
	struct diag *diag;
};

/* Appends the names of all meshes, like "'left', 'middle' or 'right'". */
static void step_mesh_say_names(const struct scenario *scenario, struct text *names)
{
	uint32_t count = scenario_mesh_count(scenario);

	for (uint32_t i = 0; i < count; i++)
		text_printf(names, "%s'%s'",
			i == 0		 ? ""
			: i + 1 == count ? " or "
					 : ", ",
			scenario_mesh(scenario, i)->name);
}

/* Returns the number of the mesh that the step names, or 0 after an error. */
static uint32_t step_mesh_find_named(const struct finding *finding, const struct step *step)
{
	const struct scenario *scenario = finding->scenario;
	struct nearest nearest;

	if (!scenario->runtime.meshes) {
		diag_error(finding->diag, step->mesh_where,
			"mesh '%s', but there is one mesh without a name: runtime.meshes gives "
			"names",
			step->mesh_name);
		return 0;
	}
	nearest_start(&nearest, step->mesh_name);
	for (uint32_t i = 0; i < scenario_mesh_count(scenario); i++) {
		if (strcmp(scenario_mesh(scenario, i)->name, step->mesh_name) == 0)
			return i;
		nearest_offer(&nearest, scenario_mesh(scenario, i)->name);
	}
	diag_error(finding->diag, step->mesh_where,
		nearest.best ? "unknown mesh '%s', did you mean '%s'?" : "unknown mesh '%s'",
		step->mesh_name, nearest.best);
	return 0;
}

/* Reports an error if there are several meshes, but neither the step nor a step around it names
 * one. A finish or think needs no mesh. A repeat needs none either, because each of its steps has
 * its own mesh. If each mesh has its own client thread, also reports an error for a fabric step,
 * since a fabric step ends only when all meshes are idle. */
static void want_one(const struct finding *finding, struct step *step)
{
	const struct scenario *scenario = finding->scenario;
	struct text names;

	if ((step->kind == STEP_FABRIC_PING || step->kind == STEP_FABRIC_TRAFFIC) &&
		scenario_mesh_count(scenario) > 1 &&
		scenario->runtime.host.clients == CLIENTS_PER_MESH)
		diag_error(finding->diag, step->where,
			"%s ends when nothing is under way on any mesh: not with "
			"runtime.host.clients: per-mesh",
			step_name(step->kind));
	if (step->mesh != STEP_ALL_MESHES || step->kind == STEP_FINISH ||
		step->kind == STEP_REPEAT || step->kind == STEP_THINK)
		return;
	text_init(&names);
	step_mesh_say_names(scenario, &names);
	diag_error(finding->diag, step->where, "%s of which mesh? Say mesh: %s beside it",
		step_name(step->kind), text_string(&names));
	text_fini(&names);
	step->mesh = 0;
}

/* Finds the meshes of steps. `trace` is the step that captures them, or NULL. */
static void step_mesh_find(const struct finding *finding, struct step *steps, uint32_t count,
	uint32_t above, const struct step *trace)
{
	for (uint32_t i = 0; i < count; i++) {
		struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);

		step->mesh = step->mesh_name ? step_mesh_find_named(finding, step) : above;
		want_one(finding, step);
		if (trace && step->mesh != trace->mesh)
			diag_error(finding->diag, step->mesh_where,
				"mesh '%s' in a trace of mesh '%s'", step->mesh_name,
				scenario_mesh(finding->scenario, trace->mesh)->name);
		if (step->kind == STEP_FINISH)
			step->finish.meshes = step->mesh == STEP_ALL_MESHES
						      ? scenario_mesh_count(finding->scenario)
						      : 1;
		if (body)
			step_mesh_find(finding, body->steps, body->step_count, step->mesh,
				step->kind == STEP_TRACE ? step : trace);
	}
}

static void check_names(const struct finding *finding)
{
	const struct runtime_keys *keys = &finding->scenario->runtime;

	check_layers(finding->diag, keys->mesh.where, "a mesh", keys->mesh.shape,
		keys->mesh.shape_count, keys->mesh.offset);
	for (uint32_t i = 0; i < keys->mesh_count; i++)
		check_layers(finding->diag, keys->meshes[i].where, "a mesh", keys->meshes[i].shape,
			keys->meshes[i].shape_count, keys->meshes[i].offset);
	for (uint32_t i = 0; i < keys->mesh_count; i++)
		if (!keys->meshes[i].name[0] || strlen(keys->meshes[i].name) >= MESH_NAME_BYTES)
			diag_error(finding->diag, keys->meshes[i].where,
				"a mesh's name has 1 to %d bytes, not %zu", MESH_NAME_BYTES - 1,
				strlen(keys->meshes[i].name));
	if (keys->meshes &&
		(keys->mesh.shape_count || keys->mesh.offset[0] || keys->mesh.offset[1]))
		diag_error(finding->diag, keys->mesh.where,
			"runtime.mesh beside runtime.meshes: there is one mesh, or several with "
			"names");
}

bool steps_find_meshes(const struct scenario *scenario, struct diag *diag)
{
	struct finding finding = {scenario, diag};
	size_t errors = diag_errors(diag);

	check_names(&finding);
	step_mesh_find(&finding, scenario->steps, scenario->step_count,
		scenario_mesh_count(scenario) == 1 ? 0 : STEP_ALL_MESHES, NULL);
	return diag_errors(diag) == errors;
}

bool step_has_mesh(const struct step *step, uint32_t mesh)
{
	const struct repeat_step *body = step_body(step);
	bool has = false;

	if (!body)
		return step->mesh == mesh || step->mesh == STEP_ALL_MESHES;
	for (uint32_t i = 0; i < body->step_count && !has; i++)
		has = step_has_mesh(&body->steps[i], mesh);
	return has;
}

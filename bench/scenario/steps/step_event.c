/* Checks of the events to which steps refer; step_order.c checks the order of steps. */
#include <string.h>

#include "base/nearest.h"
#include "check.h"

static bool is_recorded(const struct check *check, uint32_t mesh, const char *name)
{
	for (const struct event_name *event = check->events; event; event = event->next)
		if (event->mesh == mesh && strcmp(event->name, name) == 0)
			return true;
	return false;
}

/* Collects the names of all events that steps record. */
void collect_events(struct check *check, const struct step *steps, uint32_t count)
{
	struct event_name *name;

	for (uint32_t i = 0; i < count; i++) {
		if (step_body(&steps[i]))
			collect_events(check, step_body(&steps[i])->steps,
				step_body(&steps[i])->step_count);
		if (steps[i].kind != STEP_RECORD_EVENT ||
			is_recorded(check, steps[i].mesh, steps[i].record.event))
			continue;
		name = arena_alloc(check->arena, sizeof *name);
		name->name = steps[i].record.event;
		name->mesh = steps[i].mesh;
		name->next = check->events;
		check->events = name;
	}
}

/* If only steps of other meshes record the event, reports an error and returns true. The queues of
 * one mesh cannot wait for events of another mesh. */
static bool is_foreign(const struct check *check, const struct step *step, struct location where)
{
	const struct scenario *scenario = check->run->scenario;
	const char *mesh = scenario_mesh(scenario, step->mesh)->name;
	uint32_t other = 0;

	while (other < scenario_mesh_count(scenario) &&
		!is_recorded(check, other, step->wait.event))
		other++;
	if (other == scenario_mesh_count(scenario))
		return false;
	diag_error(check->diag, where,
		"event '%s' belongs to mesh '%s', and no other mesh can wait for it: have the host "
		"wait (host: true, mesh: %s) before it goes on with mesh '%s'",
		step->wait.event, scenario_mesh(scenario, other)->name,
		scenario_mesh(scenario, other)->name, mesh);
	return true;
}

void check_executors(const struct check *check, const struct tree_node *keys, const char *key,
	bool host, const char *why)
{
	if (platform_hosts(check->run->platform) == NULL)
		diag_error(check->diag, tree_where(keys, key),
			"%s: a machine of one host has no executors", key);
	else if (host)
		diag_error(check->diag, tree_where(keys, key), "%s", why);
}

/* Checks a step that waits for an event. If no step records the event, only warns, because the wait
 * is allowed although it never ends. */
void check_wait(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct nearest nearest;
	struct location where = step->wait.event_where.line ? step->wait.event_where : step->where;

	check_queue(check, keys, step, step->wait.queue);
	if (step->wait.executors)
		check_executors(check, keys, "executors", step->wait.host,
			"either the executors wait or the host does");
	if (is_recorded(check, step->mesh, step->wait.event) || is_foreign(check, step, where))
		return;
	nearest_start(&nearest, step->wait.event);
	for (struct event_name *event = check->events; event; event = event->next)
		if (event->mesh == step->mesh)
			nearest_offer(&nearest, event->name);
	diag_warning(check->diag, where,
		nearest.best ? "no step records event '%s', did you mean '%s'?"
			     : "no step records event '%s': the wait will not end",
		step->wait.event, nearest.best);
}

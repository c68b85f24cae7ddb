/* The virtual meshes of a run, and the threads that run their steps. Each mesh has a client. Meshes
 * are opened in the order of the scenario and closed in reverse order. */
#include <stdio.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "client_private.h"

/* Returns true if these steps of a loop are on several meshes. *mesh is the mesh of the steps so
 * far; STEP_ALL_MESHES: there were none. */
static bool are_of_several(const struct step *steps, uint32_t count, uint32_t *mesh)
{
	bool several = false;

	for (uint32_t i = 0; i < count && !several; i++) {
		const struct step *step = &steps[i];

		if (step->kind == STEP_REPEAT)
			several = are_of_several(step->repeat.steps, step->repeat.step_count, mesh);
		else
			several = step->mesh == STEP_ALL_MESHES ||
				  (*mesh != STEP_ALL_MESHES && *mesh != step->mesh);
		if (step->kind != STEP_REPEAT)
			*mesh = step->mesh;
	}
	return several;
}

/* Returns true if there are several meshes, and if each outermost loop is on one of them. */
static bool has_loops_of_meshes(const struct client *first)
{
	const struct scenario *scenario = first->plan->scenario;
	bool several = false;

	for (uint32_t i = 0; i < scenario->step_count && !several; i++) {
		const struct step *step = &scenario->steps[i];
		uint32_t mesh = STEP_ALL_MESHES;

		several = step->kind == STEP_REPEAT &&
			  are_of_several(step->repeat.steps, step->repeat.step_count, &mesh);
	}
	return client_count(first) > 1 && !several;
}

/* The calling thread now serves the client's mesh (struct op_cpu), if the loops of the meshes can
 * be told apart. */
static void enter_family(const struct client *client)
{
	if (has_loops_of_meshes(client->first))
		op_recorder_enter(client->recorder, 1 + client->number);
}

/* Opens the mesh if it is open from the beginning. Its threads are of its family. */
static bool open_mesh(struct client *client)
{
	const struct scenario *scenario = client->plan->scenario;
	const struct mesh_keys *mesh = scenario_mesh(scenario, client->number);

	enter_family(client);
	return !scenario_mesh_begins_open(scenario, client->number) ||
	       client_open(client,
		       mesh->name ? mesh->where
				  : tree_where(tree_root(client->plan->tree), "runtime"),
		       0);
}

static void make_others(struct client *first)
{
	first->first = first;
	first->thread = "main";
	first->arrival_ps = -1;
	first->leads = first->plan->scenario->runtime.host.clients == CLIENTS_ONE;
	first->others = allocate(client_count(first), sizeof *first->others);
	for (uint32_t i = 1; i < client_count(first); i++) {
		struct client *other = client_of_mesh(first, i);

		*other = (struct client){.plan = first->plan,
			.cluster = first->cluster,
			.system = first->system,
			.ground = first->ground,
			.recorder = first->recorder,
			.costs = first->costs,
			.limits = first->limits,
			.faults = first->faults,
			.diag = first->diag,
			.number = i,
			.first = first,
			.thread = first->thread,
			.arrival_ps = -1};
		text_init(&other->why);
	}
}

bool client_is_good(struct client *client, bool good)
{
	struct client *first = client->first;

	if (good || client == first)
		return good;
	first->outcome = client->outcome;
	text_append(&first->why, text_string(&client->why));
	return false;
}

bool client_for_meshes(struct client *first, bool (*work)(struct client *client))
{
	bool good = true;

	for (uint32_t i = 0; i < client_count(first) && good; i++) {
		struct client *client = client_of_mesh(first, i);

		good = client_is_good(client, work(client));
	}
	return good;
}

bool client_open_meshes(struct client *first)
{
	bool good;

	make_others(first);
	good = client_for_meshes(first, open_mesh);
	op_recorder_enter(first->recorder, 0);
	return good;
}

void client_close_meshes(struct client *first)
{
	for (uint32_t i = client_count(first); i-- > 0;) {
		struct client *client = client_of_mesh(first, i);

		if (client->device)
			client->device->ops->close(client->device);
		client->device = NULL;
	}
}

/* ---- threads ---- */

struct client_thread {
	struct client *client;
	bool (*work)(struct client *client);
	bool good;
	struct thread *thread;
	char name[MESH_NAME_BYTES + 16];
};

static void run_thread(void *argument)
{
	struct client_thread *thread = argument;

	enter_family(thread->client);
	thread->good = thread->work(thread->client);
}

bool client_run_threads(struct client *first, bool (*work)(struct client *client))
{
	struct client_thread threads[SCENARIO_MESHES_MAX] = {{.client = first}};
	uint32_t count = first->leads ? 1 : client_count(first);
	bool good;

	for (uint32_t i = 1; i < count; i++) {
		struct client_thread *thread = &threads[i];

		thread->client = client_of_mesh(first, i);
		thread->work = work;
		snprintf(thread->name, sizeof thread->name, "client %s",
			scenario_mesh(first->plan->scenario, i)->name);
		thread->client->thread = thread->name;
		thread->thread = world->spawn(thread->name,
			thread->client->device->ops->caller_place(thread->client->device),
			run_thread, thread);
	}
	if (count > 1)
		enter_family(first);
	good = work(first);
	op_recorder_enter(first->recorder, 0);
	for (uint32_t i = 1; i < count; i++) {
		world->join(threads[i].thread);
		good &= client_is_good(threads[i].client, threads[i].good);
		threads[i].client->thread = first->thread;
	}
	return good;
}

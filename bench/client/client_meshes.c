/* The virtual meshes of a run, and the threads that run their steps. Each mesh has a client. Meshes
 * are opened in the order of the scenario and closed in reverse order. */
#include <stdio.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "client_private.h"

/* Opens the mesh if it is open from the beginning. */
static bool open_mesh(struct client *client)
{
	const struct scenario *scenario = client->plan->scenario;
	const struct mesh_keys *mesh = scenario_mesh(scenario, client->number);

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
	make_others(first);
	return client_for_meshes(first, open_mesh);
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
	good = work(first);
	for (uint32_t i = 1; i < count; i++) {
		world->join(threads[i].thread);
		good &= client_is_good(threads[i].client, threads[i].good);
		threads[i].client->thread = first->thread;
	}
	return good;
}

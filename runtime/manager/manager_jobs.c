/* Jobs: finds chips for them, keeps them, tells them to launchers, and releases them. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "manager_private.h"
#include "topology/bindings.h"

/* ---- the list of jobs ---- */

static uint32_t job_slot(const struct manager *manager, const char *name)
{
	uint32_t low = 0, high = manager->job_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(manager->jobs[middle]->job, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct manager_job *manager_job_find(const struct manager *manager, const char *name)
{
	uint32_t slot = job_slot(manager, name);
	bool is_there = slot < manager->job_count && strcmp(manager->jobs[slot]->job, name) == 0;

	return is_there ? manager->jobs[slot] : NULL;
}

void manager_job_add(struct manager *manager, struct manager_job *job)
{
	uint32_t slot = job_slot(manager, job->job);

	if (manager->job_count == manager->job_capacity) {
		manager->job_capacity = manager->job_capacity ? 2 * manager->job_capacity : 16;
		manager->jobs =
			allocate_more(manager->jobs, manager->job_capacity, sizeof *manager->jobs);
	}
	memmove(&manager->jobs[slot + 1], &manager->jobs[slot],
		(manager->job_count - slot) * sizeof *manager->jobs);
	manager->jobs[slot] = job;
	manager->job_count++;
}

void manager_job_drop(struct manager *manager, struct manager_job *job)
{
	uint32_t slot = job_slot(manager, job->job);

	manager->job_count--;
	memmove(&manager->jobs[slot], &manager->jobs[slot + 1],
		(manager->job_count - slot) * sizeof *manager->jobs);
	manager_job_free(job);
}

/* ---- placing ---- */

bool manager_placing_init(struct manager_placing *placing, const struct manager *manager,
	const struct machine *machine, const struct manager_request *request, struct text *why)
{
	struct place_options options = {.relaxed = request->relaxed,
		.any_host = request->any_host,
		.split_boards = request->split_boards,
		.budget = manager->options.budget};

	*placing = (struct manager_placing){.diag = diag_new()};
	placing->graph = mesh_graph_read(tree_read_text_format("descriptor", request->mgd,
						 strlen(request->mgd), placing->diag),
		false, placing->diag);
	if (placing->graph)
		placing->logical = logical_new(placing->graph, placing->diag);
	if (!placing->logical) {
		manager_errors(placing->diag, why);
		return false;
	}
	options.pins = place_pins_of(placing->logical, &placing->arena);
	options.pin_count = placing->logical->pin_count;
	if (manager->groupings)
		groupings_sets(
			manager->groupings, machine, 1, &options, &placing->arena, placing->diag);
	placing->placement = topology_place(placing->logical, machine, &options);
	return true;
}

void manager_placing_fini(struct manager_placing *placing)
{
	mesh_placement_free(placing->placement);
	logical_free(placing->logical);
	mesh_graph_free(placing->graph);
	arena_fini(&placing->arena);
	diag_free(placing->diag);
}

/* Returns the cables between the chips of a placement, each once. */
static const struct manager_channel *cables_of(const struct machine *machine, const uint32_t *image,
	uint32_t device_count, struct arena *arena, uint32_t *count)
{
	bool *used = arena_array(arena, machine->chip_count + 1, sizeof *used);
	struct manager_channel *cables;
	uint32_t room = 0;

	memset(used, 0, machine->chip_count + 1);
	for (uint32_t i = 0; i < device_count; i++)
		used[image[i]] = true;
	for (uint32_t i = 0; i < machine->link_count; i++)
		room += machine->links[i].channels;
	cables = arena_array(arena, room + 1, sizeof *cables);
	*count = 0;
	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];

		for (uint32_t c = 0; used[link->a] && used[link->b] && c < link->channels; c++)
			cables[(*count)++] = (struct manager_channel){
				.chip = machine->chips[link->a].id,
				.channel = machine->cables[link->first_cable + c].channel_a,
				.to = machine->chips[link->b].id,
				.to_channel = machine->cables[link->first_cable + c].channel_b};
	}
	return cables;
}

static const char *manager_devices_of(const struct manager_placing *placing,
	const struct machine *machine, uint32_t rank, struct arena *arena)
{
	uint32_t *devices = arena_array(arena, machine->chip_count + 1, sizeof *devices);
	uint32_t count =
		rank_devices(placing->logical, machine, placing->placement->image, rank, devices);
	struct text text = {0};
	const char *copy;

	for (uint32_t i = 0; i < count; i++)
		text_printf(&text, "%s%u", i ? "," : "", devices[i]);
	copy = arena_string(arena, text_string(&text));
	text_fini(&text);
	return copy;
}

/* Makes the job of a placement that was found. */
static struct manager_job *job_of(const struct manager_placing *placing,
	const struct machine *machine, const struct manager_request *request, uint32_t user)
{
	const struct logical *logical = placing->logical;
	const uint32_t *image = placing->placement->image;
	struct manager_job *job = allocate(1, sizeof *job);
	struct arena *arena = &job->arena;
	uint64_t *chips = arena_array(arena, logical->device_count, sizeof *chips);
	const char **hosts = arena_array(arena, logical->rank_count, sizeof *hosts);
	const char **devices = arena_array(arena, logical->rank_count, sizeof *devices);
	struct text text = {0};

	for (uint32_t i = 0; i < logical->device_count; i++)
		chips[i] = machine->chips[image[i]].id;
	for (uint32_t r = 0; r < logical->rank_count; r++) {
		uint32_t chip = rank_chip(logical, image, r);

		hosts[r] = arena_string(arena, machine->hosts[machine->chips[chip].host].name);
		devices[r] = manager_devices_of(placing, machine, r, arena);
	}
	job->job = arena_string(arena, request->job);
	job->mgd = arena_string(arena, request->mgd);
	job->owner = user;
	job->relaxed = request->relaxed;
	job->any_host = request->any_host;
	job->split_boards = request->split_boards;
	job->chips = chips;
	job->chip_count = logical->device_count;
	job->cables = cables_of(machine, image, logical->device_count, arena, &job->cable_count);
	job->hosts = hosts;
	job->devices = devices;
	job->host_count = job->device_count = logical->rank_count;
	bindings_write(logical, machine, image, "mesh_graph_descriptor.textproto", &text);
	job->bindings = arena_string(arena, text_string(&text));
	text_clear(&text);
	rankfile_write(logical, machine, image, &text);
	job->rankfile = arena_string(arena, text_string(&text));
	text_fini(&text);
	return job;
}

static bool is_same_request(
	const struct manager_job *job, uint32_t user, const struct manager_request *request)
{
	return job->owner == user && strcmp(job->mgd, request->mgd) == 0 &&
	       job->relaxed == request->relaxed && job->any_host == request->any_host &&
	       job->split_boards == request->split_boards;
}

static void place_new(struct manager *manager, uint32_t user, const struct manager_request *request,
	int64_t now_ns, struct json *json)
{
	struct machine *machine = manager_machine(manager, now_ns, NULL, false);
	struct manager_placing placing;
	struct text text = {0};

	if (!manager_placing_init(&placing, manager, machine, request, &text)) {
		manager_say(json, "invalid", text_string(&text));
	} else if (placing.placement->verdict != SOLVE_FOUND) {
		manager_say(json, "no-room", text_string(&placing.placement->why));
	} else {
		struct manager_job *job = job_of(&placing, machine, request, user);

		manager_job_write(job, &text);
		if (store_put(manager->options.store, STORE_JOBS, job->job, text_string(&text),
			    text.length) == STATUS_OK) {
			manager_job_add(manager, job);
			manager_say(json, "ok", NULL);
			manager_job_members(job, json);
		} else {
			manager_job_free(job);
			manager_say(json, "failed", "the job could not be stored");
		}
	}
	manager_placing_fini(&placing);
	machine_free(machine);
	text_fini(&text);
}

void manager_place(struct manager *manager, uint32_t user, const struct manager_request *request,
	int64_t now_ns, struct json *json)
{
	const struct manager_job *job = manager_job_find(manager, request->job);

	if (job && is_same_request(job, user, request)) {
		manager_say(json, "ok", NULL);
		manager_job_members(job, json);
	} else if (job) {
		manager->refused++;
		manager_say(json, "refused", "there is another job of this name");
	} else if (manager->job_count == MANAGER_JOBS_MAX) {
		manager_say(json, "no-room", "there are too many jobs");
	} else {
		place_new(manager, user, request, now_ns, json);
	}
}

static bool may_touch(const struct manager *manager, const struct manager_job *job, uint32_t user)
{
	return user == 0 || user == manager->options.admin || user == job->owner;
}

void manager_release(struct manager *manager, uint32_t user, const struct manager_request *request,
	struct json *json)
{
	struct manager_job *job = manager_job_find(manager, request->job);

	if (!job) {
		manager_say(json, "unknown", "there is no job of this name");
	} else if (!may_touch(manager, job, user)) {
		manager->refused++;
		manager_say(json, "refused", "the job is somebody else's");
	} else if (store_remove(manager->options.store, STORE_JOBS, job->job) != STATUS_OK) {
		manager_say(json, "failed", "the release could not be stored");
	} else {
		manager_job_drop(manager, job);
		manager_say(json, "ok", NULL);
	}
}

void manager_tell_job(struct manager *manager, uint32_t user, const struct manager_request *request,
	int64_t now_ns, struct json *json)
{
	const struct manager_job *job = manager_job_find(manager, request->job);

	if (!job) {
		manager_say(json, "unknown", "there is no job of this name");
	} else if (!may_touch(manager, job, user)) {
		manager->refused++;
		manager_say(json, "refused", "the job is somebody else's");
	} else {
		manager_say(json, "ok", NULL);
		manager_job_members(job, json);
		manager_notices(manager, job, now_ns, json);
	}
}

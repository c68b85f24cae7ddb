/* Advice on fragmentation: would a job fit, and if not, which running job would have to move? */
#include "manager_private.h"

/* Returns true if a descriptor fits on a machine. */
static bool advise_fits(const struct manager *manager, const struct machine *machine,
	const struct manager_request *request)
{
	struct manager_placing placing;
	struct text why = {0};
	bool good = manager_placing_init(&placing, manager, machine, request, &why) &&
		    placing.placement->verdict == SOLVE_FOUND;

	manager_placing_fini(&placing);
	text_fini(&why);
	return good;
}

/* Returns the machine that is left when the request has taken its chips from `machine`; NULL if it
 * does not fit. */
static struct machine *without_request(const struct manager *manager, struct machine *machine,
	const struct manager_request *request)
{
	struct manager_placing placing;
	struct text why = {0};
	struct machine *left = NULL;

	if (manager_placing_init(&placing, manager, machine, request, &why) &&
		placing.placement->verdict == SOLVE_FOUND) {
		left = machine_new();
		for (uint32_t i = 0; i < machine->chip_count; i++) {
			struct machine_chip chip = machine->chips[i];
			bool taken = false;

			for (uint32_t d = 0; d < placing.logical->device_count; d++)
				taken |= placing.placement->image[d] == i;
			chip.host = machine_host(left, machine->hosts[chip.host].name);
			if (!taken)
				(void)machine_add_chip(left, chip);
		}
		left->board_count = machine->board_count;
		for (uint32_t i = 0; i < machine->link_count; i++) {
			const struct machine_link *link = &machine->links[i];
			uint32_t a = machine_find(left, machine->chips[link->a].id);
			uint32_t b = machine_find(left, machine->chips[link->b].id);

			for (uint32_t c = 0;
				a != MACHINE_NONE && b != MACHINE_NONE && c < link->channels; c++)
				(void)machine_add_channel(left, a,
					machine->cables[link->first_cable + c].channel_a, b,
					machine->cables[link->first_cable + c].channel_b);
		}
		machine_finish(left);
	}
	manager_placing_fini(&placing);
	text_fini(&why);
	return left;
}

/* Returns true if the request fits once `job` has moved, and `job` then fits elsewhere. */
static bool moving_helps(const struct manager *manager, const struct manager_job *job,
	const struct manager_request *request, int64_t now_ns)
{
	const struct manager_request again = {.mgd = job->mgd,
		.relaxed = job->relaxed,
		.any_host = job->any_host,
		.split_boards = job->split_boards};
	struct machine *machine = manager_machine(manager, now_ns, job, false);
	struct machine *left = without_request(manager, machine, request);
	bool helps = left && advise_fits(manager, left, &again);

	machine_free(machine);
	machine_free(left);
	return helps;
}

void manager_advise(struct manager *manager, const struct manager_request *request, int64_t now_ns,
	struct json *json)
{
	struct machine *now = manager_machine(manager, now_ns, NULL, false);
	struct machine *empty = manager_machine(manager, now_ns, NULL, true);
	struct manager_placing placing;
	struct text why = {0};

	if (!manager_placing_init(&placing, manager, now, request, &why)) {
		manager_say(json, "invalid", text_string(&why));
	} else {
		const bool found = placing.placement->verdict == SOLVE_FOUND;

		manager_say(json, "ok", NULL);
		json_bool_of(json, "fits", found);
		json_bool_of(json, "fits_empty", found || advise_fits(manager, empty, request));
		json_text(json, "reasons", text_string(&placing.placement->why));
		json_array_of(json, "move");
		for (uint32_t j = 0; !found && j < manager->job_count; j++)
			if (moving_helps(manager, manager->jobs[j], request, now_ns))
				json_string(json, manager->jobs[j]->job);
		json_array_end(json);
	}
	manager_placing_fini(&placing);
	machine_free(now);
	machine_free(empty);
	text_fini(&why);
}

/* The fabric manager's entry: reads a request, checks who may send it, and has it answered
 * (manager/manager.h). */
#include "manager_private.h"

#include <stdlib.h>

#include "base/allocate.h"

struct loading {
	struct manager *manager;
	struct diag *diag;
};

static void load_job(void *context, const char *name, const char *document, size_t length)
{
	const struct loading *loading = context;
	struct manager_job *job = manager_job_read(document, length, loading->diag);

	(void)name;
	if (job)
		manager_job_add(loading->manager, job);
}

static void load_host(void *context, const char *name, const char *document, size_t length)
{
	const struct loading *loading = context;
	struct manager_request *report = manager_request_read(document, length, loading->diag);

	(void)name;
	if (report)
		manager_keep_report(loading->manager, report);
}

struct manager *manager_new(const struct manager_options *options, struct diag *diag)
{
	struct manager *manager = allocate(1, sizeof *manager);
	struct loading loading = {manager, diag};

	manager->options = *options;
	if (options->groupings)
		manager->groupings = groupings_read_file(options->groupings, false, diag);
	if (store_each(options->store, STORE_HOSTS, load_host, &loading) != STATUS_OK ||
		store_each(options->store, STORE_JOBS, load_job, &loading) != STATUS_OK)
		diag_error(diag, (struct location){0}, "cannot read the store");
	if (diag_errors(diag) == 0)
		return manager;
	manager_free(manager);
	return NULL;
}

void manager_free(struct manager *manager)
{
	if (!manager)
		return;
	for (uint32_t i = 0; i < manager->host_count; i++)
		manager_request_free(manager->hosts[i].report);
	for (uint32_t i = 0; i < manager->job_count; i++)
		manager_job_free(manager->jobs[i]);
	free(manager->hosts);
	free(manager->jobs);
	groupings_free(manager->groupings);
	free(manager);
}

/* ---- status ---- */

static void manager_status(const struct manager *manager, int64_t now_ns, struct json *json)
{
	struct machine *all = manager_machine(manager, now_ns, NULL, true);
	struct machine *free_chips = manager_machine(manager, now_ns, NULL, false);

	manager_say(json, "ok", NULL);
	json_unsigned_of(json, "chips", all->chip_count);
	json_unsigned_of(json, "free_chips", free_chips->chip_count);
	json_unsigned_of(json, "refused", manager->refused);
	manager_hosts_members(manager, now_ns, json);
	json_array_of(json, "jobs");
	for (uint32_t i = 0; i < manager->job_count; i++) {
		const struct manager_job *job = manager->jobs[i];

		json_object(json);
		json_text(json, "job", job->job);
		json_unsigned_of(json, "owner", job->owner);
		json_unsigned_of(json, "chips", job->chip_count);
		manager_notices(manager, job, now_ns, json);
		json_object_end(json);
	}
	json_array_end(json);
	machine_free(all);
	machine_free(free_chips);
}

/* ---- requests ---- */

static bool is_admin(const struct manager *manager, uint32_t user)
{
	return user == 0 || user == manager->options.admin;
}

/* Answers a request that was read. Takes ownership of it. */
static void manager_handle(struct manager *manager, uint32_t user, struct manager_request *request,
	int64_t now_ns, const char *bytes, size_t length, struct json *json)
{
	switch (request->kind) {
	case MANAGER_REPORT:
		if (is_admin(manager, user)) {
			manager_take_report(manager, request, now_ns, bytes, length, json);
			return;
		}
		manager->refused++;
		manager_say(json, "refused", "only administrators report");
		break;
	case MANAGER_PLACE:
		if (request->owner >= 0 && request->owner != user && !is_admin(manager, user)) {
			manager->refused++;
			manager_say(json, "refused", "only administrators name another owner");
			break;
		}
		manager_place(manager, request->owner >= 0 ? (uint32_t)request->owner : user,
			request, now_ns, json);
		break;
	case MANAGER_RELEASE:
		manager_release(manager, user, request, json);
		break;
	case MANAGER_JOB:
		manager_tell_job(manager, user, request, now_ns, json);
		break;
	case MANAGER_ADVISE:
		manager_advise(manager, request, now_ns, json);
		break;
	default:
		manager_status(manager, now_ns, json);
	}
	manager_request_free(request);
}

/* Says why a request could not be read. */
static void say_errors(struct manager *manager, struct diag *diag, struct json *json)
{
	struct text why = {0};

	manager->refused++;
	manager_errors(diag, &why);
	manager_say(json, "invalid", text_string(&why));
	text_fini(&why);
}

void manager_answer(struct manager *manager, const struct manager_sender *sender, int64_t now_ns,
	const char *bytes, size_t length, struct text *reply)
{
	struct diag *diag = diag_new();
	struct manager_request *request = manager_request_read(bytes, length, diag);
	struct json json;

	json_start(&json, reply);
	json.flat_from = 2;
	json_object(&json);
	json_unsigned_of(&json, "version", MANAGER_VERSION);
	if (request)
		manager_handle(manager, sender->user, request, now_ns, bytes, length, &json);
	else
		say_errors(manager, diag, &json);
	json_object_end(&json);
	json_end(&json);
	diag_free(diag);
}

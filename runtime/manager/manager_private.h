/* The state of a fabric manager, and what its files share. Only for files of this folder. */
#ifndef MANAGER_PRIVATE_H
#define MANAGER_PRIVATE_H

#include "base/json.h"
#include "manager/manager.h"
#include "manager/request.h"
#include "topology/groupings.h"
#include "topology/machine.h"
#include "topology/place.h"

struct manager_host {
	struct manager_request *report; /* the last one */
	bool heard;			/* since this manager started */
	int64_t heard_ns;
};

struct manager {
	struct manager_options options;
	struct groupings *groupings;
	struct manager_host *hosts; /* by name */
	uint32_t host_count, host_capacity;
	struct manager_job **jobs; /* by name */
	uint32_t job_count, job_capacity;
	uint64_t refused; /* requests */
};

/* manager_hosts.c */

/* Begins the answer with a status. `why` is NULL for `ok`. */
void manager_say(struct json *json, const char *status, const char *why);

/* Appends the errors of a diag, as they would be printed. */
void manager_errors(const struct diag *diag, struct text *why);

bool manager_host_is_fresh(
	const struct manager *manager, const struct manager_host *host, int64_t now_ns);

/* Takes a report, and answers it. */
void manager_take_report(struct manager *manager, struct manager_request *report, int64_t now_ns,
	const char *bytes, size_t length, struct json *json);

/* Adds the host of a report, or replaces its last report. */
struct manager_host *manager_keep_report(struct manager *manager, struct manager_request *report);

/* Returns the machine that new jobs can have: good chips of fresh hosts that belong to no job, and
 * the channels that both ends report as good. Chips of the job `without` are left in, if it is not
 * NULL; with `all`, chips of all jobs. */
struct machine *manager_machine(
	const struct manager *manager, int64_t now_ns, const struct manager_job *without, bool all);

/* Writes what is wrong with a job's chips and channels now, as an array of sentences. */
void manager_notices(const struct manager *manager, const struct manager_job *job, int64_t now_ns,
	struct json *json);

/* Writes all hosts. */
void manager_hosts_members(const struct manager *manager, int64_t now_ns, struct json *json);

/* manager_jobs.c */

struct manager_job *manager_job_find(const struct manager *manager, const char *name);
void manager_job_add(struct manager *manager, struct manager_job *job);
void manager_job_drop(struct manager *manager, struct manager_job *job);

void manager_place(struct manager *manager, uint32_t user, const struct manager_request *request,
	int64_t now_ns, struct json *json);
void manager_release(struct manager *manager, uint32_t user, const struct manager_request *request,
	struct json *json);
void manager_tell_job(struct manager *manager, uint32_t user, const struct manager_request *request,
	int64_t now_ns, struct json *json);

/* Says if a job would fit; if not, if it would fit on an empty machine, and after which job has
 * moved. */
void manager_advise(struct manager *manager, const struct manager_request *request, int64_t now_ns,
	struct json *json);

/* A descriptor and its placement on a machine. */
struct manager_placing {
	struct diag *diag;
	struct mesh_graph *graph;
	struct logical *logical;
	struct mesh_placement *placement; /* NULL if the descriptor has errors */
	struct arena arena;
};

/* Reads the descriptor of a request and places it. Returns false, with the errors in `why`, if it
 * has some. The caller calls manager_placing_fini() in both cases. */
bool manager_placing_init(struct manager_placing *placing, const struct manager *manager,
	const struct machine *machine, const struct manager_request *request, struct text *why);
void manager_placing_fini(struct manager_placing *placing);

#endif

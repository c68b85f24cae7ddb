/* The fabric manager (initialization specification 5.4, 6.4): it knows the chips and channels that
 * agents report, places jobs on them, and tells what happens to a job's chips. It is a state
 * machine without clock, threads or sockets: each request comes with its sender and the time, so
 * the same code serves both worlds.
 *
 * It promises:
 * - No chip belongs to two jobs, and a job keeps its chips until it is released.
 * - A job is only placed on chips that an agent has reported as good within `stale_ns`, and on
 *   channels that the agents at both ends report. So an agent that lies can spoil only its own
 * host.
 * - A placement is stored before it is told. Asking again for the same job gives the same answer.
 * - Only the owner of a job, or an administrator, releases it. Only administrators report. */
#ifndef MANAGER_MANAGER_H
#define MANAGER_MANAGER_H

#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"
#include "manager/store.h"

struct manager; /* opaque */

struct manager_options {
	const char *groupings; /* path of a file of physical groupings, or NULL */
	int64_t stale_ns;      /* a host that is silent for longer gets no new jobs */
	uint64_t budget;       /* steps of a search for a placement; 0: the mapper's default */
	uint32_t admin;	       /* user id of the manager and its agents; root is one, too */
	struct store *store;   /* NULL: nothing survives the manager */
};

/* Who sends a request, as his credential says. */
struct manager_sender {
	uint32_t user;
};

/* Makes a manager with the jobs and hosts of its store. Hosts of the store count as silent until
 * they report again. Returns NULL after errors, which are reported to `diag`. `options->store` must
 * outlive the manager. */
struct manager *manager_new(const struct manager_options *options, struct diag *diag);

/* Frees a manager. NULL is allowed. */
void manager_free(struct manager *manager);

/* Answers a request: appends a JSON object to `reply`. It has `status`: `ok`; `refused`, if the
 * sender may not do this; `invalid`, if the request is none; `no-room`, if no placement was found;
 * `unknown`, if there is no such job; `failed`, if the store failed. All but `ok` have `why`. */
void manager_answer(struct manager *manager, const struct manager_sender *sender, int64_t now_ns,
	const char *request, size_t length, struct text *reply);

#endif

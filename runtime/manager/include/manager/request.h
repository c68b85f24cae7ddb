/* Requests to the fabric manager, and the jobs that it keeps. Both are JSON documents, so that they
 * can be read by people and bounded by a schema. Follows initialization specification 5.4 and 6.4:
 * agents report what they discover, a scheduler asks for a placement, a launcher gets bindings. */
#ifndef MANAGER_REQUEST_H
#define MANAGER_REQUEST_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"

enum {
	MANAGER_VERSION = 1,
	/* what fits in a credential of munge, whose messages have at most 1 MiB in base 64 */
	MANAGER_BYTES_MAX = 512 << 10,
	MANAGER_NAME_BYTES = 64, /* of a host, job or session, with the NUL */
	MANAGER_JOBS_MAX = 4096,
	MANAGER_HOSTS_MAX = 4096,
	MANAGER_HOST_CHIPS_MAX = 64,
	MANAGER_HOST_CHANNELS_MAX = 4096,
};

enum manager_kind {
	MANAGER_REPORT,	 /* an agent: the chips and channels of its host */
	MANAGER_PLACE,	 /* a scheduler: chips for a job */
	MANAGER_RELEASE, /* a scheduler: the job is over */
	MANAGER_JOB,	 /* a launcher: bindings of a job, and what has happened to its chips */
	MANAGER_STATUS,	 /* anybody: hosts and jobs */
	MANAGER_ADVISE,	 /* anybody: would this job fit, and what would have to move? */
	MANAGER_KINDS
};

/* A chip of a host. */
struct manager_chip {
	uint64_t id;
	uint32_t tray, location, device;
	bool pcie, paired; /* paired: the chips of its tray are used together (machine.h) */
	bool bad;
};

/* A channel with a cable, as the chip at one end sees it. */
struct manager_channel {
	uint64_t chip, to;
	uint32_t channel, to_channel;
	bool bad;
};

struct manager_request {
	uint32_t version;
	uint32_t kind; /* enum manager_kind */
	/* a report: the agent's host, a number that the agent drew when it started, and the number
	 * of the report, which grows */
	const char *host, *session;
	uint64_t sequence;
	const struct manager_chip *chips;
	uint32_t chip_count;
	const struct manager_channel *channels;
	uint32_t channel_count;
	/* all others */
	const char *job, *mgd; /* mgd: text of a mesh graph descriptor */
	bool relaxed, any_host, split_boards;
	int64_t owner; /* user id of the job's owner, whom an administrator may name; -1: the
			* sender */
	struct arena arena;
};

/* Reads a request. Returns NULL after errors, which are reported to `diag`: no JSON, another
 * version, unknown or missing members, too many chips. */
struct manager_request *manager_request_read(const char *bytes, size_t length, struct diag *diag);
void manager_request_free(struct manager_request *request);

/* Appends a request as JSON. Writes only members of its kind. */
void manager_request_write(const struct manager_request *request, struct text *out);

/* A job: the chips that it has, and the files that its launch needs. */
struct manager_job {
	const char *job, *mgd;
	uint32_t owner; /* user id */
	bool relaxed, any_host, split_boards;
	const uint64_t *chips; /* [device of the descriptor] */
	uint32_t chip_count;
	const struct manager_channel *cables; /* those between its chips, once each */
	uint32_t cable_count;
	const char *const *hosts; /* [rank] */
	uint32_t host_count;
	const char *const *devices; /* [rank] TT_VISIBLE_DEVICES */
	uint32_t device_count;
	const char *bindings, *rankfile; /* texts of the files */
	struct arena arena;
};

struct manager_job *manager_job_read(const char *bytes, size_t length, struct diag *diag);
void manager_job_free(struct manager_job *job);

/* Writes a job as members of the object that is open. */
void manager_job_members(const struct manager_job *job, struct json *json);
void manager_job_write(const struct manager_job *job, struct text *out);

#endif

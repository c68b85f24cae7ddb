/* A cluster in miniature for tests of the fabric manager: a line of hosts, each with a ring of four
 * chips; chip 3 of a host leads to chip 0 of the next. The functions send requests and check the
 * status of replies; a wrong one fails the test. */
#ifndef TEST_MANAGER_SITE_H
#define TEST_MANAGER_SITE_H

#include "base/tree.h"
#include "manager/manager.h"
#include "manager/request.h"

enum { HOSTS = 4, CHIPS = 4, STALE_NS = 1000, ADMIN = 7, USER = 1000, OTHER = 1001 };

struct site {
	struct manager *manager;
	struct store *store;
	int64_t now_ns;
	uint64_t sequence[HOSTS];
	uint32_t session[HOSTS];
	bool bad[HOSTS][CHIPS];
	bool cut[HOSTS]; /* cut[h]: host h does not see its cable to host h + 1 */
};

uint64_t site_chip(uint32_t host, uint32_t chip);

/* Starts a manager, with the store at `path`, or without one if it is NULL. */
void site_open(struct site *site, const char *path);
void site_close(struct site *site);

/* Sends a request as a user, and returns the reply, which the caller frees. */
struct tree *site_ask(struct site *site, uint32_t user, const struct manager_request *request);

/* Returns the text at a path of a reply, or "". */
const char *site_text(const struct tree *tree, const char *path);

/* Sends a request; checks the status of the reply and, if `why` is not NULL, that its reason has
 * these words. */
void site_expect(struct site *site, uint32_t user, const struct manager_request *request,
	const char *status, const char *why);

/* Makes the next report of a host, as its agent would. */
struct manager_request site_report_of(struct site *site, uint32_t host,
	struct manager_chip chips[CHIPS], struct manager_channel channels[2 * CHIPS + 2],
	char names[2][16]);
void site_report(struct site *site, uint32_t host, const char *status, const char *why);
void site_report_all(struct site *site);

/* Descriptors of one mesh: 1 x 4 on one host, 1 x 8 on two. */
extern const char site_line_of_four[], site_line_of_eight[];

struct manager_request site_place_of(const char *job, const char *mgd);
void site_place(struct site *site, const char *job, const char *mgd, const char *status);
void site_release(struct site *site, uint32_t user, const char *job, const char *status);

#endif

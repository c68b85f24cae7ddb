/* A cluster in miniature for tests of the fabric manager (manager_site.h). */
#include "manager_site.h"

#include <stdio.h>
#include <string.h>

#include "json_tree.h"
#include "test.h"

uint64_t site_chip(uint32_t host, uint32_t chip)
{
	return 1000 + 10 * host + chip;
}

void site_open(struct site *site, const char *path)
{
	struct diag *diag = diag_new();
	struct manager_options options = {.stale_ns = STALE_NS, .admin = ADMIN};
	struct text why = {0};

	if (path && store_open(path, &site->store, &why) != STATUS_OK)
		fail_msg("no store: %s", text_string(&why));
	options.store = site->store;
	site->manager = manager_new(&options, diag);
	assert_non_null(site->manager);
	diag_free(diag);
	text_fini(&why);
}

void site_close(struct site *site)
{
	manager_free(site->manager);
	store_close(site->store);
	site->manager = NULL;
	site->store = NULL;
}

/* Sends a request as a user, and returns the reply. */
struct tree *site_ask(struct site *site, uint32_t user, const struct manager_request *request)
{
	const struct manager_sender sender = {user};
	struct text message = {0}, reply = {0};
	char *copy;

	manager_request_write(request, &message);
	manager_answer(site->manager, &sender, site->now_ns, text_string(&message), message.length,
		&reply);
	copy = strdup(text_string(&reply));
	text_fini(&message);
	text_fini(&reply);
	return json_tree(copy);
}

const char *site_text(const struct tree *tree, const char *path)
{
	const struct tree_node *node = tree_find(tree_root(tree), path);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

/* Sends a request and checks the status of the reply. */
void site_expect(struct site *site, uint32_t user, const struct manager_request *request,
	const char *status, const char *why)
{
	struct tree *reply = site_ask(site, user, request);

	assert_string_equal(site_text(reply, "status"), status);
	if (why && !strstr(site_text(reply, "why"), why))
		fail_msg("'%s' does not say '%s'", site_text(reply, "why"), why);
	tree_free(reply);
}

static uint32_t join(struct manager_channel *channels, uint32_t count, uint64_t a, uint32_t a_at,
	uint64_t b, uint32_t b_at)
{
	channels[count] =
		(struct manager_channel){.chip = a, .channel = a_at, .to = b, .to_channel = b_at};
	return count + 1;
}

/* The report of a host as its agent would make it. */
struct manager_request site_report_of(struct site *site, uint32_t host,
	struct manager_chip chips[CHIPS], struct manager_channel channels[2 * CHIPS + 2],
	char names[2][16])
{
	struct manager_request report = {.kind = MANAGER_REPORT,
		.host = names[0],
		.session = names[1],
		.sequence = ++site->sequence[host],
		.chips = chips,
		.chip_count = CHIPS,
		.channels = channels};
	uint32_t count = 0;

	snprintf(names[0], 16, "host%u", host);
	snprintf(names[1], 16, "s%u", site->session[host]);
	for (uint32_t i = 0; i < CHIPS; i++)
		chips[i] = (struct manager_chip){.id = site_chip(host, i),
			.tray = i + 1,
			.location = 0,
			.device = i,
			.pcie = true,
			.bad = site->bad[host][i]};
	for (uint32_t i = 0; i < CHIPS; i++) {
		uint32_t next = (i + 1) % CHIPS;

		count = join(channels, count, site_chip(host, i), 1, site_chip(host, next), 0);
		count = join(channels, count, site_chip(host, next), 0, site_chip(host, i), 1);
	}
	if (host + 1 < HOSTS && !site->cut[host])
		count = join(channels, count, site_chip(host, 3), 2, site_chip(host + 1, 0), 3);
	if (host > 0)
		count = join(channels, count, site_chip(host, 0), 3, site_chip(host - 1, 3), 2);
	report.channel_count = count;
	return report;
}

void site_report(struct site *site, uint32_t host, const char *status, const char *why)
{
	struct manager_chip chips[CHIPS];
	struct manager_channel channels[2 * CHIPS + 2];
	char names[2][16];
	const struct manager_request request = site_report_of(site, host, chips, channels, names);

	site_expect(site, ADMIN, &request, status, why);
}

void site_report_all(struct site *site)
{
	for (uint32_t h = 0; h < HOSTS; h++)
		site_report(site, h, "ok", NULL);
}

const char site_line_of_four[] =
	"mesh_descriptors { name: \"M\" arch: WORMHOLE_B0 "
	"device_topology { dims: [1, 4] dim_types: [LINE, LINE] } "
	"host_topology { dims: [1, 1] } channels { count: 1 policy: STRICT } } "
	"top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }";

const char site_line_of_eight[] =
	"mesh_descriptors { name: \"M\" arch: WORMHOLE_B0 "
	"device_topology { dims: [1, 8] dim_types: [LINE, LINE] } "
	"host_topology { dims: [1, 2] } channels { count: 1 policy: STRICT } } "
	"top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }";

struct manager_request site_place_of(const char *job, const char *mgd)
{
	return (struct manager_request){.kind = MANAGER_PLACE, .job = job, .mgd = mgd, .owner = -1};
}

void site_release(struct site *site, uint32_t user, const char *job, const char *status)
{
	const struct manager_request request = {.kind = MANAGER_RELEASE, .job = job};

	site_expect(site, user, &request, status, NULL);
}

void site_place(struct site *site, const char *job, const char *mgd, const char *status)
{
	const struct manager_request request = site_place_of(job, mgd);

	site_expect(site, USER, &request, status, NULL);
}

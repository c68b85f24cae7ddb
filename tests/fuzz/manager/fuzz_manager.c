/* label: full
 * Fuzzes requests to the fabric manager. Any bytes, of any user, give a reply that is JSON with a
 * status, and no chip ever belongs to two jobs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/tree.h"
#include "manager/manager.h"
#include "manager/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 2000, MANAGER_USER = 7, OTHER_USER = 8 };

/* Two hosts with two chips each, in a ring. */
static const char *const reports[] = {
	"{\"version\": 1, \"kind\": \"report\", \"host\": \"a\", \"session\": \"s\", \"sequence\": "
	"1,"
	" \"chips\": [{\"id\": 1, \"tray\": 1, \"location\": 0, \"device\": 0},"
	" {\"id\": 2, \"tray\": 2, \"location\": 0, \"device\": 1}],"
	" \"channels\": [{\"chip\": 1, \"channel\": 0, \"to\": 2, \"to_channel\": 1},"
	" {\"chip\": 2, \"channel\": 1, \"to\": 1, \"to_channel\": 0},"
	" {\"chip\": 2, \"channel\": 0, \"to\": 3, \"to_channel\": 1}]}",
	"{\"version\": 1, \"kind\": \"report\", \"host\": \"b\", \"session\": \"s\", \"sequence\": "
	"1,"
	" \"chips\": [{\"id\": 3, \"tray\": 1, \"location\": 0, \"device\": 0},"
	" {\"id\": 4, \"tray\": 2, \"location\": 0, \"device\": 1}],"
	" \"channels\": [{\"chip\": 3, \"channel\": 0, \"to\": 4, \"to_channel\": 1},"
	" {\"chip\": 4, \"channel\": 1, \"to\": 3, \"to_channel\": 0},"
	" {\"chip\": 3, \"channel\": 1, \"to\": 2, \"to_channel\": 0}]}",
	"{\"version\": 1, \"kind\": \"place\", \"job\": \"first\", \"mgd\": \"mesh_descriptors {"
	" name: 'M' arch: WORMHOLE_B0 device_topology { dims: [1, 2] }"
	" host_topology { dims: [1, 1] } channels { count: 1 } }"
	" top_level_instance { mesh { mesh_descriptor: 'M' mesh_id: 0 } }\"}",
};

/* Sends a request, and returns the reply, which must be JSON with a status. */
static struct tree *ask(struct manager *manager, uint32_t user, const char *request, size_t length)
{
	const struct manager_sender sender = {user};
	struct diag *diag = diag_new();
	struct text reply = {0};
	struct tree *tree;

	manager_answer(manager, &sender, 0, request, length, &reply);
	tree = tree_read_text("reply", text_string(&reply), reply.length, diag);
	ensure(tree && tree_find(tree_root(tree), "status"), "reply: %s", text_string(&reply));
	text_fini(&reply);
	diag_free(diag);
	return tree;
}

/* The status of the manager says how many chips are free; jobs have the others. */
static void check_chips(struct manager *manager)
{
	static const char status[] = "{\"version\": 1, \"kind\": \"status\"}";
	struct tree *reply = ask(manager, 0, status, strlen(status));
	const struct tree_node *jobs = tree_find(tree_root(reply), "jobs");
	int64_t chips = 0, free_chips = 0, taken = 0;

	(void)tree_integer(tree_find(tree_root(reply), "chips"), &chips);
	(void)tree_integer(tree_find(tree_root(reply), "free_chips"), &free_chips);
	for (uint32_t i = 0; i < jobs->count; i++) {
		int64_t count = 0;

		(void)tree_integer(tree_get(jobs->items[i], "chips"), &count);
		taken += count;
	}
	/* a report may have taken chips away that a job has */
	ensure(free_chips >= chips - taken && free_chips <= chips, "%lld of %lld are free",
		(long long)free_chips, (long long)chips);
	tree_free(reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct manager_options options = {
		.stale_ns = 1000, .budget = BUDGET, .admin = MANAGER_USER};
	struct diag *diag = diag_new();
	struct manager *manager = manager_new(&options, diag);
	char *copy = malloc(size + 1);

	ensure(copy && manager, "no memory");
	memcpy(copy, data, size);
	copy[size] = '\0';
	for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
		tree_free(ask(manager, MANAGER_USER, reports[i], strlen(reports[i])));
	for (uint32_t user = MANAGER_USER; user <= OTHER_USER; user++)
		tree_free(ask(manager, user, copy, size));
	check_chips(manager);
	free(copy);
	manager_free(manager);
	diag_free(diag);
	return 0;
}

/* The requests of `meshsim manager` that schedulers and launchers send: place, release, job, env,
 * status and advise. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/output.h"
#include "bench/tools/place/place_texts.h"
#include "manager_command.h"
#include "topology/bindings.h"

/* ---- asking ---- */

/* Asks about a job. With a descriptor, reads its file. Returns the reply, or NULL after a message.
 */
static struct tree *ask_about_job(const struct manager_command *command, enum manager_kind kind)
{
	struct manager_request request = {.kind = kind,
		.job = command->job,
		.relaxed = command->relaxed,
		.any_host = command->any_host,
		.split_boards = command->split_boards,
		.owner = command->owner.given ? (int64_t)command->owner.value : -1};
	struct diag *diag = diag_new();
	struct text mgd = {0};
	struct tree *reply = NULL;

	if (command->mgd && !file_read_or_say(command->mgd, MANAGER_BYTES_MAX / 2, &mgd, diag)) {
		diag_print(diag, stderr);
	} else {
		request.mgd = command->mgd ? text_string(&mgd) : NULL;
		reply = manager_command_ask(command, &request);
	}
	text_fini(&mgd);
	diag_free(diag);
	return reply;
}

/* Prints why the manager did not do it. Returns the exit code of a reply. */
static int ask_code(const struct manager_command *command, const struct tree *reply)
{
	const char *status = reply ? manager_reply_text(reply, "status") : "";

	if (strcmp(status, "ok") == 0)
		return EXIT_GOOD;
	if (reply && !command->json)
		fprintf(stderr, "meshsim manager: %s: %s\n", status,
			manager_reply_text(reply, "why"));
	return reply && strcmp(status, "invalid") != 0 ? EXIT_REFUSED : EXIT_BAD_INPUT;
}

static uint32_t reply_count(const struct tree *reply, const char *path)
{
	const struct tree_node *node = tree_find(tree_root(reply), path);

	return node && node->kind == TREE_SEQUENCE ? node->count : 0;
}

static const char *reply_item(const struct tree *reply, const char *list, uint32_t at)
{
	char path[TREE_PATH_BYTES_MAX];

	snprintf(path, sizeof path, "%s.%u", list, at);
	return manager_reply_text(reply, path);
}

static const char *reply_field(
	const struct tree *reply, const char *list, uint32_t at, const char *field)
{
	char path[TREE_PATH_BYTES_MAX];

	snprintf(path, sizeof path, "%s.%u.%s", list, at, field);
	return manager_reply_text(reply, path);
}

/* ---- jobs ---- */

static void print_notices(const struct tree *reply)
{
	for (uint32_t i = 0; i < reply_count(reply, "notices"); i++)
		printf("  %s\n", reply_item(reply, "notices", i));
}

static void manager_print_ranks(const struct tree *reply)
{
	printf("%s: %u chips\n\nrank  host                  TT_VISIBLE_DEVICES\n",
		manager_reply_text(reply, "job"), reply_count(reply, "chips"));
	for (uint32_t r = 0; r < reply_count(reply, "hosts"); r++)
		printf("%4u  %-20s  %s\n", r, reply_item(reply, "hosts", r),
			reply_item(reply, "devices", r));
	if (reply_count(reply, "notices") > 0)
		printf("\nsince it was placed:\n");
	print_notices(reply);
}

/* Prints a job's places, or writes its files. */
static int tell_places(const struct manager_command *command, struct tree *reply)
{
	int code = ask_code(command, reply);

	if (code == EXIT_GOOD && !command->json)
		manager_print_ranks(reply);
	if (code == EXIT_GOOD && command->output) {
		const struct place_texts texts = {.bindings = manager_reply_text(reply, "bindings"),
			.rankfile = manager_reply_text(reply, "rankfile"),
			.descriptor = manager_reply_text(reply, "mgd")};

		if (!place_write_texts(&texts, command->output))
			code = EXIT_BAD_INPUT;
	}
	tree_free(reply);
	return code;
}

int manager_command_place(const struct manager_command *command)
{
	return tell_places(command, ask_about_job(command, MANAGER_PLACE));
}

int manager_command_job(const struct manager_command *command)
{
	return tell_places(command, ask_about_job(command, MANAGER_JOB));
}

int manager_command_release(const struct manager_command *command)
{
	struct tree *reply = ask_about_job(command, MANAGER_RELEASE);
	int code = ask_code(command, reply);

	tree_free(reply);
	return code;
}

/* ---- the environment of a rank ---- */

/* Returns the rank that is task number `task` on a host; UINT32_MAX if the job has no such rank. */
static uint32_t rank_of_task(const struct tree *reply, const char *host, uint64_t task)
{
	for (uint32_t r = 0; r < reply_count(reply, "hosts"); r++)
		if (strcmp(reply_item(reply, "hosts", r), host) == 0 && task-- == 0)
			return r;
	return UINT32_MAX;
}

/* Prints the lines by which a shell sets a rank's environment. Returns false if the bindings do not
 * have the rank. */
static bool print_environment(const struct tree *reply, uint32_t rank)
{
	struct diag *diag = diag_new();
	const char *text = manager_reply_text(reply, "bindings");
	struct bindings *bindings =
		bindings_read(tree_read_text("bindings", text, strlen(text), diag), false, diag);
	bool found = false;

	for (uint32_t i = 0; bindings && i < bindings->count; i++) {
		const struct binding *binding = &bindings->bindings[i];

		if (binding->rank != rank)
			continue;
		found = true;
		printf("export MESHSIM_RANK=%u\nexport TT_MESH_ID=%u\n", rank, binding->mesh);
		printf("export TT_MESH_HOST_RANK=%lld\n", (long long)binding->mesh_host_rank);
		printf("export TT_VISIBLE_DEVICES=%s\n", reply_item(reply, "devices", rank));
	}
	bindings_free(bindings);
	diag_free(diag);
	return found;
}

int manager_command_env(const struct manager_command *command)
{
	struct tree *reply = ask_about_job(command, MANAGER_JOB);
	int code = ask_code(command, reply);
	char host[MANAGER_NAME_BYTES] = "";
	uint32_t rank;

	if (command->host)
		snprintf(host, sizeof host, "%s", command->host);
	else
		(void)gethostname(host, sizeof host - 1);
	if (code == EXIT_GOOD) {
		rank = rank_of_task(reply, host, command->task.value);
		if (rank == UINT32_MAX || !print_environment(reply, rank)) {
			fprintf(stderr,
				"meshsim manager: job '%s' has no rank for task %llu of host %s\n",
				command->job, (unsigned long long)command->task.value, host);
			code = EXIT_REFUSED;
		}
	}
	tree_free(reply);
	return code;
}

/* ---- the cluster ---- */

static void print_status(const struct tree *reply)
{
	printf("%s of %s chips are free\n\n", manager_reply_text(reply, "free_chips"),
		manager_reply_text(reply, "chips"));
	printf("host                  chips   bad  last report\n");
	for (uint32_t i = 0; i < reply_count(reply, "hosts"); i++) {
		const char *age = reply_field(reply, "hosts", i, "age_ms");
		bool silent = strcmp(reply_field(reply, "hosts", i, "silent"), "true") == 0;

		printf("%-20s  %5s  %4s  ", reply_field(reply, "hosts", i, "host"),
			reply_field(reply, "hosts", i, "chips"),
			reply_field(reply, "hosts", i, "bad_chips"));
		if (strcmp(age, "null") == 0)
			printf("before the manager started\n");
		else
			printf("%s ms ago%s\n", age, silent ? ": silent" : "");
	}
	printf("\njob                             owner  chips\n");
	for (uint32_t i = 0; i < reply_count(reply, "jobs"); i++) {
		char path[64];

		printf("%-30s  %5s  %5s\n", reply_field(reply, "jobs", i, "job"),
			reply_field(reply, "jobs", i, "owner"),
			reply_field(reply, "jobs", i, "chips"));
		snprintf(path, sizeof path, "jobs.%u.notices", i);
		for (uint32_t k = 0; k < reply_count(reply, path); k++)
			printf("  %s\n", reply_item(reply, path, k));
	}
}

int manager_command_status(const struct manager_command *command)
{
	const struct manager_request request = {.kind = MANAGER_STATUS, .owner = -1};
	struct tree *reply = manager_command_ask(command, &request);
	int code = ask_code(command, reply);

	if (code == EXIT_GOOD && !command->json)
		print_status(reply);
	tree_free(reply);
	return code;
}

int manager_command_advise(const struct manager_command *command)
{
	struct tree *reply = ask_about_job(command, MANAGER_ADVISE);
	int code = ask_code(command, reply);
	bool fits = reply && strcmp(manager_reply_text(reply, "fits"), "true") == 0;

	if (code == EXIT_GOOD && !command->json) {
		if (fits)
			printf("it fits\n");
		else if (strcmp(manager_reply_text(reply, "fits_empty"), "true") != 0)
			printf("it would not fit if all jobs were over:\n%s",
				manager_reply_text(reply, "reasons"));
		else if (reply_count(reply, "move") == 0)
			printf("it does not fit, and no single job that moves makes room\n");
		else
			printf("it does not fit now; it would if one of these jobs moved:\n");
		for (uint32_t i = 0; i < reply_count(reply, "move"); i++)
			printf("  %s\n", reply_item(reply, "move", i));
	}
	if (code == EXIT_GOOD && !fits)
		code = EXIT_REFUSED;
	tree_free(reply);
	return code;
}

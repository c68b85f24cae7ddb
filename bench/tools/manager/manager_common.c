/* What the verbs of `meshsim manager` share: settings, asking, and signals that end the process. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "manager_command.h"
#include "world/world.h"

enum { MANAGER_WAIT_S = 30, MANAGER_NS_PER_S = 1000000000 };

static volatile sig_atomic_t ends;

static void manager_command_end(int number)
{
	(void)number;
	ends = 1;
}

bool manager_command_ends(void)
{
	return ends != 0;
}

void manager_command_hear_signals(void)
{
	const struct sigaction action = {.sa_handler = manager_command_end};

	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
}

struct manager_service_settings manager_command_settings(const struct manager_command *command)
{
	return (struct manager_service_settings){
		.address = command->address ? command->address : "127.0.0.1:7411",
		.remote = command->remote,
		.credential = {.socket = command->socket},
		.admin = (uint32_t)geteuid()};
}

struct tree *manager_command_ask(
	const struct manager_command *command, const struct manager_request *request)
{
	const struct manager_service_settings settings = manager_command_settings(command);
	struct text reply = {0}, why = {0};
	struct diag *diag = diag_new();
	struct tree *tree = NULL;
	enum status status = manager_service_ask(&settings, request,
		world->now_ns() + (int64_t)MANAGER_WAIT_S * MANAGER_NS_PER_S, &reply, &why);

	if (status != STATUS_OK)
		fprintf(stderr, "meshsim manager: %s: %s\n", settings.address, text_string(&why));
	else
		tree = tree_read_text("reply", text_string(&reply), reply.length, diag);
	if (status == STATUS_OK && !tree)
		diag_print(diag, stderr);
	if (tree && command->json)
		fputs(text_string(&reply), stdout);
	text_fini(&reply);
	text_fini(&why);
	diag_free(diag);
	return tree;
}

const char *manager_reply_text(const struct tree *reply, const char *path)
{
	const struct tree_node *node = tree_find(tree_root(reply), path);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

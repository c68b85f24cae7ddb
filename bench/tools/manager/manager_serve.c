/* `meshsim manager serve`: the manager as a process that answers until it is asked to end. */
#include <stdio.h>

#include "base/output.h"
#include "manager_command.h"
#include "world/world.h"

enum { SERVE_STALE_S = 5, SERVE_LOOK_NS = 200000000, SERVE_BUDGET = 1000000 };

/* Answers requests until the process is asked to end. Prints a line for each one that is refused.
 */
static void manager_serve(struct manager_service *service)
{
	struct text log = {0};

	printf("listening at %s\n", manager_service_address(service));
	fflush(stdout);
	while (!manager_command_ends()) {
		(void)manager_service_next(service, world->now_ns() + SERVE_LOOK_NS, &log);
		if (log.length > 0) {
			fputs(text_string(&log), stderr);
			text_clear(&log);
		}
	}
	text_fini(&log);
}

int manager_command_serve(const struct manager_command *command)
{
	const struct manager_service_settings settings = manager_command_settings(command);
	const uint64_t stale_s =
		command->stale_s.given ? command->stale_s.value : (uint64_t)SERVE_STALE_S;
	struct manager_options options = {.groupings = command->groupings,
		.stale_ns = (int64_t)stale_s * 1000000000,
		.budget = command->budget.given ? command->budget.value : (uint64_t)SERVE_BUDGET,
		.admin = settings.admin};
	struct manager_service *service = NULL;
	struct manager *manager = NULL;
	struct diag *diag = diag_new();
	struct text why = {0};
	int code = EXIT_BAD_INPUT;

	manager_command_hear_signals();
	if (command->state && store_open(command->state, &options.store, &why) != STATUS_OK) {
		fprintf(stderr, "meshsim manager: %s: %s\n", command->state, text_string(&why));
		goto out;
	}
	manager = manager_new(&options, diag);
	diag_print(diag, stderr);
	if (!manager)
		goto out;
	if (manager_service_open(&settings, manager, &service, &why) != STATUS_OK) {
		fprintf(stderr, "meshsim manager: %s: %s\n", settings.address, text_string(&why));
		goto out;
	}
	manager_serve(service);
	code = EXIT_GOOD;
out:
	manager_service_close(service);
	manager_free(manager);
	store_close(options.store);
	diag_free(diag);
	text_fini(&why);
	return code;
}

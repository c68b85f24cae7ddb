/* The step `bring_up`: brings meshes on the platform's hosts up by a flow, as one operation. The
 * launcher is the client's thread, on the controller's host. */
#include "bench/bring_up/bring_up.h"
#include "bench/scenario/hosts.h"
#include "client_private.h"

/* A first dispatch that hangs is noticed after 5 s. */
enum { DISPATCH_S = 5, PATIENCE_S = 3600 };

static void bring_up_address(void *context, uint16_t host, const char *which, struct text *out)
{
	char name[PLATFORM_NAME_BYTES];

	(void)context;
	(void)which;
	text_printf(out, "%s:0", platform_server_name(host, name));
}

/* The operation of a step that runs. */
struct brought {
	struct client *client;
	const struct step *step;
	uint32_t operation;
};

static void bring_up_begins(void *context)
{
	struct brought *brought = context;

	brought->operation = client_start_operation(brought->client, brought->step, 0, 0);
	world->mark(brought->operation, MARK_CALLED, 0);
}

static void bring_up_ends(void *context)
{
	const struct brought *brought = context;

	world->mark(brought->operation, MARK_SEEN, 0);
	world->mark(brought->operation, MARK_RETURNED, 0);
}

static struct flow_job job_of_step(const struct client *client, const struct step *step,
	const struct bring_up_case *made, struct brought *brought)
{
	const int64_t second_ns = 1000000000;
	struct flow_job job = bring_up_job(made, (enum flow_kind)step->bring_up.flow);

	job.warm = step->bring_up.warm;
	job.dispatch_ns = DISPATCH_S * second_ns;
	job.patience_ns = PATIENCE_S * second_ns;
	job.channels = client->ground->transport;
	job.address = bring_up_address;
	job.begins = bring_up_begins;
	job.ends = bring_up_ends;
	job.context = brought;
	job.remote = client->ground->remote;
	job.key = client->ground->key;
	return job;
}

/* With a fault, the operation ends when the launcher knows of it, or at the first dispatch. */
bool client_bring_up(struct client *client, const struct step *step)
{
	const struct bring_up_source source = {.platform = client->plan->platform,
		.meshes = (enum bring_up_meshes)step->bring_up.meshes};
	enum bring_up_fault fault = (enum bring_up_fault)step->bring_up.fault;
	struct bring_up_case made;
	struct flow_result result = {0};
	bool good = bring_up_case_make(&made, &source, client->diag);
	const char *why = NULL;

	if (!good)
		client->outcome = CLIENT_REFUSED;
	else
		why = bring_up_plant(&made, (enum flow_kind)step->bring_up.flow, fault);
	if (why)
		good = client_refuse(client, step->where, "fault %s cannot happen here: %s",
			bring_up_fault_name(fault), why);
	if (good) {
		struct brought brought = {.client = client, .step = step};
		struct flow_job job = job_of_step(client, step, &made, &brought);

		flow_run(&job, &result);
		good = result.reached || fault != BRING_UP_FAULT_NONE ||
		       client_refuse(client, step->where, "bring_up: %s", result.why);
	}
	bring_up_case_free(&made);
	return good;
}

/* Runs trials of bring-up, each in a process of its own: in the simulated world, with the hosts and
 * the network of the platform, or in the native world, with threads of this machine that talk over
 * sockets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/run/children.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "bring_up.h"
#include "engine/engine.h"
#include "host/sim_world.h"
#include "hostnet/hostnet.h"
#include "simgrid/library.h"
#include "transport/proof.h"
#include "transport/rows.h"
#include "world/native/native.h"

/* How long a first dispatch waits for an answer: tt-metal's operations time out after 5 s if
 * TT_METAL_OPERATION_TIMEOUT_SECONDS is set as in its CI. */
enum {
	SIM_DISPATCH_S = 5,
	SIM_PATIENCE_S = 3600,
	NATIVE_DISPATCH_MS = 100,
	NATIVE_PATIENCE_S = 30
};

#define SECOND_NS INT64_C(1000000000)

struct context {
	const struct bring_up_world *world;
	struct bring_up_trial *trials; /* shared with children */
	uint32_t next_path;
};

/* ---- the simulated world ---- */

static void open_servers(uint32_t servers)
{
	int descriptor = memfd_create("platform", 0);
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
	char path[64], name[PLATFORM_NAME_BYTES];
	enum status status;

	ensure_memory(file, "a platform of %u hosts", servers);
	fprintf(file, "<?xml version='1.0'?>\n"
		      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
		      "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"None\">\n");
	for (uint32_t i = 0; i < servers; i++)
		fprintf(file, "<host id=\"%s\" speed=\"1Gf\"/>\n",
			platform_server_name((uint16_t)i, name));
	fprintf(file, "</zone>\n</platform>\n");
	fflush(file);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
	status = engine_open(path);
	fclose(file);
	ensure(status == STATUS_OK, "engine_open: %s", status_name(status));
}

static void sim_address(void *context, uint16_t host, const char *which, struct text *out)
{
	char name[PLATFORM_NAME_BYTES];

	(void)context;
	(void)which;
	text_printf(out, "%s:0", platform_server_name(host, name));
}

struct run {
	struct flow_job *job;
	struct flow_result *result;
};

static void body(void *argument)
{
	struct run *run = argument;

	flow_run(run->job, run->result);
}

static void simulate(
	const struct bring_up_world *settings, struct flow_job *job, struct flow_result *result)
{
	const struct platform *platform = settings->plan->platform;
	uint16_t servers = (uint16_t)(job->real->host_count + 1);
	struct host_description *hosts = allocate(servers, sizeof(*hosts));
	char(*names)[PLATFORM_NAME_BYTES] = allocate(servers, sizeof(*names));
	struct machine_constants constants;
	struct hostnet_constants network;
	struct run run = {job, result};

	machine_constants_bind(platform, scenario_host_model(settings->plan->scenario), &constants);
	hostnet_constants_bind(platform, &network);
	for (uint16_t i = 0; i < servers; i++)
		hosts[i] = (struct host_description){.name = platform_server_name(i, names[i]),
			.constants = &constants.host,
			.core = i};
	open_servers(servers);
	world = &sim_world;
	ensure(sim_world_start(hosts, servers, settings->plan->scenario->seed, NULL) == STATUS_OK,
		"no simulated hosts");
	hostnet_open(&network, servers, false);
	job->channels = hostnet_find(settings->transport);
	job->address = sim_address;
	job->remote = true;
	job->dispatch_ns = SIM_DISPATCH_S * SECOND_NS;
	job->patience_ns = SIM_PATIENCE_S * SECOND_NS;
	sim_world_run((struct affinity){(uint16_t)(servers - 1), -1}, body, &run,
		(struct engine_limits){0});
	free(hosts);
	free(names);
}

/* ---- the native world ---- */

static void native_address(void *context, uint16_t host, const char *which, struct text *out)
{
	const struct context *trials = context;

	if (transport_find(trials->world->transport)->takes_path)
		text_printf(out, "/tmp/meshsim-%ld-%s-%u", (long)getpid(), which, host);
	else
		text_append(out, "127.0.0.1:0");
}

static void run_natively(
	const struct context *context, struct flow_job *job, struct flow_result *result)
{
	uint8_t *key = proof_key_new();
	struct context copy = *context;

	world = &native_world;
	native_world_start(NULL);
	job->channels = transport_find(context->world->transport)->ops;
	job->address = native_address;
	job->context = &copy;
	job->key = key;
	job->dispatch_ns = NATIVE_DISPATCH_MS * (SECOND_NS / 1000);
	job->patience_ns = NATIVE_PATIENCE_S * SECOND_NS;
	flow_run(job, result);
	proof_key_free(key);
}

/* ---- trials ---- */

static void work(void *argument, uint32_t number)
{
	struct context *context = argument;
	const struct bring_up_world *settings = context->world;
	struct bring_up_trial *trial = &context->trials[number];
	struct diag *diag = diag_new();
	struct bring_up_case made;
	struct flow_job job;

	if (!bring_up_case_make(&made, &settings->source, diag)) {
		diag_print(diag, stderr);
		_Exit(1);
	}
	trial->impossible = NULL;
	bring_up_plant(&made, trial->flow, trial->fault);
	job = bring_up_job(&made, trial->flow);
	job.warm = settings->warm;
	memcpy(job.without, trial->without, sizeof(job.without));
	if (settings->native)
		run_natively(context, &job, &trial->result);
	else
		simulate(settings, &job, &trial->result);
	trial->ended = true;
	bring_up_case_free(&made);
	diag_free(diag);
	_Exit(0);
}

static bool ended(void *argument, const struct child_end *end)
{
	const struct context *context = argument;
	const struct bring_up_trial *trial = &context->trials[end->number];

	if (end->code != 0)
		fprintf(stderr, "meshsim bring-up: %s, %s: the run ended with %d\n%s",
			flow_row(trial->flow)->name, bring_up_fault_name(trial->fault), end->code,
			end->output.length ? text_string(&end->output) : "");
	return true;
}

bool bring_up_run(
	const struct bring_up_world *settings, struct bring_up_trial *trials, uint32_t count)
{
	static const struct children_ops ops = {.work = work, .ended = ended};
	size_t bytes = count * sizeof(*trials);
	struct context context = {settings, allocate_shared(bytes), 0};
	uint32_t *numbers = allocate(count + 1u, sizeof(*numbers)), runs = 0;
	bool good;

	for (uint32_t i = 0; i < count; i++)
		if (!trials[i].impossible)
			numbers[runs++] = i;
	memcpy(context.trials, trials, bytes);
	if (!settings->native)
		simgrid_library_load();
	good = children_run(&ops, &context, numbers, runs, settings->jobs);
	memcpy(trials, context.trials, bytes);
	free_shared(context.trials, bytes);
	free(numbers);
	return good;
}

/* `meshsim executor`: registers at a controller, and executes the part of one host (executors.h).
 * Each run has a process of its own, because a process has one native world. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "bench/results/version.h"
#include "bench/scenario/hosts.h"
#include "registrar_private.h"
#include "run_world.h"
#include "serve.h"
#include "transport/proof.h"
#include "transport/rows.h"
#include "world/native/native.h"

/* ---- registering ---- */

static void name_self(char name[CHANNEL_NAME_BYTES])
{
	char machine[CHANNEL_NAME_BYTES - 12] = "";

	if (gethostname(machine, sizeof machine - 1) != 0 || machine[0] == '\0')
		snprintf(machine, sizeof machine, "executor");
	snprintf(name, CHANNEL_NAME_BYTES, "%s.%d", machine, (int)getpid());
}

static enum status join(struct serve *serve, const struct executor_request *request,
	int64_t deadline_ns, struct text *why)
{
	char name[CHANNEL_NAME_BYTES];
	const struct channel_settings settings = {.address = request->controller,
		.name = name,
		.session = REGISTRAR_SESSION,
		.key = serve->key,
		.message_bytes_max = ENLIST_MESSAGE_BYTES_MAX,
		.window = REGISTRAR_WINDOW,
		.remote = true};
	struct text cause = {0};
	enum status status;

	name_self(name);
	serve->ops = transport_find("tcp")->ops;
	status = serve->ops->join(&settings, deadline_ns, &serve->channel, &cause);
	serve->bad_address = status == STATUS_INVALID;
	if (status == STATUS_TIMEOUT)
		text_printf(why,
			"no controller at %s within %u s that has this token and speaks the "
			"protocol of this meshsim: %s",
			request->controller, request->wait_s,
			cause.length ? text_string(&cause) : "no answer");
	else if (status == STATUS_UNSUPPORTED)
		text_printf(why,
			"the controller at %s has another token, or is no meshsim of this "
			"version: %s",
			request->controller, text_string(&cause));
	else if (status != STATUS_OK)
		text_printf(why, "%s: %s", request->controller,
			cause.length ? text_string(&cause) : status_message(status));
	text_fini(&cause);
	return status;
}

/* Registers at the controller, and receives the number of the host and of the run. */
static enum status enlist_self(struct serve *serve, const struct executor_request *request,
	int64_t deadline_ns, struct text *why)
{
	struct enlist message = {.kind = ENLIST_REGISTER,
		.number = ENLIST_PROTOCOL,
		.host = request->host,
		.scenario = scenario_hash(request->file)};
	struct enlist *accepted = &serve->accepted;
	struct span span;
	enum status status;

	snprintf(message.text, sizeof message.text, "%s %s", version_number(), version_commit());
	status = serve_send(serve, &message, deadline_ns);
	if (status == STATUS_OK)
		status = serve->ops->receive(serve->channel, deadline_ns, &span);
	if (status != STATUS_OK)
		return refuse(
			why, status, "the controller does not answer: %s", status_message(status));
	if (!enlist_read(span.extent->bytes + span.offset, span.length, accepted) ||
		(accepted->kind != ENLIST_ACCEPTED && accepted->kind != ENLIST_REFUSED))
		status = refuse(why, STATUS_INVALID, "the controller answers with something else");
	else if (accepted->kind == ENLIST_REFUSED)
		status = refuse(why, STATUS_INVALID, "the controller refuses this executor: %s",
			accepted->text);
	else if (accepted->run >= scenario_run_count(request->file) ||
		 scenario_run(request->file, accepted->run)->identity != accepted->identity)
		status = refuse(why, STATUS_INVALID,
			"the controller has a run of another scenario than this executor");
	span_release(span);
	return status;
}

/* ---- executing ---- */

/* Waits for the address of the run's channels. False if the controller is lost. */
static bool serve_hear_address(struct serve *serve, char address[PROCESS_ADDRESS_BYTES])
{
	pthread_mutex_lock(&serve->mutex);
	while (serve->address[0] == '\0' && !serve->lost)
		pthread_cond_wait(&serve->changed, &serve->mutex);
	memcpy(address, serve->address, PROCESS_ADDRESS_BYTES);
	pthread_mutex_unlock(&serve->mutex);
	return address[0] != '\0';
}

static enum status execute(struct serve *serve, struct run_plan *plan, uint32_t wall_s,
	const char *address, struct text *why)
{
	uint32_t host = serve->accepted.host;
	struct client_ground ground = {
		.session = serve->accepted.session, .address = address, .remote = true};
	const struct firmware_faults news = {serve, serve_fault, serve_print};
	struct machine_constants constants;
	struct text hazards = {0};
	struct client client = {.plan = plan,
		.ground = &ground,
		.costs = &constants.firmware_costs,
		.limits = &constants.firmware_limits};
	enum status status = STATUS_NO_MEMORY;
	char link_address[PROCESS_ADDRESS_BYTES];

	machine_constants_bind(plan->platform, scenario_host_model(plan->scenario), &constants);
	run_hazards(plan->scenario, &hazards);
	if (hazards.length || steps_act(plan->scenario->steps, plan->scenario->step_count))
		client.faults = &news;
	text_fini(&hazards);
	processes_ground(plan, wall_s, &ground);
	if (ground.links && !local_address(address, link_address, sizeof link_address))
		return refuse(why, STATUS_IO, "no address of this machine towards %s", address);
	ground.link_address = link_address;
	ground.key = proof_key_for(serve->key, serve->accepted.nonce);
	if (ground.key != NULL)
		status = processes_stay(plan->platform, host, why);
	if (status == STATUS_OK)
		status = client_executor(&client, host, address, serve->cluster, why);
	return status;
}

static enum status open_cluster(struct serve *serve, const struct run_plan *plan, struct text *why)
{
	const struct cluster_info *info;

	if (serve->accepted.host >= machine_hosts(plan->platform))
		return refuse(why, STATUS_INVALID, "the controller names a host that is none");
	info = platform_host_cluster(plan->platform, (uint16_t)serve->accepted.host);
	serve->cluster = native_cluster_new(info);
	serve->first_chip = serve->accepted.host * info->chip_count;
	return serve->cluster ? STATUS_OK
			      : refuse(why, STATUS_NO_MEMORY, "no memory for the emulated chips");
}

static void serve_tell_end(struct serve *serve, enum status status, const struct text *why)
{
	pthread_mutex_lock(&serve->mutex);
	native_world_counts(&serve->counts);
	serve->end = (struct enlist){.kind = ENLIST_END,
		.number = status,
		.cpu_ns = processes_cpu_ps(getpid()) / 1000,
		.bytes = &serve->counts,
		.length = sizeof serve->counts};
	snprintf(serve->end.text, sizeof serve->end.text, "%s", text_string(why));
	serve->ended = true;
	pthread_mutex_unlock(&serve->mutex);
}

/* Executes the run that the controller has named, and reports how it ended. */
static enum status serve_run(struct serve *serve, const struct executor_request *request,
	struct run_plan *plan, struct text *why)
{
	struct run_request wall = {.file = request->file, .native = true};
	char address[PROCESS_ADDRESS_BYTES];
	enum status status = open_cluster(serve, plan, why);
	pthread_t thread;

	if (status == STATUS_OK && pthread_create(&thread, NULL, serve_line, serve) != 0)
		status = refuse(why, STATUS_NO_MEMORY, "no thread");
	if (status != STATUS_OK)
		return status;
	if (serve_hear_address(serve, address))
		status = execute(serve, plan, run_wall_s(&wall, serve->accepted.run), address, why);
	else
		status = STATUS_CLOSED;
	serve_tell_end(serve, status, why);
	pthread_join(thread, NULL);
	return status;
}

/* Registers at the controller. If the controller closes the connection before it answers, an
 * earlier run has just ended. Then connects again, because the controller will listen for the next
 * run. */
static enum status meet_controller(
	struct serve *serve, const struct executor_request *request, struct text *why)
{
	int64_t deadline_ns = request->wait_s * INT64_C(1000000000);
	enum status status = STATUS_CLOSED;

	while (status == STATUS_CLOSED) {
		text_clear(why);
		status = join(serve, request, deadline_ns, why);
		if (status != STATUS_OK)
			return status;
		status = enlist_self(serve, request, deadline_ns, why);
		if (status != STATUS_OK)
			serve->ops->close(serve->channel);
	}
	return status;
}

static enum status serve_once(
	const struct executor_request *request, bool *bad_address, struct text *why)
{
	static struct serve serve = {
		.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
	static struct log_sink log = {.context = &serve, .take = serve_log};
	struct recorder recorder = {.context = &serve, .mark = serve_mark};
	struct diag *diag = diag_new();
	struct run_plan plan;
	enum status status;

	serve.last = &serve.first;
	native_world_start(&recorder);
	world = &native_world;
	device_row = &native_device;
	status = executors_token(request->token, &serve.key, why);
	if (status == STATUS_OK)
		status = meet_controller(&serve, request, why);
	*bad_address = serve.bad_address;
	if (status != STATUS_OK)
		return status;
	fprintf(stderr, "meshsim: registered at %s as host-%u of run %u\n", request->controller,
		serve.accepted.host, serve.accepted.run);
	if (!run_plan_open(request->file, serve.accepted.run, diag, &plan)) {
		diag_print(diag, stderr);
		return STATUS_INVALID;
	}
	log_keys_least(&plan.scenario->measure.log, log.least);
	recorder.log = &log;
	native_world_host((uint16_t)serve.accepted.host);
	native_world_start(&recorder); /* so that checking the plan is not counted as work */
	native_world_spin((int64_t)plan.scenario->runtime.host.spin_ns);
	status = serve_run(&serve, request, &plan, why);
	serve.ops->close(serve.channel);
	proof_key_free(serve.key);
	return status;
}

/* ---- several runs ---- */

_Noreturn static void be_one(const struct executor_request *request)
{
	struct text why = {0};
	enum status status;
	bool bad_address = false;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	status = serve_once(request, &bad_address, &why);
	if (status != STATUS_OK)
		fprintf(stderr, "meshsim: %s\n",
			why.length ? text_string(&why) : status_message(status));
	fflush(NULL);
	_Exit(status == STATUS_OK ? EXIT_GOOD : bad_address ? EXIT_BAD_INPUT : EXIT_REFUSED);
}

/* Checks the token before a process is made for a run, and prints an error. */
static bool has_token(const struct executor_request *request)
{
	struct text why = {0};
	uint8_t *key = NULL;
	bool good = executors_token(request->token, &key, &why) == STATUS_OK;

	if (!good)
		fprintf(stderr, "meshsim: %s\n", text_string(&why));
	proof_key_free(key);
	text_fini(&why);
	return good;
}

/* Returns true if at least one run has a platform with the executor's host. Otherwise prints an
 * error. This check is made before the connection to the controller. */
static bool has_host(const struct executor_request *request)
{
	uint32_t most = 0, run = 0, count = scenario_run_count(request->file);
	struct diag *diag = diag_new();
	struct run_plan plan;
	bool good = false;

	for (; !good && run < count && run_plan_open(request->file, run, diag, &plan); run++) {
		uint32_t hosts = platform_hosts(plan.platform) ? machine_hosts(plan.platform) : 0;

		most = hosts > most ? hosts : most;
		good = hosts > 0 && (request->host == ENLIST_ANY_HOST || request->host < hosts);
		run_plan_close(&plan);
	}
	diag_print(diag, stderr);
	diag_free(diag);
	if (good || run < count)
		return good;
	if (most == 0)
		fprintf(stderr, "meshsim: executors are of machines of several hosts, and the "
				"platform has one\n");
	else
		fprintf(stderr, "meshsim: there is no host %u: the machine has %u, from 0 on\n",
			request->host, most);
	return false;
}

enum exit_code executors_serve(const struct executor_request *request)
{
	uint32_t runs = request->runs ? request->runs : scenario_run_count(request->file);
	uint32_t seeds, most;

	if (!has_token(request) || !has_host(request))
		return EXIT_BAD_INPUT;
	if (scenario_precision(request->file, &seeds, &most) > 0) {
		fputs("meshsim: " EXECUTORS_NO_PRECISION "\n", stderr);
		return EXIT_BAD_INPUT;
	}
	for (uint32_t run = 0; run < runs; run++) {
		int code = 0;
		pid_t child;

		fflush(NULL);
		child = fork();
		if (child == 0)
			be_one(request);
		while (child > 0 && waitpid(child, &code, 0) < 0 && errno == EINTR)
			continue;
		if (child < 0 || WIFSIGNALED(code)) {
			fprintf(stderr, "meshsim: the executor %s\n",
				child < 0 ? "cannot be started" : "was killed");
			return EXIT_REFUSED;
		}
		if (WEXITSTATUS(code) != EXIT_GOOD)
			return (enum exit_code)WEXITSTATUS(code);
	}
	return EXIT_GOOD;
}

/* Functions that all files of the client use. They number operations, report errors, and describe
 * the client's current step when a run stalls. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "client_private.h"

uint32_t client_count(const struct client *first)
{
	return scenario_mesh_count(first->plan->scenario);
}

struct client *client_of_mesh(struct client *first, uint32_t number)
{
	return number == 0 ? first : &first->others[number - 1];
}

uint32_t client_cluster_count(const struct client *client)
{
	return client->ground ? client->ground->count : 1;
}

struct cluster *client_cluster(const struct client *client, uint32_t host)
{
	return client->ground ? client->ground->clusters[host] : client->cluster;
}

bool client_refuse(struct client *client, struct location where, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	diag_error(client->diag, where, "%s", message);
	client->outcome = CLIENT_REFUSED;
	return false;
}

bool client_made(struct client *client, enum status status, struct location where, const char *what,
	const char *name, struct text *why)
{
	if (status != STATUS_OK)
		client_refuse(client, where, "%s '%s': %s", what, name,
			why->length ? text_string(why) : status_message(status));
	text_fini(why);
	return status == STATUS_OK;
}

void client_refuse_cores(struct client *client, const char *what, uint16_t chip, uint16_t tile)
{
	client_refuse(client, tree_where(tree_root(client->plan->tree), "model.cores"),
		"cores: chip would be wrong, since cores contend: tile %u of chip %u: %s; use "
		"cores: each",
		tile, chip, what);
}

bool client_fail(struct client *client, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	text_append(&client->why, message);
	client->outcome = CLIENT_FAILED;
	return false;
}

struct device_range client_range(const struct client *client, const struct devices_keys *keys)
{
	return devices_range(keys, client->device->ops->shape(client->device));
}

struct device_range client_all_devices(const struct client *client)
{
	return client_range(client, NULL);
}

static bool is_partial(const struct client *client, const struct devices_keys *devices)
{
	return !device_range_covers(client_range(client, devices), client_all_devices(client));
}

/* If the step makes its queue wait for an event, returns the number of the operation that recorded
 * this event. Returns 0 for other steps, or if the operation is unknown. */
static uint32_t client_operation_awaited(const struct client *client, const struct step *step)
{
	const struct client_event *event = client->steps[step->number].event;

	if (step->kind != STEP_WAIT_EVENT || step->wait.host || step->wait.executors)
		return 0;
	return event->recorded ? event->operation : 0;
}

/* Starts an operation of a step. `program` is the operation of a model binary that it launches, or
 * NULL. */
static uint32_t client_program_start(struct client *client, const struct step *step,
	const char *kind, const char *program, uint32_t number, uint32_t queue, uint64_t bytes)
{
	struct client_step *state = &client->steps[step->number];
	struct op_start start = {
		.kind = kind,
		.program = program,
		.thread = client->thread,
		.mesh_number = (uint8_t)client->number,
		.mesh = scenario_mesh(client->plan->scenario, client->number)->name,
		.step = number,
		.iteration = state->executed,
		.queue = (uint8_t)queue,
		.part = step->kind == STEP_RECORD_EVENT && is_partial(client, step->record.devices),
		.sub_devices = client_scope(client, step),
		.awaits = client_operation_awaited(client, step),
		.warmup =
			state->repeated && state->executed < client->plan->scenario->measure.warmup,
		.bytes = bytes,
		.arrival_ps = client->arrival_ps,
	};

	return op_recorder_start(client->recorder, &start);
}

/* Starts an operation of a step. `kind` and `number` are usually those of the step. But some
 * operations do not count as calls of the step, for example the gather rounds of a read or the
 * capture of a trace. They have a kind and a step number of their own. */
static uint32_t client_operation_start(struct client *client, const struct step *step,
	const char *kind, uint32_t number, uint32_t queue, uint64_t bytes)
{
	return client_program_start(client, step, kind, NULL, number, queue, bytes);
}

uint32_t client_start_operation(
	struct client *client, const struct step *step, uint32_t queue, uint64_t bytes)
{
	return client_operation_start(
		client, step, step_name(step->kind), step->number, queue, bytes);
}

/* Returns a step number for operations that belong to `step`, but are not the calls that the
 * scenario gives, such as the rounds of a gather. No step of the scenario has this number.
 * Different pairs of a step and an `index` have different numbers. */
static uint32_t beside(const struct client *client, const struct step *step, uint32_t index)
{
	return (1 + index) * client->step_count + step->number;
}

uint32_t client_start_round(
	struct client *client, const struct step *step, uint32_t queue, uint32_t round)
{
	return client_operation_start(
		client, step, "gather", beside(client, step, round), queue, 0);
}

uint32_t client_start_capture(struct client *client, const struct step *step)
{
	return client_operation_start(
		client, step, "capture_trace", beside(client, step, 0), step->trace.queue, 0);
}

uint32_t client_start_model(struct client *client, const struct step *step, const char *kind,
	const char *program, uint32_t index, uint32_t queue, uint64_t bytes)
{
	return client_program_start(client, step, kind, program,
		index == 0 ? step->number : beside(client, step, index - 1), queue, bytes);
}

const char *client_cite_mesh(const struct client *client, char *cited)
{
	const char *name = scenario_mesh(client->plan->scenario, client->number)->name;

	cited[0] = '\0';
	if (name)
		snprintf(cited, CLIENT_CITE_BYTES, " of mesh '%s'", name);
	return cited;
}

static void report_vain(const struct client *client, const struct client_wait *wait, FILE *out)
{
	char cited[LOCATION_CITE_BYTES], mesh[CLIENT_CITE_BYTES];

	fprintf(out, "queue %u%s waits for event '%s', which %s (%s)\n", wait->step->wait.queue,
		client_cite_mesh(client, mesh), wait->event->name,
		wait->event->recorded ? "was recorded only after the wait" : "no step has recorded",
		location_cite(wait->step->where, cited, sizeof cited));
}

/* Prints a line for each step that waits for an event that was not recorded before the wait. A step
 * that waits several times gets only one line. After LINES_MAX lines, prints only the number of the
 * other steps. */
static void report_vain_waits(const struct client *client, FILE *out)
{
	const struct client_wait *vain = client->vain;
	enum { LINES_MAX = 8 };
	uint32_t lines = 0;

	for (const struct client_wait *wait = vain; wait; wait = wait->next) {
		const struct client_wait *first = vain;

		while (first->step != wait->step)
			first = first->next;
		if (first == wait && lines++ < LINES_MAX)
			report_vain(client, wait, out);
	}
	if (lines > LINES_MAX)
		fprintf(out, "and %" PRIu32 " more steps wait for events\n", lines - LINES_MAX);
}

/* Prints the current step of a thread of the client. */
static void report_step(struct client *client, const struct step *at, FILE *out)
{
	char cited[LOCATION_CITE_BYTES], mesh[CLIENT_CITE_BYTES];
	const struct client *of = client->leads && at->mesh != STEP_ALL_MESHES
					  ? client_of_mesh(client, at->mesh)
					  : client;

	fprintf(out, "the client is at step '%s'%s (%s)", step_name(at->kind),
		at->mesh == STEP_ALL_MESHES && client->leads ? "" : client_cite_mesh(of, mesh),
		location_cite(at->where, cited, sizeof cited));
	if (at->kind == STEP_WAIT_EVENT && at->wait.host)
		fprintf(out, ", for event '%s', which %s", at->wait.event,
			of->steps[at->number].event->recorded ? "was recorded"
							      : "no step has recorded");
	fprintf(out, "\n");
}

void client_report(void *context, FILE *out)
{
	for (uint32_t i = 0; i < client_count(context); i++) {
		struct client *client = client_of_mesh(context, i);

		report_vain_waits(client, out);
		if (client->at)
			report_step(client, client->at, out);
	}
}

bool client_is_complete(const struct client *client, enum status status)
{
	return status == STATUS_OK ||
	       (status == STATUS_ELIDED && client->plan->scenario->model.elide_above_bytes > 0);
}

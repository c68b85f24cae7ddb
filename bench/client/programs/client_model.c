/* Runs `run_model` steps, which run model binaries (execution/execution.h). Steps of one mesh that
 * run the same binary share one execution. */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "client_private.h"
#include "execution/execution.h"

struct client_model {
	struct client_model *next;
	struct client *client;
	const struct step *maker; /* the step that has made it */
	const struct step *at;	  /* the step that runs now */
	struct execution *execution;
	bool loaded;
};

/* A row of the table `models`: figures of execution/execution.h. */
struct model_row {
	char name[64]; /* the file; with several meshes "layer.mesh-binary of left" */
	uint64_t runs, operations, conversions;
	uint64_t program_hits, program_misses, program_evictions, captures, replays;
	uint64_t window_waits, outputs_compared;
	uint64_t pool, pool_peak, pool_tensors; /* bytes */
	double fragmentation, worst_error;
};

static const struct column model_columns[] = {
	COLUMN(struct model_row, name, "text"),
	COLUMN(struct model_row, runs, "1"),
	COLUMN(struct model_row, operations, "1"),
	COLUMN(struct model_row, conversions, "1"),
	COLUMN(struct model_row, program_hits, "1"),
	COLUMN(struct model_row, program_misses, "1"),
	COLUMN(struct model_row, program_evictions, "1"),
	COLUMN(struct model_row, captures, "1"),
	COLUMN(struct model_row, replays, "1"),
	COLUMN(struct model_row, window_waits, "1"),
	COLUMN(struct model_row, outputs_compared, "1"),
	COLUMN(struct model_row, pool, "B"),
	COLUMN(struct model_row, pool_peak, "B"),
	COLUMN(struct model_row, pool_tensors, "B"),
	COLUMN(struct model_row, fragmentation, "1"),
	COLUMN(struct model_row, worst_error, "1"),
};

/* [enum execution_call] the kind of operation that results show for the call */
static const char *const call_kinds[] = {[EXECUTION_WRITE] = "write_buffer",
	[EXECUTION_OPERATION] = "enqueue_workload",
	[EXECUTION_READ] = "read_buffer",
	[EXECUTION_REPLAY] = "replay_trace",
	[EXECUTION_EVENT] = "record_event",
	[EXECUTION_CAPTURE] = "capture_trace"};

static uint32_t start_call(void *context, enum execution_call call,
	const struct model_operation *operation, uint32_t queue, uint64_t bytes)
{
	const struct client_model *model = context;
	uint32_t index = call == EXECUTION_OPERATION ? 0 : 1 + (uint32_t)call;

	return client_start_model(model->client, model->at, call_kinds[call],
		operation ? operation->name : NULL, index, queue, bytes);
}

static struct client_model *client_model_of(const struct client *client, const struct step *step)
{
	struct client_model *model = client->models;

	while (model && model->maker->number != step->model.maker->number)
		model = model->next;
	return model;
}

static bool model_refused(struct client *client, const struct step *step, struct text *why)
{
	client_refuse(client, step->model.binary_where, "model binary '%s': %s", step->model.binary,
		text_string(why));
	text_fini(why);
	return false;
}

bool client_model_make(struct client *client, const struct step *step)
{
	const struct model_step *keys = &step->model;
	struct execution_config config = {.queues = keys->queues,
		.window = keys->window,
		.programs = keys->programs,
		.trace = keys->trace && client->plan->scenario->runtime.traces != TRACES_OFF,
		.start = start_call};
	struct client_model *model;
	struct text why = {0};

	if (client_model_of(client, step))
		return true;
	model = allocate(1, sizeof *model);
	*model = (struct client_model){
		.next = client->models, .client = client, .maker = step, .at = step};
	config.context = model;
	client->models = model;
	if (execution_new(client->device, keys->loaded, &config, &why, &model->execution) !=
		STATUS_OK)
		return model_refused(client, step, &why);
	return true;
}

bool client_run_model(struct client *client, const struct step *step)
{
	struct client_model *model = client_model_of(client, step);
	struct text why = {0};
	enum status status = STATUS_OK;

	model->at = step;
	if (!model->loaded)
		status = execution_load(model->execution, &why);
	model->loaded = true;
	for (uint32_t i = 0; i < step->model.times && status == STATUS_OK; i++) {
		if (i > 0)
			client->steps[step->number].executed++;
		status = execution_run(model->execution, step->model.number, &why);
	}
	if (status == STATUS_OK && step->model.blocking)
		status = execution_finish(model->execution, &why);
	return status == STATUS_OK || model_refused(client, step, &why);
}

bool client_models_finish(struct client *client)
{
	for (const struct client_model *model = client->models; model; model = model->next) {
		struct text why = {0};

		if (execution_finish(model->execution, &why) != STATUS_OK)
			return model_refused(client, model->maker, &why);
		client->verified += (uint32_t)execution_figures(model->execution).outputs_compared;
	}
	return true;
}

void client_models_free(struct client *client)
{
	while (client->models) {
		struct client_model *model = client->models;
		uint64_t taken = client_taken(client);

		client->models = model->next;
		execution_free(model->execution);
		client_note_left(
			client, "model", model->maker->model.binary, model->maker->where, taken);
		free(model);
	}
}

static void fill_row(const struct client_model *model, struct model_row *row)
{
	struct execution_figures figures = execution_figures(model->execution);
	char mesh[CLIENT_CITE_BYTES];

	*row = (struct model_row){.runs = figures.runs,
		.operations = figures.operations,
		.conversions = figures.conversions,
		.program_hits = figures.program_hits,
		.program_misses = figures.program_misses,
		.program_evictions = figures.program_evictions,
		.captures = figures.captures,
		.replays = figures.replays,
		.window_waits = figures.window_waits,
		.outputs_compared = figures.outputs_compared,
		.pool = figures.pool_bytes,
		.pool_peak = figures.pool_peak_bytes,
		.pool_tensors = figures.pool_tensor_bytes,
		.fragmentation = figures.fragmentation,
		.worst_error = figures.worst_error};
	(void)client_cite_mesh(model->client, mesh);
	snprintf(row->name, sizeof row->name, "%.30s%.30s", model->maker->model.binary, mesh);
}

void client_models_record(struct client *first, struct run_record *record, struct arena *arena)
{
	struct model_row *rows;
	uint32_t count = 0;

	for (uint32_t i = 0; first->first && i < client_count(first); i++)
		for (const struct client_model *model = client_of_mesh(first, i)->models; model;
			model = model->next)
			count += model->execution != NULL;
	if (count == 0)
		return;
	rows = arena_array(arena, count, sizeof *rows);
	count = 0;
	for (uint32_t i = 0; i < client_count(first); i++)
		for (const struct client_model *model = client_of_mesh(first, i)->models; model;
			model = model->next)
			if (model->execution)
				fill_row(model, &rows[count++]);
	record_table(record,
		(struct table){.name = "models",
			.columns = model_columns,
			.column_count = sizeof model_columns / sizeof *model_columns,
			.row_bytes = sizeof *rows},
		rows, count);
}

uint32_t client_model_launches(
	const struct client *client, uint16_t row, uint16_t column, uint32_t core)
{
	uint32_t columns = client->device->ops->shape(client->device).columns;
	uint64_t launches = 0;

	for (const struct client_model *model = client->models; model; model = model->next)
		launches += execution_launches(
			model->execution, (uint32_t)row * columns + column, core);
	return (uint32_t)launches;
}

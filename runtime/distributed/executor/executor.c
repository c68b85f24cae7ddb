/* The executor's loop. It joins the hub, describes the machine to the controller, and then executes
 * and answers one command after another. Commands that are out of order are rejected. */
#include "distributed/executor.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "executor_private.h"
#include "wire/system_file.h"

/* Interval at which the event loop checks whether the reader could not answer. */
enum { OVER_NS = 50000000 };

/* ---- the loop ---- */

static enum status executor_receive(
	struct executor *executor, int64_t deadline_ns, struct letter **letter)
{
	const struct executor_settings *settings = executor->settings;
	struct span message;
	enum status status;

	if (stages_receive(executor->stages))
		return stages_next(executor->stages, deadline_ns, letter);
	status = settings->transport->receive(executor->channel, deadline_ns, &message);
	if (status != STATUS_OK)
		return status;
	*letter = &executor->letter;
	return letter_read(&executor->letter, settings->codec, message, &executor->why);
}

static void executor_give_back(struct executor *executor, struct letter *letter)
{
	if (stages_receive(executor->stages))
		stages_give_back(executor->stages, letter);
	else
		letter_empty(letter);
}

static void executor_take(struct executor *executor, const struct letter *letter)
{
	const struct wire_command *command = &letter->command;
	struct text why = {0};

	turn_take(&executor->mesh_turn);
	executor->message = letter->message;
	if (command->head.number > executor->last) {
		executor->last = command->head.number;
		executor_serve(executor, command);
	} else {
		text_printf(&why, "command %llu behind command %llu: out of order",
			(unsigned long long)command->head.number,
			(unsigned long long)executor->last);
		executor_complete(executor, &command->head, STATUS_INVALID, &why);
	}
	text_fini(&why);
	turn_give(&executor->mesh_turn);
}

static bool executor_is_over(const struct executor *executor)
{
	return __atomic_load_n(&executor->over, __ATOMIC_ACQUIRE);
}

/* Checks completions, unless a reader does this. Returns the time at which to check again. */
static int64_t executor_look(struct executor *executor)
{
	if (executor->reader != NULL)
		return world->now_ns() + OVER_NS;
	if (pending_look(executor))
		return world->now_ns() + (int64_t)executor->settings->poll_ns;
	return DEADLINE_NEVER;
}

static void executor_loop(struct executor *executor)
{
	while (!executor_is_over(executor)) {
		int64_t deadline_ns;
		struct letter *letter = NULL;
		enum status status;

		deadline_ns = executor_links_next(executor, executor_look(executor));
		executor_links_look(executor);
		if (executor_is_over(executor))
			break;
		status = executor_receive(executor, deadline_ns, &letter);
		if (status == STATUS_OK)
			executor_take(executor, letter);
		else if (status == STATUS_CLOSED)
			executor_end(executor, STATUS_CLOSED, "the controller is lost");
		else if (status != STATUS_TIMEOUT)
			executor_end(executor, STATUS_INVALID, "what came is no command");
		if (letter != NULL)
			executor_give_back(executor, letter);
	}
}

/* ---- start and end ---- */

/* Charges the work of finding out which machine this is: reading a description of it, or querying
 * its chips (struct descriptor_ops). If the machine differs from its description, and the chosen
 * variant rejects this, returns INVALID, with the difference in `why`. */
static enum status executor_learn(
	const struct executor *executor, const struct cluster_info *found, struct text *why)
{
	const struct descriptor_ops *row = executor->settings->descriptor;
	const struct machine_description *described = &executor->settings->described;
	bool queries = row != NULL && row->queries;

	if (row != NULL && row->given) {
		storage_charge(described->bytes);
		world->work(WORK_CHECK_CHIP, found->chip_count);
		queries = system_differs(described->info, found, why);
		if (queries && row->refuses)
			return STATUS_INVALID;
	}
	if (queries)
		world->work(WORK_QUERY_CHIP, found->chip_count);
	return STATUS_OK;
}

/* Called after joining. Sends the system descriptor (spec 4.2, B.1). Exception: in a variant with
 * `refuses`, the controller already has a description of this host. The executor then only sends
 * whether this description is right. */
static void executor_tell(struct executor *executor)
{
	const struct descriptor_ops *row = executor->settings->descriptor;
	const struct cluster_info *found = device_row->info(executor->cluster);
	const struct wire_head head = {0};
	struct wire_command command;
	struct arena arena = {0};
	struct text why = {0};
	enum status status = executor_learn(executor, found, &why);

	if (row != NULL && row->refuses) {
		executor_complete(executor, &head, status, &why);
	} else {
		command = wire_system_describe(found, &arena);
		executor_answer(executor, &command);
	}
	arena_fini(&arena);
	text_fini(&why);
}

static void executor_fini(struct executor *executor)
{
	executor_close_all(executor);
	executor_unlink(executor);
	stages_stop(executor->stages);
	executor->settings->transport->close(executor->channel);
	mail_writer_fini(&executor->writer);
	letter_fini(&executor->letter);
	landing_fini(executor);
	compiled_fini(&executor->compiled);
	text_fini(&executor->why);
	text_fini(&executor->links_why);
	if (executor->channel_turn.monitor != NULL)
		turn_fini(&executor->channel_turn);
}

enum status executor_run(const struct executor_settings *settings, struct cluster *cluster,
	struct mesh_system *system, int64_t deadline_ns, struct text *why)
{
	struct executor executor = {.settings = settings, .cluster = cluster, .system = system};
	struct channel_settings channel = settings->channel;
	enum status status;

	landing_init(&executor, &channel);
	status = settings->transport->join(&channel, deadline_ns, &executor.channel, why);
	if (status != STATUS_OK)
		return status;
	mail_writer_init(&executor.writer, settings->codec);
	executor_tell(&executor);
	executor.status = executor_link(&executor, deadline_ns);
	executor.over = executor.status != STATUS_OK;
	if (settings->stages.receive || settings->stages.send)
		executor.stages = stages_start(&executor);
	if (settings->completion_reader != NULL && settings->completion_reader->thread)
		executor.reader = executor_reader_start(&executor);
	executor_loop(&executor);
	executor_reader_stop(executor.reader);
	executor.reader = NULL;
	status = executor.status;
	if (why != NULL)
		text_append(why, text_string(&executor.why));
	executor_fini(&executor);
	return status;
}

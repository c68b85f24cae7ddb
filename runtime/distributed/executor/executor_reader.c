/* The completion reader thread of an executor (spec 4.8.3). While the event loop executes commands,
 * this thread checks which points of the queues (struct mesh_event) were reached, and answers the
 * commands that are complete. Only one thread at a time may call a mesh device, and only one may
 * send, so the two threads take turns. The reader gives up its turn at the mesh before it answers,
 * so that the event loop can execute commands meanwhile. */
#include <stdlib.h>

#include "base/allocate.h"
#include "executor_private.h"

struct executor_reader {
	struct executor *executor;
	struct thread *thread;
	bool over; /* protected by the monitor of the mesh's turn */
	/* used only by this thread: the points for which it waits, of all meshes */
	struct mesh_event *points;
	uint32_t point_count, point_room;
};

/* Returns true if one of the points is reached, or if this can only be checked during a turn. */
static bool executor_reader_may_take(const struct executor_reader *reader)
{
	for (uint32_t i = 0; i < reader->point_count; i++)
		if (!event_asked_apart(&reader->points[i]) || event_query(&reader->points[i]))
			return true;
	return false;
}

/* Waits until it is time to check the points again. If there are points, waits at most for the poll
 * interval. Stops waiting when the event loop adds a point, and then sets *added. Returns false
 * when the reader must end. */
static bool executor_reader_rest(struct executor_reader *reader, bool *added)
{
	struct turn *turn = &reader->executor->mesh_turn;
	int64_t poll_ns = (int64_t)reader->executor->settings->poll_ns;
	int64_t deadline_ns = reader->point_count > 0 ? world->now_ns() + poll_ns : DEADLINE_NEVER;
	enum status status = STATUS_OK;
	bool over;

	world->monitor_enter(turn->monitor);
	while (!reader->over && !turn->announced && status == STATUS_OK)
		status = world->monitor_wait_until(turn->monitor, deadline_ns, turn->wait);
	*added = turn->announced;
	turn->announced = false;
	over = reader->over;
	world->monitor_exit(turn->monitor);
	return !over;
}

/* Copies the points of all meshes. Called during a turn at the mesh. */
static void executor_reader_list(struct executor_reader *reader)
{
	const struct things *meshes = &reader->executor->meshes;
	uint32_t most = meshes->count * MESH_COMMAND_QUEUES_MAX;

	if (most > reader->point_room) {
		reader->points = allocate_more(reader->points, most, sizeof *reader->points);
		reader->point_room = most;
	}
	reader->point_count = 0;
	for (uint32_t i = 0; i < meshes->count; i++)
		if (meshes->at[i] != NULL)
			reader->point_count +=
				pending_points(meshes->at[i], reader->points + reader->point_count);
}

/* Answers all commands whose points have been reached. */
static void executor_reader_look(struct executor_reader *reader)
{
	struct executor *executor = reader->executor;
	struct pending *reached;
	struct served *of;

	do {
		uint32_t queue = 0;

		turn_take(&executor->mesh_turn);
		reached = pending_take(executor, &of, &queue);
		executor_reader_list(reader);
		turn_give(&executor->mesh_turn);
		if (reached != NULL)
			pending_answer(of, reached, queue);
	} while (reached != NULL);
}

static void executor_reader_loop(void *arg)
{
	struct executor_reader *reader = arg;
	bool added;

	while (executor_reader_rest(reader, &added))
		if (added || executor_reader_may_take(reader))
			executor_reader_look(reader);
}

struct executor_reader *executor_reader_start(struct executor *executor)
{
	const struct executor_settings *settings = executor->settings;
	struct executor_reader *reader = allocate(1, sizeof *reader);

	reader->executor = executor;
	turn_init(&executor->mesh_turn, "the turn at the mesh of an executor", settings->wait);
	executor_share_channel(executor);
	reader->thread = world->spawn(
		"executor reads completions", settings->place, executor_reader_loop, reader);
	return reader;
}

void executor_reader_stop(struct executor_reader *reader)
{
	struct executor *executor;

	if (reader == NULL)
		return;
	executor = reader->executor;
	world->monitor_enter(executor->mesh_turn.monitor);
	reader->over = true;
	world->monitor_notify_all(executor->mesh_turn.monitor);
	world->monitor_exit(executor->mesh_turn.monitor);
	world->join(reader->thread);
	turn_fini(&executor->mesh_turn);
	free(reader->points);
	free(reader);
}

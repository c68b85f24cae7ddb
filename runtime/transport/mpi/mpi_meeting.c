/* Meetings: MPI calls that may block for ever (mpi_process.h). Each meeting runs in a separate
 * thread. Callers poll for the end of a meeting. */
#include "mpi_process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"

struct mpi_meeting {
	atomic_int owners; /* number of owners: the caller and the thread */
	atomic_bool ended;
	enum status status;
	struct text why;
	char where[MPI_MAX_PORT_NAME]; /* the port, or the address of the name server */
	MPI_Comm comm;
};

static void mpi_meeting_end(struct mpi_meeting *meeting, enum status status)
{
	meeting->status = status;
	atomic_store(&meeting->ended, true);
	mpi_meeting_leave(meeting);
}

static void *mpi_mpi_meeting_begin(void *argument)
{
	struct mpi_meeting *meeting = argument;

	mpi_meeting_end(meeting, mpi_process_join(meeting->where, &meeting->why));
	return NULL;
}

static void met(struct mpi_meeting *meeting, int error)
{
	const struct mpi_api *api = mpi_api();

	if (error == MPI_SUCCESS)
		error = api->MPI_Comm_set_errhandler(meeting->comm, api->errors_return);
	mpi_meeting_end(meeting, error == MPI_SUCCESS ? STATUS_OK : STATUS_IO);
}

static void *mpi_meeting_accept_one(void *argument)
{
	const struct mpi_api *api = mpi_api();
	struct mpi_meeting *meeting = argument;
	int error;

	error = api->MPI_Comm_accept(meeting->where, api->no_info, 0, api->self, &meeting->comm);
	(void)api->MPI_Close_port(meeting->where);
	met(meeting, error);
	return NULL;
}

static void *mpi_meeting_connect_to(void *argument)
{
	const struct mpi_api *api = mpi_api();
	struct mpi_meeting *meeting = argument;

	met(meeting,
		api->MPI_Comm_connect(meeting->where, api->no_info, 0, api->self, &meeting->comm));
	return NULL;
}

static struct mpi_meeting *meeting_new(void)
{
	struct mpi_meeting *meeting = allocate(1, sizeof *meeting);

	atomic_init(&meeting->owners, 2);
	return meeting;
}

static struct mpi_meeting *mpi_meeting_start(struct mpi_meeting *meeting, void *(*body)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, meeting) == 0)
		pthread_detach(thread);
	else
		mpi_meeting_end(meeting, STATUS_IO);
	return meeting;
}

struct mpi_meeting *mpi_meeting_begin(const char *server)
{
	struct mpi_meeting *meeting = meeting_new();

	snprintf(meeting->where, sizeof meeting->where, "%s", server);
	return mpi_meeting_start(meeting, mpi_mpi_meeting_begin);
}

struct mpi_meeting *mpi_meeting_accept(void)
{
	const struct mpi_api *api = mpi_api();
	struct mpi_meeting *meeting = meeting_new();

	if (api->MPI_Open_port(api->no_info, meeting->where) == MPI_SUCCESS)
		return mpi_meeting_start(meeting, mpi_meeting_accept_one);
	mpi_meeting_end(meeting, STATUS_IO);
	return meeting;
}

struct mpi_meeting *mpi_meeting_connect(const char *port)
{
	struct mpi_meeting *meeting = meeting_new();

	snprintf(meeting->where, sizeof meeting->where, "%s", port);
	return mpi_meeting_start(meeting, mpi_meeting_connect_to);
}

const char *mpi_meeting_port(const struct mpi_meeting *meeting)
{
	return meeting->where;
}

bool mpi_meeting_ended(const struct mpi_meeting *meeting, enum status *status)
{
	if (!atomic_load(&meeting->ended))
		return false;
	*status = meeting->status;
	return true;
}

MPI_Comm mpi_meeting_comm(const struct mpi_meeting *meeting)
{
	return meeting->comm;
}

const char *mpi_meeting_why(const struct mpi_meeting *meeting)
{
	return text_string(&meeting->why);
}

void mpi_meeting_leave(struct mpi_meeting *meeting)
{
	if (!meeting || atomic_fetch_sub(&meeting->owners, 1) > 1)
		return;
	text_fini(&meeting->why);
	free(meeting);
}

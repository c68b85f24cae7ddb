/* Makes this process an MPI world (mpi_process.h). MPI is never finalized, because MPI_Finalize()
 * would wait for every process that was ever connected, even for a dead one. After MPI is
 * initialized, the library's environment variables are removed, so that child processes do not
 * inherit them. */
#define _GNU_SOURCE /* environ, setenv, pipe2 */
#include "mpi_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "world/world.h"

enum { KEPT_MAX = 1024, PATIENCE_MS = 20000 };

/* Settings that Open MPI reads during initialization. It uses only the loopback interface. Messages
 * go over TCP, because its shared memory does not reach processes that were started separately. It
 * makes no session directories, because a killed process would leave them behind. It installs no
 * signal handlers. It does not yield the processor while it is idle, because the code of this
 * folder does the waiting. */
static const char *const settings[][2] = {
	{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
	{"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
	{"OMPI_MCA_oob_tcp_if_include", "lo"},
	{"OMPI_MCA_btl_tcp_if_include", "lo"},
	{"OMPI_MCA_btl", "self,tcp"},
	{"OMPI_MCA_pml", "ob1"},
	{"OMPI_MCA_opal_signal", ""},
	{"OMPI_MCA_orte_create_session_dirs", "0"},
	{"OMPI_MCA_rtc", "^hwloc"},
	{"OMPI_MCA_mpi_yield_when_idle", "0"},
	{"PMIX_MCA_gds", "hash"},
};

/* Functions of LeakSanitizer; NULL in programs without it. They turn it off while the library
 * initializes: the library then leaks strings at places that suppression files cannot name. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

static struct {
	pthread_mutex_t mutex;
	pid_t process; /* process that has an MPI world; 0: none */
	pid_t host;    /* process that has started the name server; 0: none */
	char server[MPI_SERVER_BYTES];
	MPI_Comm own;
	pid_t named; /* process to which the cookie belongs */
	uint64_t cookie;
	atomic_int tags;
} here = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- the environment ---- */

static bool is_of_the_library(const char *variable)
{
	return strncmp(variable, "OMPI_", 5) == 0 || strncmp(variable, "PMIX_", 5) == 0 ||
	       strncmp(variable, "ORTE_", 5) == 0;
}

struct kept {
	char *variables[KEPT_MAX];
	uint32_t count;
};

/* Removes the library's variables from the environment and keeps them. */
static void take_out(struct kept *kept)
{
	kept->count = 0;
	for (char **at = environ; *at && kept->count < KEPT_MAX; at++)
		if (is_of_the_library(*at))
			kept->variables[kept->count++] = strdup(*at);
	for (uint32_t i = 0; i < kept->count; i++) {
		char *end = strchr(kept->variables[i], '=');

		*end = '\0';
		unsetenv(kept->variables[i]);
		*end = '=';
	}
}

/* Restores the environment variables of the user that were removed before. A variable that was set
 * after its removal keeps its new value. */
static void put_back(const struct kept *kept)
{
	for (uint32_t i = 0; i < kept->count; i++) {
		char *end = strchr(kept->variables[i], '=');

		*end = '\0';
		(void)setenv(kept->variables[i], end + 1, 0);
		*end = '=';
	}
}

static void mpi_process_drop(struct kept *kept)
{
	for (uint32_t i = 0; i < kept->count; i++)
		free(kept->variables[i]);
	free(kept);
}

static void set_all(void)
{
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		(void)setenv(settings[i][0], settings[i][1], 0);
}

/* ---- the MPI world ---- */

/* Initializes MPI. The caller must hold the mutex. */
static enum status mpi_process_begin(const char *server, struct text *why)
{
	const struct mpi_api *api = mpi_api();
	struct kept *users = allocate(1, sizeof *users), *theirs = allocate(1, sizeof *theirs);
	int level = MPI_THREAD_SINGLE, error;

	take_out(users);
	set_all();
	(void)setenv("OMPI_MCA_pmix_server_uri", server, 1);
	put_back(users);
	if (__lsan_disable)
		__lsan_disable();
	error = api->MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	if (__lsan_enable)
		__lsan_enable();
	take_out(theirs);
	put_back(users);
	mpi_process_drop(users);
	mpi_process_drop(theirs);
	if (error != MPI_SUCCESS || level != MPI_THREAD_MULTIPLE) {
		text_append(why, "Open MPI does not begin here");
		return STATUS_IO;
	}
	here.process = getpid();
	(void)api->MPI_Comm_set_errhandler(api->self, api->errors_return);
	if (api->MPI_Comm_dup(api->self, &here.own) != MPI_SUCCESS)
		return STATUS_IO;
	(void)api->MPI_Comm_set_errhandler(here.own, api->errors_return);
	if (here.server != server)
		snprintf(here.server, sizeof here.server, "%s", server);
	return STATUS_OK;
}

/* Checks that this process may use MPI. The caller must hold the mutex. */
static enum status mpi_process_check(struct text *why)
{
	if (!mpi_api())
		text_append(why, "Open MPI is not on this machine");
	else if (here.process && here.process != getpid())
		text_append(why, "this process was forked from one that has used Open MPI");
	else
		return STATUS_OK;
	return STATUS_UNSUPPORTED;
}

enum status mpi_process_join(const char *server, struct text *why)
{
	enum status status;

	pthread_mutex_lock(&here.mutex);
	status = mpi_process_check(why);
	if (status == STATUS_OK && here.process == 0) {
		status = mpi_process_begin(server, why);
	} else if (status == STATUS_OK && strcmp(server, here.server) != 0) {
		text_append(why, "this process has an MPI world already, which another hub's name "
				 "server knows");
		status = STATUS_UNSUPPORTED;
	}
	pthread_mutex_unlock(&here.mutex);
	return status;
}

/* ---- the name server ---- */

/* Runs in the child process: executes the server. The server is killed when its parent thread
 * ends. */
static void be_server(int report, pid_t parent, char **environment)
{
	static char name[] = "ompi-server", foreground[] = "--no-daemonize", to[] = "-r",
		    errors[] = "+";
	char *const arguments[] = {name, foreground, to, errors, NULL};
	int nowhere = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || nowhere < 0)
		_exit(1);
	dup2(nowhere, 0);
	dup2(nowhere, 1);
	dup2(report, 2);
	execvpe(name, arguments, environment);
	_exit(1);
}

/* Returns the user's environment plus the variables in `settings`. The caller frees the array and
 * its strings. */
static char **server_environment(void)
{
	struct kept *users = allocate(1, sizeof *users), *ours = allocate(1, sizeof *ours);
	char **environment;
	size_t count = 0;

	take_out(users);
	set_all();
	put_back(users);
	while (environ[count])
		count++;
	environment = allocate(count + 1, sizeof *environment);
	for (size_t i = 0; i < count; i++)
		environment[i] = strdup(environ[i]);
	take_out(ours);
	put_back(users);
	mpi_process_drop(users);
	mpi_process_drop(ours);
	return environment;
}

/* Reads one line, which contains the address of the server. Returns false if the server did not
 * start. */
static bool read_report(int report)
{
	struct pollfd polls = {report, POLLIN, 0};
	size_t count = 0;

	while (count < sizeof here.server - 1) {
		if (poll(&polls, 1, PATIENCE_MS) != 1 || read(report, here.server + count, 1) != 1)
			return false;
		if (here.server[count] == '\n')
			break;
		count++;
	}
	here.server[count] = '\0';
	return strstr(here.server, "tcp") != NULL;
}

struct keeping {
	int report;
	char **environment;
};

static void keeping_free(struct keeping *keeping)
{
	close(keeping->report);
	for (char **at = keeping->environment; *at; at++)
		free(*at);
	free(keeping->environment);
	free(keeping);
}

/* Starts the server and waits for ever. This thread must live as long as the process, because the
 * server dies with its parent thread. */
static void *mpi_process_keep(void *argument)
{
	struct keeping *keeping = argument;
	pid_t parent = getpid(), server = fork();

	if (server == 0)
		be_server(keeping->report, parent, keeping->environment);
	keeping_free(keeping);
	if (server > 0)
		while (waitpid(server, NULL, 0) < 0 && errno == EINTR)
			continue;
	return NULL;
}

/* Starts the name server. The caller must hold the mutex. */
static enum status mpi_process_serve(struct text *why)
{
	struct keeping *keeping;
	pthread_t thread;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return STATUS_IO;
	keeping = allocate(1, sizeof *keeping);
	*keeping = (struct keeping){ends[1], server_environment()};
	if (pthread_create(&thread, NULL, mpi_process_keep, keeping) == 0) {
		pthread_detach(thread);
	} else {
		keeping_free(keeping);
		close(ends[0]);
		return STATUS_IO;
	}
	/* Keep the pipe open although nobody reads it, so that later output of the server does not
	 * fail. */
	if (read_report(ends[0])) {
		here.host = getpid();
		return STATUS_OK;
	}
	close(ends[0]);
	text_append(why, "ompi-server, which Debian has in openmpi-bin, does not run here");
	return STATUS_UNSUPPORTED;
}

enum status mpi_process_host(struct text *why)
{
	struct text own = {0};
	enum status status;

	pthread_mutex_lock(&here.mutex);
	status = mpi_process_check(&own);
	/* If a member of this process has already joined a world, the members of this hub use the
	 * name server of that world. */
	if (status == STATUS_OK && here.process == 0 && here.host == 0)
		status = mpi_process_serve(&own);
	if (status == STATUS_OK && here.process == 0)
		status = mpi_process_begin(here.server, &own);
	pthread_mutex_unlock(&here.mutex);
	if (status != STATUS_OK && why)
		text_append(why, own.length > 0 ? text_string(&own) : "Open MPI cannot begin");
	text_fini(&own);
	return status;
}

/* ---- identity of this process ---- */

const char *mpi_process_server(void)
{
	return here.server;
}

uint64_t mpi_process_cookie(void)
{
	uint64_t cookie;

	pthread_mutex_lock(&here.mutex);
	/* A process in another container may have the same pid. So the cookie also contains the
	 * time. */
	if (here.named != getpid())
		here.cookie = (uint64_t)getpid() << 44 ^ (uint64_t)world->now_ns();
	here.named = getpid();
	cookie = here.cookie;
	pthread_mutex_unlock(&here.mutex);
	return cookie;
}

MPI_Comm mpi_process_own(void)
{
	return here.own;
}

int mpi_process_tags(void)
{
	return atomic_fetch_add(&here.tags, 2);
}

/* Open MPI without meshsim's own code (see bare.h). Two MPI worlds with one rank each connect
 * through a port and use blocking calls, like Open MPI's own latency tests. There is no launcher.
 * Instead, a name server resolves the port; it ends with the process that listens. The library is
 * loaded with dlopen(), because SimGrid has functions with the same names. */
#include "bare.h"

#if MESHSIM_MPI
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"

#define FUNCTIONS(X)                                                                               \
	X(MPI_Init_thread)                                                                         \
	X(MPI_Open_port)                                                                           \
	X(MPI_Comm_accept)                                                                         \
	X(MPI_Comm_connect)                                                                        \
	X(MPI_Send)                                                                                \
	X(MPI_Recv)

struct bare_mpi {
#define X(function) __typeof__(function) *function;
	FUNCTIONS(X)
#undef X
	MPI_Comm own;
	MPI_Datatype byte;
	MPI_Info none;
	MPI_Comm other; /* NULL: not connected yet */
	char port[MPI_MAX_PORT_NAME];
};

static void bare_mpi_find(void *library, const char *name, void *pointer)
{
	void *symbol = dlsym(library, name);

	ensure(symbol, "Open MPI has no %s", name);
	memcpy(pointer, &symbol, sizeof symbol);
}

/* Loads the library with global symbols, which its own modules need. */
static struct bare_mpi *bare_mpi_load(void)
{
	struct bare_mpi *self = allocate(1, sizeof *self);
	void *library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);

	ensure(library, "Open MPI is not on this machine");
#define X(function) bare_mpi_find(library, #function, &self->function);
	FUNCTIONS(X)
#undef X
	bare_mpi_find(library, "ompi_mpi_comm_self", &self->own);
	bare_mpi_find(library, "ompi_mpi_byte", &self->byte);
	bare_mpi_find(library, "ompi_mpi_info_null", &self->none);
	return self;
}

/* Settings as in runtime/transport/mpi: loopback, TCP, no files. */
static void set_up(void)
{
	static const char *const settings[][2] = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
		{"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}, {"OMPI_MCA_oob_tcp_if_include", "lo"},
		{"OMPI_MCA_btl_tcp_if_include", "lo"}, {"OMPI_MCA_btl", "self,tcp"},
		{"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_orte_create_session_dirs", "0"},
		{"OMPI_MCA_rtc", "^hwloc"}, {"OMPI_MCA_mpi_yield_when_idle", "1"},
		{"PMIX_MCA_gds", "hash"}};

	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		(void)setenv(settings[i][0], settings[i][1], 1);
}

static struct bare_mpi *begin(const char *server)
{
	struct bare_mpi *self = bare_mpi_load();
	int level;

	set_up();
	(void)setenv("OMPI_MCA_pmix_server_uri", server, 1);
	ensure(self->MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &level) == MPI_SUCCESS,
		"no world");
	return self;
}

static void start_server(char *server, size_t size)
{
	int report[2];
	FILE *from;
	pid_t child;

	ensure(pipe(report) == 0, "no pipe");
	child = fork();
	ensure(child >= 0, "cannot fork");
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		set_up();
		dup2(report[1], 2);
		execlp("ompi-server", "ompi-server", "--no-daemonize", "-r", "+", (char *)NULL);
		_exit(1);
	}
	close(report[1]);
	from = fdopen(report[0], "r");
	ensure(from && fgets(server, (int)size, from), "no ompi-server");
	server[strcspn(server, "\n")] = '\0';
}

static void *bare_mpi_listen_at(char address[BARE_ADDRESS_BYTES])
{
	char server[BARE_ADDRESS_BYTES];
	struct bare_mpi *self;

	start_server(server, sizeof server);
	self = begin(server);
	ensure(self->MPI_Open_port(self->none, self->port) == MPI_SUCCESS, "no port");
	ensure(snprintf(address, BARE_ADDRESS_BYTES, "%s %s", server, self->port) <
			BARE_ADDRESS_BYTES,
		"the port's name is too long");
	return self;
}

static void *bare_mpi_connect_to(const char *address)
{
	const char *port = strchr(address, ' ') + 1;
	char server[BARE_ADDRESS_BYTES];
	struct bare_mpi *self;

	snprintf(server, sizeof server, "%.*s", (int)(port - 1 - address), address);
	self = begin(server);
	ensure(self->MPI_Comm_connect(port, self->none, 0, self->own, &self->other) == MPI_SUCCESS,
		"cannot connect to %s", port);
	return self;
}

static void bare_mpi_say(void *bare, const uint8_t *payload, uint32_t bytes)
{
	struct bare_mpi *self = bare;

	ensure(self->MPI_Send(payload, (int)bytes, self->byte, 0, 0, self->other) == MPI_SUCCESS,
		"nothing left");
}

static void bare_mpi_hear(void *bare, uint8_t *payload, uint32_t bytes)
{
	struct bare_mpi *self = bare;

	if (!self->other)
		ensure(self->MPI_Comm_accept(self->port, self->none, 0, self->own, &self->other) ==
				MPI_SUCCESS,
			"no member joins");
	ensure(self->MPI_Recv(payload, (int)bytes, self->byte, 0, 0, self->other,
		       MPI_STATUS_IGNORE) == MPI_SUCCESS,
		"nothing came");
}

const struct bare_library bare_mpi = {.row = "mpi",
	.once = true,
	.listen = bare_mpi_listen_at,
	.connect = bare_mpi_connect_to,
	.say = bare_mpi_say,
	.hear = bare_mpi_hear};

#else

const struct bare_library bare_mpi = {.row = "mpi"};

#endif

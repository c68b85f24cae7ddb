/* Runs the commands that start executors on other machines, for example `ssh` or `srun`
 * (registrar.h). */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "registrar_private.h"

/* Time that a command has to end after its executor has ended. */
enum { END_MS = 5000 };

_Noreturn static void be_command(uint32_t host, const char *address)
{
	char number[16];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (!freopen("/dev/null", "r", stdin))
		_exit(127);
	snprintf(number, sizeof number, "%u", host);
	setenv("MESHSIM_HOST", number, 1);
	setenv("MESHSIM_CONTROLLER", address, 1);
	signal(SIGPIPE, SIG_DFL);
	execl("/bin/sh", "sh", "-c", registrar.request->start, (char *)NULL);
	_exit(127);
}

enum status registrar_start_commands(const char *address, struct text *why)
{
	if (registrar.request->start == NULL)
		return STATUS_OK;
	registrar.commands = allocate(registrar.hosts, sizeof *registrar.commands);
	fflush(NULL);
	for (uint32_t i = 0; i < registrar.hosts; i++) {
		registrar.commands[i] = fork();
		if (registrar.commands[i] == 0)
			be_command(i, address);
		if (registrar.commands[i] < 0)
			return refuse(
				why, STATUS_CLOSED, "cannot start a command: %s", strerror(errno));
		setpgid(registrar.commands[i], registrar.commands[i]);
	}
	return STATUS_OK;
}

bool registrar_commands_live(struct text *why)
{
	for (uint32_t i = 0; registrar.commands && i < registrar.hosts; i++) {
		int code;

		if (registrar.commands[i] <= 0 ||
			waitpid(registrar.commands[i], &code, WNOHANG) <= 0)
			continue;
		registrar.commands[i] = 0;
		if (WIFEXITED(code) && WEXITSTATUS(code) == 0)
			continue; /* the command may have started the executor in the background */
		text_printf(why, "the command of host-%u failed (--start) with %s %d", i,
			WIFEXITED(code) ? "exit code" : "signal",
			WIFEXITED(code) ? WEXITSTATUS(code) : WTERMSIG(code));
		return false;
	}
	return true;
}

void registrar_end_commands(void)
{
	const struct timespec moment = {.tv_nsec = 10000000};
	int left = END_MS / 10;

	for (uint32_t i = 0; registrar.commands && i < registrar.hosts; i++) {
		pid_t command = registrar.commands[i];
		bool ended = command <= 0;

		for (; !ended && left > 0; left--) {
			ended = waitpid(command, NULL, WNOHANG) != 0;
			if (!ended)
				nanosleep(&moment, NULL);
		}
		if (!ended) {
			kill(-command, SIGKILL);
			(void)waitpid(command, NULL, 0);
		}
	}
	free(registrar.commands);
	registrar.commands = NULL;
}

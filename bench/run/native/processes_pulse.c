/* Heartbeats of the hosts' processes (processes.h). */
#include "processes.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "world/world.h"

/* Time between two calls of pulse_look() counts as silence of the other process, but at most this
 * much. If more time has passed, this process itself was stopped for the rest of the time. */
#define LOOK_NS_MAX (INT64_C(2000000) * PULSE_MS)

bool pulse_open(struct pulse *pulse)
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pulse->ends) == 0;
}

static void *processes_pulse_answer(void *context)
{
	const struct pulse *pulse = context;
	char byte;

	while (read(pulse->ends[1], &byte, 1) == 1)
		if (send(pulse->ends[1], &byte, 1, MSG_NOSIGNAL) != 1)
			break;
	return NULL;
}

void pulse_serve(struct pulse *pulse)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, processes_pulse_answer, pulse) == 0)
		pthread_detach(thread);
}

/* Returns the state letter in /proc/N/stat, which follows the name in parentheses. Returns 0 if
 * there is no such letter. */
static char processes_pulse_state_of(pid_t process)
{
	char path[64], line[512] = "", *end;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (!fgets(line, sizeof line, file))
		line[0] = '\0';
	fclose(file);
	end = strrchr(line, ')');
	return end && end[1] ? end[2] : 0;
}

const char *pulse_state(pid_t process)
{
	char state = processes_pulse_state_of(process);

	return state == 'T'   ? "is stopped"
	       : state == 't' ? "is held by a debugger"
			      : "does not answer";
}

enum pulse_beat pulse_look(struct pulse *pulse, pid_t process, uint32_t silent_s, uint32_t lost_s)
{
	const int64_t second = 1000000000, now_ns = world->now_ns();
	int64_t passed_ns = now_ns - pulse->at_ns;
	char byte;

	if (pulse->asked && recv(pulse->ends[0], &byte, 1, MSG_DONTWAIT) == 1) {
		pulse->asked = pulse->said = false;
		pulse->silent_ns = 0;
	} else if (pulse->asked) {
		pulse->silent_ns += passed_ns < LOOK_NS_MAX ? passed_ns : LOOK_NS_MAX;
	}
	pulse->at_ns = now_ns;
	if (!pulse->asked)
		pulse->asked = send(pulse->ends[0], "?", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
	if (lost_s > 0 && pulse->silent_ns >= lost_s * second &&
		processes_pulse_state_of(process) != 't')
		return PULSE_LOST;
	if (silent_s > 0 && pulse->silent_ns >= silent_s * second && !pulse->said) {
		pulse->said = true;
		return PULSE_SILENT;
	}
	return PULSE_FINE;
}

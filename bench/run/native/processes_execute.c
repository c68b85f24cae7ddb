/* Runs the executor of a host in a forked process (processes.h). */
#include "processes.h"

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bench/run/runner.h"
#include "transport/proof.h"
#include "world/native/native.h"

static bool hear_address(int in, char *address)
{
	for (size_t done = 0; done < PROCESS_ADDRESS_BYTES;) {
		ssize_t some = read(in, address + done, PROCESS_ADDRESS_BYTES - done);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return false;
		done += (size_t)some;
	}
	return address[PROCESS_ADDRESS_BYTES - 1] == '\0';
}

static void tell_end(struct process_report *report, enum status status, const struct text *why)
{
	report->status = status;
	snprintf(report->why, sizeof report->why, "%s", text_string(why));
	native_world_counts(&report->counts);
	__atomic_store_n(&report->complete, true, __ATOMIC_RELEASE);
}

/* Runs the executor. If links lead to other executors, the executor listens for them at a separate
 * address: a path in the folder of the controller's address, or a free port. */
static enum status processes_execute_at(const struct client *client, uint32_t host,
	const char *address, struct cluster *cluster, struct text *why)
{
	char at[PROCESS_ADDRESS_BYTES + 16];
	struct client_ground ground = *client->ground;
	struct client own = *client;

	if (address[0] == '/')
		snprintf(at, sizeof at, "%s-%u", address, host);
	else
		snprintf(at, sizeof at, "127.0.0.1:0");
	ground.link_address = at;
	own.ground = &ground;
	return client_executor(&own, host, address, cluster, why);
}

_Noreturn void process_execute(
	const struct client *client, uint32_t host, const struct process_self *self)
{
	const struct cluster_info *info =
		platform_host_cluster(client->plan->platform, (uint16_t)host);
	enum status status = STATUS_NO_MEMORY;
	char address[PROCESS_ADDRESS_BYTES];
	struct cluster *cluster;
	struct text why = {0};

	prctl(PR_SET_NAME, self->name);
	if (!hear_address(self->talk, address))
		_exit(EXIT_BUG);
	status = processes_stay(client->plan->platform, host, &why);
	if (status != STATUS_OK) {
		tell_end(self->report, status, &why);
		_exit(EXIT_GOOD);
	}
	status = STATUS_NO_MEMORY;
	cluster = native_cluster_new(info);
	if (cluster != NULL) {
		pulse_serve(self->pulse);
		processes_watch_serve(self->talk, cluster, host * info->chip_count);
		status = processes_execute_at(client, host, address, cluster, &why);
	} else
		text_append(&why, "no memory for the emulated chips");
	proof_key_free(self->key);
	tell_end(self->report, status, &why);
	fflush(NULL);
	_exit(EXIT_GOOD);
}

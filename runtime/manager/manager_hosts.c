/* What agents report: checks reports, keeps the last one of each host, and makes of all of them the
 * machine that jobs can have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "manager_private.h"

enum { MANAGER_NS_PER_MS = 1000000 };

void manager_say(struct json *json, const char *status, const char *why)
{
	json_text(json, "status", status);
	if (why)
		json_text(json, "why", why);
}

void manager_errors(const struct diag *diag, struct text *why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		diag_print(diag, out);
		fclose(out);
	}
	text_append(why, text ? text : "");
	free(text);
}

/* ---- hosts ---- */

/* Returns the index of the host with this name, or of the first one after it. */
static uint32_t host_slot(const struct manager *manager, const char *name)
{
	uint32_t low = 0, high = manager->host_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(manager->hosts[middle].report->host, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct manager_host *find_host(const struct manager *manager, const char *name)
{
	uint32_t slot = host_slot(manager, name);
	bool is_there =
		slot < manager->host_count && strcmp(manager->hosts[slot].report->host, name) == 0;

	return is_there ? &manager->hosts[slot] : NULL;
}

bool manager_host_is_fresh(
	const struct manager *manager, const struct manager_host *host, int64_t now_ns)
{
	return host->heard && now_ns - host->heard_ns <= manager->options.stale_ns;
}

struct manager_host *manager_keep_report(struct manager *manager, struct manager_request *report)
{
	struct manager_host *host = find_host(manager, report->host);
	uint32_t slot = host_slot(manager, report->host);

	if (host) {
		manager_request_free(host->report);
		host->report = report;
		return host;
	}
	if (manager->host_count == manager->host_capacity) {
		manager->host_capacity = manager->host_capacity ? 2 * manager->host_capacity : 16;
		manager->hosts = allocate_more(
			manager->hosts, manager->host_capacity, sizeof *manager->hosts);
	}
	memmove(&manager->hosts[slot + 1], &manager->hosts[slot],
		(manager->host_count - slot) * sizeof *manager->hosts);
	manager->host_count++;
	manager->hosts[slot] = (struct manager_host){.report = report};
	return &manager->hosts[slot];
}

static const struct manager_chip *report_chip(const struct manager_request *report, uint64_t id)
{
	for (uint32_t i = 0; i < report->chip_count; i++)
		if (report->chips[i].id == id)
			return &report->chips[i];
	return NULL;
}

/* ---- checking reports ---- */

/* Returns the other host that reports one of these chips, and sets *id to the chip. */
static const struct manager_host *find_rival(const struct manager *manager,
	const struct manager_request *report, int64_t now_ns, uint64_t *id)
{
	for (uint32_t h = 0; h < manager->host_count; h++) {
		const struct manager_host *host = &manager->hosts[h];

		if (strcmp(host->report->host, report->host) == 0 ||
			!manager_host_is_fresh(manager, host, now_ns))
			continue;
		for (uint32_t i = 0; i < report->chip_count; i++)
			if (report_chip(host->report, report->chips[i].id)) {
				*id = report->chips[i].id;
				return host;
			}
	}
	return NULL;
}

/* Returns true if the report contradicts itself, and appends how to `why`. */
static bool report_is_unsound(const struct manager_request *report, struct text *why)
{
	for (uint32_t i = 0; i < report->chip_count; i++)
		if (report_chip(report, report->chips[i].id) != &report->chips[i])
			text_printf(why, "it reports chip %llu twice",
				(unsigned long long)report->chips[i].id);
	for (uint32_t i = 0; i < report->channel_count && why->length == 0; i++)
		if (!report_chip(report, report->channels[i].chip))
			text_printf(why,
				"it reports a channel of chip %llu, which it does not have",
				(unsigned long long)report->channels[i].chip);
	return why->length > 0;
}

/* Decides if a report may replace the last one of its host. Otherwise appends the reason. */
static bool report_is_taken(const struct manager *manager, const struct manager_request *report,
	int64_t now_ns, struct text *why)
{
	const struct manager_host *host = find_host(manager, report->host), *rival;
	uint64_t id;

	if (report_is_unsound(report, why))
		return false;
	if (!host && manager->host_count == MANAGER_HOSTS_MAX) {
		text_append(why, "there are too many hosts");
		return false;
	}
	if (host && strcmp(host->report->session, report->session) != 0 &&
		manager_host_is_fresh(manager, host, now_ns)) {
		text_printf(why, "another agent reports for host %s", report->host);
		return false;
	}
	if (host && strcmp(host->report->session, report->session) == 0 &&
		report->sequence <= host->report->sequence) {
		text_printf(why, "report %llu is not newer than report %llu",
			(unsigned long long)report->sequence,
			(unsigned long long)host->report->sequence);
		return false;
	}
	rival = find_rival(manager, report, now_ns, &id);
	if (rival)
		text_printf(why, "chip %llu is reported by host %s", (unsigned long long)id,
			rival->report->host);
	return !rival;
}

static bool same_chip(const struct manager_chip *a, const struct manager_chip *b)
{
	return a->id == b->id && a->tray == b->tray && a->location == b->location &&
	       a->device == b->device && a->pcie == b->pcie && a->paired == b->paired &&
	       a->bad == b->bad;
}

static bool same_channel(const struct manager_channel *a, const struct manager_channel *b)
{
	return a->chip == b->chip && a->channel == b->channel && a->to == b->to &&
	       a->to_channel == b->to_channel && a->bad == b->bad;
}

/* Returns true if the host's last report says the same, so that the store has it. Most reports do:
 * they only say that the host is not silent. */
static bool report_is_kept(const struct manager *manager, const struct manager_request *report)
{
	const struct manager_host *host = find_host(manager, report->host);
	const struct manager_request *last = host ? host->report : NULL;
	bool same = last && strcmp(last->session, report->session) == 0 &&
		    last->chip_count == report->chip_count &&
		    last->channel_count == report->channel_count;

	for (uint32_t i = 0; same && i < report->chip_count; i++)
		same = same_chip(&last->chips[i], &report->chips[i]);
	for (uint32_t i = 0; same && i < report->channel_count; i++)
		same = same_channel(&last->channels[i], &report->channels[i]);
	return same;
}

static void write_jobs_of_host(const struct manager *manager, const char *host, struct json *json)
{
	json_array_of(json, "jobs");
	for (uint32_t j = 0; j < manager->job_count; j++) {
		const struct manager_job *job = manager->jobs[j];

		for (uint32_t r = 0; r < job->host_count; r++) {
			if (strcmp(job->hosts[r], host) != 0)
				continue;
			json_object(json);
			json_text(json, "job", job->job);
			json_unsigned_of(json, "rank", r);
			json_text(json, "devices", job->devices[r]);
			json_object_end(json);
		}
	}
	json_array_end(json);
}

void manager_take_report(struct manager *manager, struct manager_request *report, int64_t now_ns,
	const char *bytes, size_t length, struct json *json)
{
	struct text why = {0};
	struct manager_host *host;

	if (!report_is_taken(manager, report, now_ns, &why)) {
		manager->refused++;
		manager_say(json, "refused", text_string(&why));
		manager_request_free(report);
	} else if (!report_is_kept(manager, report) &&
		   store_put(manager->options.store, STORE_HOSTS, report->host, bytes, length) !=
			   STATUS_OK) {
		manager_say(json, "failed", "the report could not be stored");
		manager_request_free(report);
	} else {
		host = manager_keep_report(manager, report);
		host->heard = true;
		host->heard_ns = now_ns;
		manager_say(json, "ok", NULL);
		write_jobs_of_host(manager, report->host, json);
	}
	text_fini(&why);
}

/* ---- the machine ---- */

static int compare_ids(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Returns the chips of all jobs but `without`, in ascending order. */
static uint64_t *taken_chips(
	const struct manager *manager, const struct manager_job *without, uint32_t *count)
{
	uint64_t *taken;
	uint32_t room = 1;

	for (uint32_t j = 0; j < manager->job_count; j++)
		room += manager->jobs[j]->chip_count;
	taken = allocate(room, sizeof *taken);
	*count = 0;
	for (uint32_t j = 0; j < manager->job_count; j++)
		for (uint32_t i = 0;
			manager->jobs[j] != without && i < manager->jobs[j]->chip_count; i++)
			taken[(*count)++] = manager->jobs[j]->chips[i];
	qsort(taken, *count, sizeof *taken, compare_ids);
	return taken;
}

/* Adds the chips of a host that are good and free. The chips of a paired tray form a board. */
static void manager_add_chips(struct machine *machine, const struct manager_request *report,
	const uint64_t *taken, uint32_t taken_count)
{
	const uint32_t first = machine->chip_count;

	for (uint32_t i = 0; i < report->chip_count; i++) {
		const struct manager_chip *chip = &report->chips[i];
		struct machine_chip added = {.id = chip->id,
			.host = machine_host(machine, report->host),
			.tray = chip->tray,
			.location = chip->location,
			.board = MACHINE_NONE,
			.device = chip->device,
			.pcie = chip->pcie,
			.place = {-1, -1, -1, -1}};

		if (chip->bad || bsearch(&chip->id, taken, taken_count, sizeof *taken, compare_ids))
			continue;
		for (uint32_t k = first; chip->paired && k < machine->chip_count; k++)
			if (machine->chips[k].tray == chip->tray)
				added.board = machine->chips[k].board;
		if (chip->paired && added.board == MACHINE_NONE)
			added.board = machine->board_count++;
		(void)machine_add_chip(machine, added);
	}
}

static void manager_add_channels(struct machine *machine, const struct manager_request *report)
{
	for (uint32_t i = 0; i < report->channel_count; i++) {
		const struct manager_channel *channel = &report->channels[i];
		uint32_t a = machine_find(machine, channel->chip);
		uint32_t b = machine_find(machine, channel->to);

		if (!channel->bad && a != MACHINE_NONE && b != MACHINE_NONE)
			(void)machine_list_channel(machine, a, channel->channel, b,
				channel->to_channel, MACHINE_LIST_CHIP, (struct location){0});
	}
}

struct machine *manager_machine(
	const struct manager *manager, int64_t now_ns, const struct manager_job *without, bool all)
{
	struct machine *machine = machine_new();
	uint32_t count;
	uint64_t *taken = taken_chips(manager, without, &count);

	if (all)
		count = 0;
	for (uint32_t h = 0; h < manager->host_count; h++)
		if (manager_host_is_fresh(manager, &manager->hosts[h], now_ns))
			manager_add_chips(machine, manager->hosts[h].report, taken, count);
	for (uint32_t h = 0; h < manager->host_count; h++)
		if (manager_host_is_fresh(manager, &manager->hosts[h], now_ns))
			manager_add_channels(machine, manager->hosts[h].report);
	machine_finish(machine);
	free(taken);
	return machine;
}

/* ---- what happens to a job ---- */

static const struct manager_host *host_of_chip(const struct manager *manager, uint64_t id)
{
	for (uint32_t h = 0; h < manager->host_count; h++)
		if (report_chip(manager->hosts[h].report, id))
			return &manager->hosts[h];
	return NULL;
}

static bool sees_channel(const struct manager *manager, uint64_t chip, uint32_t channel,
	uint64_t to, uint32_t to_channel)
{
	const struct manager_host *host = host_of_chip(manager, chip);

	for (uint32_t i = 0; host && i < host->report->channel_count; i++) {
		const struct manager_channel *seen = &host->report->channels[i];

		if (seen->chip == chip && seen->channel == channel && seen->to == to &&
			seen->to_channel == to_channel)
			return !seen->bad;
	}
	return false;
}

void manager_notices(const struct manager *manager, const struct manager_job *job, int64_t now_ns,
	struct json *json)
{
	struct text text = {0};

	json_array_of(json, "notices");
	for (uint32_t i = 0; i < job->chip_count; i++) {
		const struct manager_host *host = host_of_chip(manager, job->chips[i]);
		const char *what = NULL;

		if (!host)
			what = "is reported by nobody";
		else if (!manager_host_is_fresh(manager, host, now_ns))
			what = "is on a silent host";
		else if (report_chip(host->report, job->chips[i])->bad)
			what = "is bad";
		if (!what)
			continue;
		text_clear(&text);
		text_printf(&text, "chip %llu %s%s%s", (unsigned long long)job->chips[i], what,
			host ? ": " : "", host ? host->report->host : "");
		json_string(json, text_string(&text));
	}
	for (uint32_t i = 0; i < job->cable_count; i++) {
		const struct manager_channel *cable = &job->cables[i];

		if (sees_channel(
			    manager, cable->chip, cable->channel, cable->to, cable->to_channel) &&
			sees_channel(
				manager, cable->to, cable->to_channel, cable->chip, cable->channel))
			continue;
		text_clear(&text);
		text_printf(&text, "channel %u of chip %llu to chip %llu is down", cable->channel,
			(unsigned long long)cable->chip, (unsigned long long)cable->to);
		json_string(json, text_string(&text));
	}
	json_array_end(json);
	text_fini(&text);
}

void manager_hosts_members(const struct manager *manager, int64_t now_ns, struct json *json)
{
	json_array_of(json, "hosts");
	for (uint32_t h = 0; h < manager->host_count; h++) {
		const struct manager_host *host = &manager->hosts[h];
		uint32_t bad = 0;

		for (uint32_t i = 0; i < host->report->chip_count; i++)
			bad += host->report->chips[i].bad;
		json_object(json);
		json_text(json, "host", host->report->host);
		json_unsigned_of(json, "chips", host->report->chip_count);
		json_unsigned_of(json, "bad_chips", bad);
		json_bool_of(json, "silent", !manager_host_is_fresh(manager, host, now_ns));
		json_key(json, "age_ms");
		if (host->heard)
			json_integer(json, (now_ns - host->heard_ns) / MANAGER_NS_PER_MS);
		else
			json_null(json);
		json_object_end(json);
	}
	json_array_end(json);
}

/* The table of notifications (spec 4.8.2.2). An entry lists the hosts that must still answer a
 * command. The reader thread enters the answers in the table, and the main thread waits for them.
 * If no thread is dedicated to receiving, the main thread receives the answers itself while it
 * waits. An unexpected answer is ignored unless it reports a failure. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "controller_private.h"
#include "distributed/common/described.h"

void table_init(struct table *table)
{
	table->told = world->monitor_new("answers of executors");
	table->last = &table->first;
}

static void awaited_free(struct awaited *awaited)
{
	for (uint32_t i = 0; i < DISTRIBUTED_HOSTS_MAX; i++)
		free(awaited->pieces[i]);
	free(awaited);
}

void table_fini(struct table *table)
{
	while (table->first != NULL) {
		struct awaited *first = table->first;

		table->first = first->next;
		awaited_free(first);
	}
	world->monitor_free(table->told);
	text_fini(&table->fault_why);
	text_fini(&table->late_why);
}

struct awaited *table_await(struct controller *controller, struct mesh_parts *parts,
	enum awaited_kind kind, uint64_t number, uint32_t hosts)
{
	struct table *table = &controller->table;
	struct awaited *made = allocate(1, sizeof *made);

	made->parts = parts;
	made->kind = kind;
	made->number = number;
	made->hosts = hosts;
	world->monitor_enter(table->told);
	*table->last = made;
	table->last = &made->next;
	world->monitor_exit(table->told);
	return made;
}

/* ---- inside the monitor ---- */

void table_take_off(struct table *table, struct awaited *awaited)
{
	struct awaited **link = &table->first;

	while (*link != awaited)
		link = &(*link)->next;
	*link = awaited->next;
	if (table->last == &awaited->next)
		table->last = link;
	awaited_free(awaited);
}

static struct awaited *table_find(struct table *table, uint64_t number)
{
	struct awaited *awaited = table->first;

	while (awaited != NULL && awaited->number != number)
		awaited = awaited->next;
	return awaited;
}

static void be_late(struct controller *controller, uint32_t host, enum status status,
	const char *what, uint32_t length)
{
	struct table *table = &controller->table;

	if (table->late != STATUS_OK)
		return;
	table->late = status;
	text_clear(&table->late_why);
	text_printf(&table->late_why, "host %s: %.*s", controller->hosts[host].name,
		length > 0 ? (int)length : (int)strlen(status_message(status)),
		length > 0 ? what : status_message(status));
}

/* Removes a host from the hosts that must still answer an entry. */
static void table_settle(
	struct controller *controller, struct awaited *awaited, uint32_t host, enum status status)
{
	if (status != STATUS_OK)
		awaited->status = status;
	awaited->hosts &= ~(1u << host);
	if (awaited->hosts != 0)
		return;
	if (awaited->call.operation != 0 && awaited->status == STATUS_OK)
		world->mark(awaited->call.operation, MARK_SEEN, awaited->call.queue);
	if (!awaited->kept) {
		if (awaited->status != STATUS_OK)
			be_late(controller, host, awaited->status, "", 0);
		table_take_off(&controller->table, awaited);
	}
	world->monitor_notify_all(controller->table.told);
}

/* ---- answers of hosts ---- */

static void take_data(struct controller *controller, uint32_t host, struct awaited *awaited,
	const struct wire_read_data *answer)
{
	const struct part *part = &awaited->parts->part[host];
	uint64_t bytes = awaited->spread.device_bytes;
	bool plain = awaited->one ||
		     (awaited->spread.replicated_rows && awaited->spread.replicated_columns);
	uint8_t *to = awaited->data;

	if (!plain)
		bytes *= part_shards(part, &awaited->spread);
	if (answer->bytes != bytes || answer->offset > bytes ||
		answer->data.count > bytes - answer->offset) {
		table_settle(controller, awaited, host, STATUS_INVALID);
		return;
	}
	if (!plain && awaited->pieces[host] == NULL)
		awaited->pieces[host] = allocate(1, bytes);
	if (!plain)
		to = awaited->pieces[host];
	memcpy(to + answer->offset, answer->data.at, answer->data.count);
	world->work_copy(answer->data.count, MEMORY_CACHED, MEMORY_CACHED);
	if (answer->offset + answer->data.count < bytes)
		return;
	if (!plain) {
		part_scatter(part, &awaited->spread, to, awaited->data);
		world->work_copy(bytes, MEMORY_CACHED, MEMORY_CACHED);
	}
	table_settle(controller, awaited, host, STATUS_OK);
}

static void take_opened(
	struct mesh_parts *parts, uint32_t host, const struct wire_mesh_opened *answer)
{
	for (uint32_t i = 0; i < answer->memories.count; i++) {
		struct wire_memory memory = answer->memories.at[i];

		memory.first = option_value(memory.first);
		memory.bytes = option_value(memory.bytes);
		if (memory.type < BUFFER_TYPE_COUNT)
			parts->memories[host][memory.type] = memory;
	}
}

static void take_words(struct controller *controller, uint32_t host, struct awaited *awaited,
	const struct wire_told *answer)
{
	bool good = answer->words.count == awaited->words_count;

	if (good && answer->words.count > 0)
		memcpy(awaited->words[host], answer->words.at,
			answer->words.count * sizeof *answer->words.at);
	table_settle(controller, awaited, host, good ? STATUS_OK : STATUS_INVALID);
}

static void take_inside(
	struct controller *controller, uint32_t host, const struct wire_command *answer)
{
	struct awaited *awaited = table_find(&controller->table, answer->head.number);
	const struct wire_completed *completed = &answer->completed;
	bool owed = awaited != NULL && (awaited->hosts >> host & 1) != 0;

	if (answer->kind == WIRE_completed) {
		if (completed->status != STATUS_OK)
			be_late(controller, host, (enum status)completed->status,
				(const char *)completed->text.at, completed->text.count);
		if (owed)
			table_settle(controller, awaited, host, (enum status)completed->status);
	} else if (answer->kind == WIRE_event_reached && owed) {
		table_settle(controller, awaited, host, (enum status)answer->event_reached.status);
	} else if (answer->kind == WIRE_read_data && owed && awaited->kind == AWAITED_READ) {
		take_data(controller, host, awaited, &answer->read_data);
	} else if (answer->kind == WIRE_told && owed && awaited->kind == AWAITED_WORDS) {
		take_words(controller, host, awaited, &answer->told);
	} else if (answer->kind == WIRE_memory_wanted && owed && awaited->kind == AWAITED_REQUEST) {
		if (answer->memory_wanted.bytes > awaited->most)
			awaited->most = answer->memory_wanted.bytes;
		table_settle(controller, awaited, host, STATUS_OK);
	} else if (answer->kind == WIRE_mesh_opened && owed) {
		take_opened(awaited->parts, host, &answer->mesh_opened);
		table_settle(controller, awaited, host, STATUS_OK);
	}
}

void table_fault(struct controller *controller, uint32_t host, enum status status, const char *what)
{
	struct table *table = &controller->table;

	world->monitor_enter(table->told);
	if (table->fault == STATUS_OK) {
		table->fault = status;
		if (status == STATUS_TIMEOUT && host < controller->settings.host_count)
			table->silent = 1u << host;
		table->grace_end_ns = world->now_ns() + (int64_t)controller->settings.grace_ns;
		text_printf(&table->fault_why, "host %s %s",
			host < controller->settings.host_count ? controller->hosts[host].name : "?",
			what);
		LOG_TO(DISTRIBUTED, ERROR, "%s", text_string(&table->fault_why));
	}
	world->monitor_notify_all(table->told);
	world->monitor_exit(table->told);
}

/* Handles a failure of the executor itself, not of one of its commands. */
static void table_failure(
	struct controller *controller, uint32_t host, const struct wire_completed *failure)
{
	struct text what = {0};

	text_printf(&what, "has failed: %.*s", (int)failure->text.count,
		(const char *)failure->text.at);
	table_fault(controller, host,
		failure->status == STATUS_OK ? STATUS_INVALID : (enum status)failure->status,
		text_string(&what));
	text_fini(&what);
}

void table_take(struct controller *controller, uint32_t host, const struct wire_command *answer)
{
	if (answer->kind == WIRE_completed && answer->head.number == 0) {
		table_failure(controller, host, &answer->completed);
		return;
	}
	world->monitor_enter(controller->table.told);
	controller->hosts[host].heard_ns = world->now_ns();
	take_inside(controller, host, answer);
	if (controller->table.fault != STATUS_OK) {
		controller->table.heard |= 1u << host;
		world->monitor_notify_all(controller->table.told);
	}
	world->monitor_exit(controller->table.told);
}

void table_late(struct controller *controller, enum status status, const char *why)
{
	struct table *table = &controller->table;

	world->monitor_enter(table->told);
	if (table->late == STATUS_OK) {
		table->late = status;
		text_clear(&table->late_why);
		text_append(&table->late_why, why);
	}
	world->monitor_exit(table->told);
}

enum status table_status(struct controller *controller)
{
	enum status status;

	world->monitor_enter(controller->table.told);
	status = controller->table.fault;
	world->monitor_exit(controller->table.told);
	return status;
}

/* Returns true if the host has answered the command to close. Returns false if this command was not
 * sent to it. The caller must be inside the table's monitor. */
static bool has_closed(struct controller *controller, uint32_t host)
{
	uint64_t closing = controller->table.closing[host];
	const struct awaited *awaited = table_find(&controller->table, closing);

	return closing != 0 && (awaited == NULL || (awaited->hosts >> host & 1) == 0);
}

void table_lost(struct controller *controller, uint32_t host)
{
	bool closed;

	world->monitor_enter(controller->table.told);
	closed = has_closed(controller, host);
	world->monitor_exit(controller->table.told);
	if (!closed)
		table_fault(controller, host, STATUS_CLOSED, "is lost");
}

void table_closing(struct controller *controller, uint32_t hosts, uint64_t number)
{
	world->monitor_enter(controller->table.told);
	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		if ((hosts >> i & 1) != 0)
			controller->table.closing[i] = number;
	world->monitor_exit(controller->table.told);
}

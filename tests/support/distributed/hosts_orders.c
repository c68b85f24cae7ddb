/* A scripted controller (see hosts_orders.h). */
#include "hosts_orders.h"

#include <string.h>

#include "check.h"
#include "deadline.h"
#include "distributed/common/described.h"

enum { SOON_MS = 5000 };

void hosts_orders_send(struct hosts_orders *by, struct wire_command command)
{
	struct span message;
	uint32_t who;

	check_status(mail_write(&by->writer, &command, &message, NULL), STATUS_OK);
	check_status(by->hosts->settings.transport->hub_send(
			     by->hub, 0, message, hosts_case_in_ms(SOON_MS), &who),
		STATUS_OK);
	span_release(message);
}

/* Receives the next answer, which must be to command `number`. */
static const struct wire_command *answer(
	struct hosts_orders *by, enum wire_kind kind, uint64_t number)
{
	struct span message;
	uint32_t member;

	letter_empty(&by->letter);
	check_status(by->hosts->settings.transport->hub_receive(
			     by->hub, hosts_case_in_ms(SOON_MS), &member, &message),
		STATUS_OK);
	check_status(letter_read(&by->letter, by->hosts->settings.codec, message, NULL), STATUS_OK);
	check(by->letter.command.kind == kind, "%s, expected %s: %.*s",
		wire_kind_name(by->letter.command.kind), wire_kind_name(kind),
		by->letter.command.kind == WIRE_completed
			? (int)by->letter.command.completed.text.count
			: 0,
		(const char *)by->letter.command.completed.text.at);
	check_equal(by->letter.command.head.number, number);
	return &by->letter.command;
}

void hosts_orders_completed(
	struct hosts_orders *by, uint64_t number, enum status status, const char *text)
{
	const struct wire_completed *completed = &answer(by, WIRE_completed, number)->completed;

	check_equal(completed->status, status);
	check(completed->text.count == strlen(text) &&
			(text[0] == '\0' || memcmp(completed->text.at, text, strlen(text)) == 0),
		"'%.*s', expected '%s'", (int)completed->text.count,
		(const char *)completed->text.at, text);
}

void hosts_orders_open(struct hosts_orders *by, struct hosts_case *hosts,
	const struct hosts_choice *choice, bool opened)
{
	struct wire_command open = {.kind = WIRE_open_mesh,
		.open_mesh = {
			.number = 5, .rows = 1, .columns = 2, .part_rows = 1, .part_columns = 2}};
	struct arena arena = {0};
	uint32_t member;

	by->hosts = hosts;
	open.open_mesh.asks = by->asks;
	hosts_case_init(hosts, *choice);
	hosts->choice.hosts = 1;
	hosts->one.cluster_config.rows = 1;
	hosts->one.cluster_config.columns = 2;
	hosts_case_start_controller(hosts);
	controller_close(hosts->controller); /* its address is free now */
	hosts->controller = NULL;
	check_status(hosts->settings.transport->hub_open(&hosts->settings.channel, &by->hub, NULL),
		STATUS_OK);
	hosts_case_start_executor_at(hosts, 0, hosts->settings.transport->hub_address(by->hub));
	check_status(
		hosts->settings.transport->hub_accept(by->hub, hosts_case_in_ms(SOON_MS), &member),
		STATUS_OK);
	mail_writer_init(&by->writer, hosts->settings.codec);
	answer(by, WIRE_system_descriptor, 0);
	if (opened) {
		hosts->one.config.shape = (struct mesh_shape){1, 2};
		options_write(&hosts->one.config, &arena, &open.open_mesh);
		hosts_orders_send(by, open);
		answer(by, WIRE_mesh_opened, 5);
		arena_fini(&arena);
	}
}

void hosts_orders_close(struct hosts_orders *by, enum status ended)
{
	letter_fini(&by->letter);
	mail_writer_fini(&by->writer);
	by->hosts->settings.transport->hub_close(by->hub);
	hosts_case_end_executors(by->hosts, ended);
	deadline_stop();
}

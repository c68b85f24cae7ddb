/* A scripted executor (see hosts_script.h). */
#include "hosts_script.h"

#include "check.h"
#include "wire/system_file.h"

enum { SOON_MS = 5000 };

void hosts_script_say(struct hosts_script *script, const struct wire_command *command)
{
	struct span message;

	check_status(mail_write(&script->writer, command, &message, NULL), STATUS_OK);
	check_status(script->hosts->settings.transport->send(
			     script->channel, message, hosts_case_in_ms(SOON_MS)),
		STATUS_OK);
	span_release(message);
}

static void say_opened(struct hosts_script *script, uint64_t number)
{
	const struct wire_memory memories[] = {
		{0, 0, script->dram_bytes ? script->dram_bytes : 1 << 30}, {1, 1 << 18, 1 << 20},
		{2, 1 << 20, 0}, {3, 1 << 20, 0}};
	const struct wire_command opened = {.kind = WIRE_mesh_opened,
		.mesh_opened = {.number = number, .memories = {memories, 4}}};

	hosts_script_say(script, &opened);
}

/* Serves commands until the script dies, or its controller closes. */
static void serve_all(struct hosts_script *script)
{
	const struct channel_ops *transport = script->hosts->settings.transport;
	struct letter letter = {0};
	struct span message;
	bool alive = true;

	while (alive &&
		transport->receive(script->channel, DEADLINE_NEVER, &message) == STATUS_OK) {
		check_status(letter_read(&letter, script->hosts->settings.codec, message, NULL),
			STATUS_OK);
		if (letter.command.kind == WIRE_open_mesh)
			say_opened(script, letter.command.head.number);
		else
			alive = script->serve(script, &letter.command);
		letter_empty(&letter);
	}
	letter_fini(&letter);
	transport->close(script->channel);
}

static void run(void *argument)
{
	struct hosts_script *script = argument;
	struct hosts_case *hosts = script->hosts;
	struct channel_settings settings = hosts->settings.channel;
	struct arena arena = {0};
	struct wire_command descriptor;

	settings.address = controller_address(hosts->controller);
	settings.name = hosts->executors[script->host].name;
	check_status(hosts->settings.transport->join(
			     &settings, hosts_case_in_ms(SOON_MS), &script->channel, NULL),
		STATUS_OK);
	script->info = test_cluster_info_new(&hosts->one.cluster_config);
	mail_writer_init(&script->writer, hosts->settings.codec);
	descriptor = wire_system_describe(script->info, &arena);
	hosts_script_say(script, &descriptor);
	arena_fini(&arena);
	if (script->joined != NULL)
		script->joined(script);
	serve_all(script);
	mail_writer_fini(&script->writer);
	test_cluster_info_free(script->info);
}

void hosts_script_start(struct hosts_script *script)
{
	script->thread = world->spawn("script", (struct affinity){0, -1}, run, script);
}

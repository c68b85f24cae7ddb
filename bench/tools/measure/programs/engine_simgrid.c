/* bench-engine: runs the exchange with raw SimGrid, with an actor for each chip and each core, and
 * a communication for each message. It has no firmware stages, so SimGrid has less work than
 * meshsim's engine. */
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "engine_exchange.h"

enum { NAME_BYTES = 32 };

struct node {
	uint32_t chip, core;
};

static const struct exchange *exchange;
static struct exchange_cost *cost;
static char token; /* payload of every message */

static sg_mailbox_t mailbox(const char *role, uint32_t chip, uint32_t core)
{
	char name[NAME_BYTES];
	snprintf(name, sizeof(name), "%s-%u-%u", role, chip, core);
	return sg_mailbox_by_name(name);
}

static void send_command_on(sg_mailbox_t to[2], uint32_t count)
{
	sg_comm_t comms[2];
	for (uint32_t i = 0; i < count; i++)
		comms[i] = sg_mailbox_put_async(to[i], &token, EXCHANGE_COMMAND_BYTES);
	if (count > 0)
		sg_comm_wait_all(comms, count);
}

static void one_broadcast(uint32_t chip, sg_mailbox_t commands, sg_mailbox_t acks,
	sg_mailbox_t children[2], uint32_t child_count, sg_mailbox_t gos[])
{
	sg_comm_t comms[EXCHANGE_CORES];
	for (uint32_t i = 0; i < exchange->commands; i++) {
		if (chip == 0)
			sg_actor_sleep_for(300e-9);
		else
			sg_mailbox_get(commands);
		send_command_on(children, child_count);
	}
	for (uint32_t i = 0; i < EXCHANGE_CORES; i++)
		comms[i] = sg_mailbox_put_async(gos[i], &token, EXCHANGE_GO_BYTES);
	sg_comm_wait_all(comms, EXCHANGE_CORES);
	for (uint32_t i = 0; i < EXCHANGE_CORES + child_count; i++)
		sg_mailbox_get(acks);
	if (chip != 0)
		sg_mailbox_put(mailbox("ack", exchange_parent(exchange, chip), 0), &token,
			EXCHANGE_ACK_BYTES);
}

static void chip_actor(int count, char **arguments)
{
	const struct node *node = sg_actor_self_get_data();
	sg_mailbox_t commands = mailbox("command", node->chip, 0);
	sg_mailbox_t acks = mailbox("ack", node->chip, 0);
	sg_mailbox_t gos[EXCHANGE_CORES], to[2];
	uint32_t children[2], child_count = exchange_children(exchange, node->chip, children);
	double cpu_s = 0, start_s = 0;
	(void)count;
	(void)arguments;
	for (uint32_t i = 0; i < EXCHANGE_CORES; i++)
		gos[i] = mailbox("go", node->chip, i);
	for (uint32_t i = 0; i < child_count; i++)
		to[i] = mailbox("command", children[i], 0);
	for (uint32_t i = 0; i <= exchange->broadcasts; i++) {
		if (i == 1) {
			cpu_s = exchange_cpu_s();
			start_s = simgrid_get_clock();
		}
		one_broadcast(node->chip, commands, acks, to, child_count, gos);
	}
	if (node->chip == 0) {
		cost->cpu_s = exchange_cpu_s() - cpu_s;
		cost->simulated_ps = (int64_t)((simgrid_get_clock() - start_s) * 1e12);
	}
}

static void core_actor(int count, char **arguments)
{
	const struct node *node = sg_actor_self_get_data();
	sg_mailbox_t go = mailbox("go", node->chip, node->core);
	sg_mailbox_t acks = mailbox("ack", node->chip, 0);
	(void)count;
	(void)arguments;
	for (uint32_t i = 0; i <= exchange->broadcasts; i++) {
		sg_mailbox_get(go);
		sg_actor_sleep_for(100e-9 + node->core % 7 * 10e-9 +
				   (node->chip * 37 + node->core * 11) % 499 * 1e-12);
		sg_mailbox_put(acks, &token, EXCHANGE_ACK_BYTES);
	}
}

static void engine_simgrid_start(const char *host, struct node *node, void (*run)(int, char **))
{
	sg_actor_t actor = sg_actor_init(host, sg_host_by_name(host));
	sg_actor_set_data(actor, node);
	sg_actor_start(actor, run, 0, NULL);
}

/* Writes and loads a platform in the form of a star: every chip and every core has its own link. */
static void load_platform(uint32_t hosts)
{
	char path[] = "/tmp/bench-engine-XXXXXX.xml";
	int descriptor = mkstemps(path, 4);
	ensure(descriptor >= 0, "cannot write %s", path);
	FILE *file = fdopen(descriptor, "w");
	fprintf(file,
		"<?xml version='1.0'?>\n"
		"<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
		"<platform version=\"4.1\"><cluster id=\"all\" prefix=\"node-\" suffix=\"\" "
		"radical=\"0-%u\" speed=\"1Gf\" bw=\"12.5GBps\" lat=\"50ns\"/></platform>\n",
		hosts - 1);
	fclose(file);
	simgrid_load_platform(path);
	unlink(path);
}

void exchange_on_simgrid(const struct exchange *given, struct exchange_cost *result)
{
	char *arguments[] = {"bench-engine", "--cfg=network/model:CM02",
		"--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0",
		"--cfg=surf/precision:1e-12", "--log=root.thresh:warning", NULL};
	int count = sizeof(arguments) / sizeof(arguments[0]) - 1;
	uint32_t chips = given->columns * given->rows, hosts = chips * (EXCHANGE_CORES + 1);
	struct node *nodes = allocate(hosts, sizeof(*nodes));
	exchange = given;
	cost = result;
	simgrid_init(&count, arguments);
	uint64_t before = exchange_resident_bytes();
	load_platform(hosts);
	for (uint32_t i = 0; i < hosts; i++) {
		char host[NAME_BYTES];
		snprintf(host, sizeof(host), "node-%u", i);
		nodes[i] = (struct node){i % chips, i < chips ? 0 : i / chips - 1};
		engine_simgrid_start(host, &nodes[i], i < chips ? chip_actor : core_actor);
	}
	simgrid_run();
	cost->deliveries = exchange_deliveries(given) * given->broadcasts;
	cost->events = 0;
	cost->bytes = exchange_resident_bytes() - before;
}

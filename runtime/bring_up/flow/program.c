/* The steps in which the fabric starts and is first used: routing tables are computed from the
 * placement (bring_up/control_plane.h), written to chips, and followed by the first dispatch. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "flow_private.h"

static void plane_free(void *value)
{
	control_plane_free(value);
}

/* Returns the control plane of the actor's placement. Actors with the same one share it. */
static struct control_plane *shared_plane(struct flow_self *self)
{
	uint64_t key = hash_mix(self->image_key + 8) | 1;
	struct control_plane *plane = flow_memo_find(self->run, key);
	struct text why = {0};

	if (!plane) {
		plane = control_plane_new(
			self->run->job->logical, self->view, self->image, NULL, &why);
		if (plane)
			plane = flow_memo_keep(self->run, key, plane, plane_free);
		else
			flow_catch(self, FLOW_SAYS_FAR_END, "no routes: %s", text_string(&why));
	}
	text_fini(&why);
	return plane;
}

static uint64_t entries_of(const struct chip_tables *tables)
{
	return (uint64_t)tables_rows(tables) * (tables->mesh_chips + tables->mesh_count);
}

static uint64_t routers_of(const struct chip_tables *tables)
{
	uint64_t routers = 0;

	for (uint32_t i = 0; i < tables->router_count; i++)
		routers += tables->routers[i].role != ROUTER_IDLE;
	return routers;
}

/* Writes the tables, which are a message of `bytes` bytes, to their chip. */
static void program_chip(struct flow_self *self, const struct chip_tables *tables, size_t bytes)
{
	struct hardware *hardware = &self->run->hardware;
	uint32_t chip = hardware_find(hardware, tables->asic);

	world->work(WORK_TABLE_KIB, bytes / 1024 + 1);
	world->work(WORK_START_ROUTER, routers_of(tables));
	if (chip == MACHINE_NONE)
		return; /* the chip is missing; writes to it have no answer that says so */
	hardware->chips[chip].tables = tables;
	hardware->chips[chip].started = true;
}

/* A rank computes and writes the tables of its own chips. An agent waits for them. */
static bool program_own(struct flow_self *self)
{
	const struct logical *logical = self->run->job->logical;
	uint32_t own = logical_rank(logical, &self->rank);
	struct control_plane *plane = shared_plane(self);
	struct text message = {0};

	if (!plane)
		return false;
	for (uint32_t device = 0; device < logical->device_count; device++) {
		const struct chip_tables *tables = control_plane_tables(plane, device);

		if (!tables || logical_rank_of(logical, device) != own)
			continue;
		world->work(WORK_ROUTE_ENTRY, entries_of(tables));
		text_clear(&message);
		program_chip(self, tables, tables_write(tables, &message));
	}
	text_fini(&message);
	world->settle();
	return true;
}

/* Reads the tables of the agent's chips from the message, and writes them. */
static bool program_sent(struct flow_self *self)
{
	struct note note, reply = {.kind = FLOW_SAYS_PROGRAMMED, .rank = self->number};
	struct bytes_in in;
	bool good = flow_hear(self, self->channel, &note) && note.kind == FLOW_SAYS_TABLES;

	in = (struct bytes_in){note.payload, note.payload + note.length, false};
	while (good && in.at < in.end) {
		struct chip_tables *tables = arena_alloc(self->tables, sizeof(*tables));
		uint64_t length = take_number(&in, 4);

		good = !in.bad && length <= (uint64_t)(in.end - in.at) &&
		       tables_read(in.at, (size_t)length, self->tables, tables, NULL) == STATUS_OK;
		if (good) {
			in.at += length;
			program_chip(self, tables, (size_t)length);
		}
	}
	note_done(&note);
	world->settle();
	return good && flow_say(self, self->channel, &reply);
}

bool step_program(struct flow_self *self)
{
	return self->kind == ACTOR_AGENT ? program_sent(self) : program_own(self);
}

/* Sends the tables of a host's chips to its agent. */
static bool send_tables(struct flow_self *self, struct control_plane *plane, uint32_t host)
{
	const struct flow_job *job = self->run->job;
	struct text payload = {0}, message = {0};
	struct note note = {.kind = FLOW_SAYS_TABLES};
	bool good;

	for (uint32_t device = 0; device < job->logical->device_count; device++) {
		const struct chip_tables *tables = control_plane_tables(plane, device);

		if (!tables || self->view->chips[self->image[device]].host != host)
			continue;
		world->work(WORK_ROUTE_ENTRY, entries_of(tables));
		text_clear(&message);
		put_number(&payload, tables_write(tables, &message), 4);
		text_append_bytes(&payload, message.bytes, message.length);
	}
	text_fini(&message);
	note.payload = (const uint8_t *)text_string(&payload);
	note.length = (uint32_t)payload.length;
	good = flow_tell(self, self->hub, self->member_of[host], &note);
	text_fini(&payload);
	return good;
}

bool step_program_agents(struct flow_self *self)
{
	struct control_plane *plane;
	uint32_t hosts = self->run->job->real->host_count;

	self->image_key = hash_bytes(self->image, self->run->job->logical->device_count * 4u) | 1;
	plane = shared_plane(self);
	for (uint32_t host = 0; plane && host < hosts; host++)
		if (!send_tables(self, plane, host))
			return flow_catch(
				self, FLOW_SAYS_PROGRAMMED, "the agent of host %u is lost", host);
	for (uint32_t left = plane ? hosts : 0; left > 0; left--) {
		uint32_t member;
		struct note note;
		bool good = flow_listen(self, self->hub, &member, &note) &&
			    note.kind == FLOW_SAYS_PROGRAMMED;

		note_done(&note);
		if (!good)
			return flow_catch(
				self, FLOW_SAYS_PROGRAMMED, "an agent does not start its routers");
	}
	return plane != NULL;
}

/* ---- the first dispatch ---- */

/* Sends one packet over the fabric. Returns true if it arrives. */
static bool send_packet(struct flow_self *self, uint32_t chip, uint32_t to)
{
	const struct logical *logical = self->run->job->logical;
	enum { PACKET_BYTES = 64 };

	world->work(WORK_API_CALL, 1);
	world->work(WORK_DOORBELL, 1);
	world->work(WORK_COMPLETE, 1);
	flow_count(self, FLOW_SAYS_ARRIVED, PACKET_BYTES);
	return hardware_send(&self->run->hardware, chip, to, logical_mesh_of(logical, to));
}

/* Sends a device's packets: to each neighbour in its mesh and, from an end of a connection, to the
 * other end. Returns the number of packets that do not arrive. */
static uint32_t send_all(struct flow_self *self, uint32_t chip, uint32_t device)
{
	const struct logical *logical = self->run->job->logical;
	uint32_t lost = 0;

	for (uint32_t i = 0; i < logical->link_count; i++) {
		const struct logical_link *link = &logical->links[i];

		if (link->a == device || link->b == device)
			lost += !send_packet(self, chip, link->a == device ? link->b : link->a);
	}
	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_end *a = &logical->connections[i].a;
		const struct logical_end *b = &logical->connections[i].b;
		uint32_t from = a->device != LOGICAL_NONE ? a->device
							  : logical->meshes[a->first_mesh].first;
		uint32_t to = b->device != LOGICAL_NONE ? b->device
							: logical->meshes[b->first_mesh].first;

		if (from == device)
			lost += !send_packet(self, chip, to);
	}
	return lost;
}

bool step_dispatch(struct flow_self *self)
{
	const struct flow_job *job = self->run->job;
	uint32_t own = logical_rank(job->logical, &self->rank), lost = 0;
	const struct hardware *hardware = &self->run->hardware;

	for (uint32_t chip = 0; chip < job->real->chip_count; chip++) {
		const struct chip_tables *tables = hardware->chips[chip].tables;

		if (job->real->chips[chip].host == self->rank.host && tables &&
			logical_rank_of(job->logical, tables->device) == own)
			lost += send_all(self, chip, tables->device);
	}
	world->settle();
	if (lost == 0 || flow_without(self, FLOW_SAYS_ARRIVED))
		return true;
	world->sleep_until(world->now_ns() + job->dispatch_ns);
	return flow_catch(self, FLOW_SAYS_ARRIVED,
		"%u packets of rank %u do not arrive, and the first dispatch hangs", lost,
		self->number);
}

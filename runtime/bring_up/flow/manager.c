/* The manager and the agents of hosts. The manager has a hub for agents and one for launchers. In
 * the automatic flow it places by what agents report, in the assisted flow by the descriptor that
 * it was given. */
#include <stdio.h>
#include <string.h>

#include "flow_private.h"

bool step_report(struct flow_self *self)
{
	struct note note = {.kind = FLOW_SAYS_REPORT,
		.rank = self->number,
		.payload = (const uint8_t *)text_string(&self->known),
		.length = (uint32_t)self->known.length};

	return flow_without(self, FLOW_SAYS_REPORT) || flow_say(self, self->channel, &note);
}

/* Compares what agents have found with the descriptor, in both directions. */
static void compare_machines(struct flow_self *self, const struct machine *found)
{
	const struct machine *described = self->run->job->described;
	struct hardware seen, written;
	const struct machine_link *link;
	struct text name = {0};
	uint32_t chip = 0;

	hardware_make(&seen, found);
	hardware_make(&written, described);
	while (chip < described->chip_count &&
		hardware_find(&seen, described->chips[chip].id) != MACHINE_NONE)
		chip++;
	if (chip < described->chip_count) {
		machine_chip_name(described, chip, &name);
		flow_catch(self, FLOW_SAYS_REPORT, "no agent reports %s", text_string(&name));
	} else if ((link = hardware_lacks(described, &seen)) != NULL) {
		machine_chip_name(described, link->a, &name);
		text_append(&name, " and ");
		machine_chip_name(described, link->b, &name);
		flow_catch(self, FLOW_SAYS_FAR_END,
			"agents report fewer channels than described between %s",
			text_string(&name));
	} else if ((link = hardware_lacks(found, &written)) != NULL) {
		flow_catch(self, FLOW_SAYS_FAR_END, "agents report a cable that is not described");
	}
	text_fini(&name);
	hardware_free(&seen);
	hardware_free(&written);
}

bool step_collect(struct flow_self *self)
{
	const struct flow_job *job = self->run->job;
	uint32_t hosts = job->real->host_count;
	struct text *got, all = {0};
	bool good = true;

	if (flow_without(self, FLOW_SAYS_REPORT))
		return true;
	got = arena_array(&self->arena, hosts, sizeof(*got));
	for (uint32_t left = hosts; left > 0 && good; left--) {
		uint32_t member;
		struct note note;

		good = flow_listen(self, self->hub, &member, &note) &&
		       note.kind == FLOW_SAYS_REPORT && note.rank < hosts;
		if (good)
			text_append_bytes(&got[note.rank], note.payload, note.length);
		note_done(&note);
	}
	for (uint32_t i = 0; i < hosts; i++) {
		text_append_bytes(&all, text_string(&got[i]), got[i].length);
		text_fini(&got[i]);
	}
	if (good)
		self->collected =
			describe_read(job->real, (const uint8_t *)text_string(&all), all.length);
	text_fini(&all);
	if (!self->collected)
		return flow_catch(self, FLOW_SAYS_REPORT, "an agent does not report");
	compare_machines(self, self->collected);
	world->monitor_enter(self->run->monitor);
	self->run->collected = true;
	world->monitor_notify_all(self->run->monitor);
	world->monitor_exit(self->run->monitor);
	return true;
}

bool step_serve(struct flow_self *self)
{
	uint32_t member;
	struct note note;
	bool good = flow_listen(self, self->users, &member, &note) && note.kind == FLOW_SAYS_PLEASE;

	note_done(&note);
	return good;
}

bool step_generate(struct flow_self *self)
{
	struct flow_run *run = self->run;
	const struct flow_job *job = run->job;

	world->monitor_enter(run->monitor);
	bindings_write(
		job->logical, self->view, self->image, job->mesh_graph, &run->stored_bindings);
	rankfile_write(job->logical, self->view, self->image, &run->stored_rankfile);
	world->monitor_exit(run->monitor);
	world->work(WORK_STORAGE_READ, 2);
	world->work(WORK_STORAGE_KIB,
		(run->stored_bindings.length + run->stored_rankfile.length) / 1024 + 2);
	return true;
}

static bool answer_launcher(struct flow_self *self, enum flow_message kind, bool granted)
{
	struct text payload = {0};
	struct note note = {.kind = kind, .number = granted};
	bool good;

	if (granted)
		put_ranks(self->placed, self->placed_count, &payload);
	note.payload = (const uint8_t *)text_string(&payload);
	note.length = (uint32_t)payload.length;
	good = flow_tell(self, self->users, 0, &note);
	text_fini(&payload);
	return good;
}

bool step_grant(struct flow_self *self)
{
	/* a manager that dies does so when others believe in its placement */
	self->granted = true;
	return answer_launcher(self, FLOW_SAYS_GRANTED, true) && !self->run->job->manager_dies;
}

bool step_hold(struct flow_self *self)
{
	uint32_t member;
	struct note note;
	bool good;

	if (flow_without(self, FLOW_SAYS_SESSION))
		return true;
	good = flow_listen(self, self->users, &member, &note) && note.kind == FLOW_SAYS_SESSION;
	note_done(&note);
	return good && answer_launcher(self, FLOW_SAYS_SESSION, true);
}

void manager_body(void *argument)
{
	struct manager_start *start = argument;
	struct flow_self self = {.run = start->run,
		.kind = ACTOR_MANAGER,
		.hub = start->agents,
		.users = start->users};
	const struct flow_job *job = start->run->job;
	struct note note;
	uint32_t member;

	self.members = start->members;
	self.member_of = start->member_of;
	flow_steps(&self);
	if (!self.granted)
		answer_launcher(&self, FLOW_SAYS_GRANTED, false);
	if (!job->manager_dies && flow_listen(&self, self.users, &member, &note))
		note_done(&note); /* the job has ended */
	mesh_placement_free(self.placement);
	start->collected = self.collected;
	flow_self_end(&self);
}

void agent_body(void *argument)
{
	struct agent_start *start = argument;
	struct flow_self self = {.run = start->run, .kind = ACTOR_AGENT, .number = start->host};
	struct note note;
	char name[32];

	snprintf(name, sizeof(name), "agent-%u", start->host);
	self.tables = &start->tables;
	self.channel = flow_join(&self, start->address, name);
	if (self.channel)
		flow_steps(&self);
	if (self.channel && flow_hear(&self, self.channel, &note))
		note_done(&note); /* agents stay until the manager ends */
	start->run->job->channels->close(self.channel);
	text_fini(&self.known);
	flow_self_end(&self);
}

/* The launcher: reads files or asks the manager, has processes started on hosts, and waits for
 * them. Its part on each host starts the ranks there and says how they have ended. */
#include <stdio.h>

#include "base/tree.h"
#include "flow_private.h"

static void pay_storage(size_t bytes)
{
	world->work(WORK_STORAGE_READ, 1);
	world->work(WORK_STORAGE_KIB, bytes / 1024 + 1);
}

bool step_read_files(struct flow_self *self)
{
	const struct flow_job *job = self->run->job;
	enum { BINDING_BYTES = 160, LINE_BYTES = 32 };

	pay_storage((size_t)job->bindings->count * BINDING_BYTES);
	pay_storage((size_t)job->rankfile->count * LINE_BYTES);
	self->placed = ranks_of_files(
		job->bindings, job->rankfile, job->real, &self->placed_count, &self->arena);
	return self->placed || flow_catch(self, FLOW_SAYS_LAUNCH,
				       "a rank of the bindings has no host in the rank file");
}

bool step_request(struct flow_self *self)
{
	/* a descriptor names each mesh and each connection once; it is sent as text */
	enum { MESH_BYTES = 96 };
	const struct logical *logical = self->run->job->logical;
	size_t length = ((size_t)logical->mesh_count + logical->connection_count + 2) * MESH_BYTES;
	uint8_t *graph = arena_alloc(&self->arena, length);
	struct note note = {.kind = FLOW_SAYS_PLEASE, .payload = graph, .length = (uint32_t)length};
	struct bytes_in in;
	bool granted;

	if (!flow_say(self, self->channel, &note) || !flow_hear(self, self->channel, &note))
		return flow_catch(self, FLOW_SAYS_GRANTED, "the manager does not answer");
	in = (struct bytes_in){note.payload, note.payload + note.length, false};
	granted = note.kind == FLOW_SAYS_GRANTED && note.number != 0;
	if (granted)
		self->placed = take_ranks(&in, &self->placed_count, &self->arena);
	note_done(&note);
	return granted && self->placed;
}

bool step_retrieve(struct flow_self *self)
{
	struct flow_run *run = self->run;
	const struct flow_job *job = run->job;
	struct diag *diag = diag_new();
	struct bindings *bindings;
	struct rankfile *rankfile;
	const struct bindings *use;
	const struct rankfile *hosts;

	pay_storage(run->stored_bindings.length);
	pay_storage(run->stored_rankfile.length);
	bindings = bindings_read(
		tree_read_text("rank_bindings.yaml", text_string(&run->stored_bindings),
			run->stored_bindings.length, diag),
		true, diag);
	rankfile = rankfile_read_text("rankfile.txt", text_string(&run->stored_rankfile),
		run->stored_rankfile.length, diag);
	use = job->other_bindings ? job->other_bindings : bindings;
	hosts = job->other_rankfile ? job->other_rankfile : rankfile;
	self->placed = NULL;
	if (use && hosts) {
		struct flow_rank *ranks =
			ranks_of_files(use, hosts, job->real, &self->placed_count, &self->arena);
		struct text copy = {0};
		struct bytes_in in;

		/* the devices must outlive the files */
		if (ranks) {
			put_ranks(ranks, self->placed_count, &copy);
			in = (struct bytes_in){(const uint8_t *)copy.bytes,
				(const uint8_t *)copy.bytes + copy.length, false};
			self->placed = take_ranks(&in, &self->placed_count, &self->arena);
		}
		text_fini(&copy);
	}
	bindings_free(bindings);
	rankfile_free(rankfile);
	diag_free(diag);
	return self->placed ||
	       flow_catch(self, FLOW_SAYS_LAUNCH, "the files of the manager cannot be read");
}

bool step_session(struct flow_self *self)
{
	struct note note = {.kind = FLOW_SAYS_SESSION};
	struct bytes_in in;

	if (flow_without(self, FLOW_SAYS_SESSION))
		return true;
	if (!flow_say(self, self->channel, &note) || !flow_hear(self, self->channel, &note))
		return flow_catch(
			self, FLOW_SAYS_SESSION, "the manager does not answer for the session");
	in = (struct bytes_in){note.payload, note.payload + note.length, false};
	self->placed = take_ranks(&in, &self->placed_count, &self->arena);
	note_done(&note);
	return self->placed != NULL;
}

/* Has one rank started. `address` is that of rank 0, and empty for rank 0. */
static bool launch_rank(
	struct flow_self *self, const struct flow_rank *rank, uint32_t here, const char *address)
{
	struct text payload = {0};
	struct note note = {.kind = FLOW_SAYS_LAUNCH, .rank = self->placed_count, .number = here};
	bool good;

	put_rank(rank, &payload);
	text_append(&payload, address);
	text_append_char(&payload, '\0');
	note.payload = (const uint8_t *)payload.bytes;
	note.length = (uint32_t)payload.length;
	good = flow_tell(self, self->hub, self->member_of[rank->host], &note);
	text_fini(&payload);
	return good;
}

static uint32_t ranks_on(const struct flow_self *self, uint32_t host)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < self->placed_count; i++)
		count += self->placed[i].host == host;
	return count;
}

/* Waits until rank 0 is started, and copies its address. */
static bool hear_address(struct flow_self *self, char *address, size_t size)
{
	struct note note;
	uint32_t member;
	bool good = flow_listen(self, self->hub, &member, &note) &&
		    note.kind == FLOW_SAYS_LAUNCHED && note.length > 0 && note.length <= size &&
		    note.payload[note.length - 1] == '\0';

	if (good)
		snprintf(address, size, "%s", (const char *)note.payload);
	note_done(&note);
	return good;
}

bool step_launch(struct flow_self *self)
{
	struct flow_run *run = self->run;
	char address[256] = "";

	world->monitor_enter(run->monitor);
	run->launched = true;
	run->result->bindings_hash = ranks_hash(self->placed, self->placed_count);
	world->monitor_exit(run->monitor);
	for (uint32_t i = 0; i < self->placed_count; i++) {
		const struct flow_rank *rank = &self->placed[i];

		if (!launch_rank(self, rank, ranks_on(self, rank->host), address))
			return flow_catch(self, FLOW_SAYS_LAUNCH, "host %u is lost", rank->host);
		if (i == 0 && !hear_address(self, address, sizeof(address)))
			return flow_catch(self, FLOW_SAYS_LAUNCHED, "rank 0 does not start");
	}
	return true;
}

bool step_await(struct flow_self *self)
{
	uint32_t good = 0;

	for (uint32_t left = self->placed_count; left > 0;) {
		struct note note;
		uint32_t member;

		if (!flow_listen(self, self->hub, &member, &note)) {
			note_done(&note);
			return flow_catch(self, FLOW_SAYS_EXITED, "%u ranks do not end", left);
		}
		if (note.kind == FLOW_SAYS_EXITED) {
			good += note.number != 0;
			left--;
		}
		note_done(&note);
	}
	return good == self->placed_count;
}

/* ---- on each host ---- */

/* Starts the rank that a message names. Sets *here to the number of ranks of this host. */
static struct rank_start *start_rank(
	struct flow_self *self, struct channel *channel, const struct note *note, uint32_t *here)
{
	struct rank_start *start = arena_alloc(&self->arena, sizeof(*start));
	struct bytes_in in = {note->payload, note->payload + note->length, false};
	char name[32];

	start->run = self->run;
	start->rank_count = note->rank;
	*here = (uint32_t)note->number;
	if (!take_rank(&in, &start->rank, &self->arena) || in.at == in.end || in.end[-1] != '\0')
		return NULL;
	start->address = arena_string(&self->arena, (const char *)in.at);
	if (start->rank.rank == 0) {
		const char *address;
		struct note reply = {.kind = FLOW_SAYS_LAUNCHED};

		start->hub = flow_open(self, (uint16_t)self->number, "ranks");
		if (!start->hub)
			return NULL;
		address = self->run->job->channels->hub_address(start->hub);
		reply.payload = (const uint8_t *)address;
		while (address[reply.length++] != '\0')
			;
		if (!flow_say(self, channel, &reply))
			return NULL;
	}
	snprintf(name, sizeof(name), "rank-%u", start->rank.rank);
	start->thread =
		world->spawn(name, (struct affinity){(uint16_t)self->number, -1}, rank_body, start);
	return start;
}

void host_body(void *argument)
{
	struct host_start *start = argument;
	struct flow_self self = {.run = start->run, .kind = ACTOR_COUNT, .number = start->host};
	const struct channel_ops *ops = start->run->job->channels;
	struct rank_start **ranks = NULL;
	uint32_t count = 0, here = UINT32_MAX;
	struct channel *channel;
	struct note note;
	char name[32];

	snprintf(name, sizeof(name), "host-%u", start->host);
	channel = flow_join(&self, start->address, name);
	while (channel && count < here && flow_hear(&self, channel, &note)) {
		bool launch = note.kind == FLOW_SAYS_LAUNCH;
		struct rank_start *rank = launch ? start_rank(&self, channel, &note, &here) : NULL;

		note_done(&note);
		if (!launch)
			break;
		if (!ranks)
			ranks = arena_array(&self.arena, here + 1u, sizeof(struct rank_start *));
		ranks[count++] = rank;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct note reply = {.kind = FLOW_SAYS_EXITED};

		if (ranks[i])
			world->join(ranks[i]->thread);
		reply.number = ranks[i] && ranks[i]->good;
		flow_say(&self, channel, &reply);
	}
	/* the launcher ends its part on each host last */
	if (channel && count > 0 && flow_hear(&self, channel, &note))
		note_done(&note);
	ops->close(channel);
	flow_self_end(&self);
}

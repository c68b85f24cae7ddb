/* A rank: a process of the job, with its part of the control plane. Rank 0 is the hub of all ranks,
 * so what they exchange goes through it. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "flow_private.h"

/* ---- together with the other ranks ---- */

/* A rank other than 0 sends its payload to rank 0. Rank 0 receives those of all ranks in `got`
 * [rank], in memory of its arena. Returns false if a rank has given up. */
static bool gather_notes(struct flow_self *self, enum flow_message kind, const struct text *payload,
	struct text *got)
{
	struct note note = {.kind = kind, .rank = self->number};

	if (payload) {
		note.payload = (const uint8_t *)text_string(payload);
		note.length = (uint32_t)payload->length;
	}
	if (!self->hub)
		return self->rank_count == 1 || flow_say(self, self->channel, &note);
	for (uint32_t left = self->rank_count - 1; left > 0; left--) {
		uint32_t member;
		bool good = flow_listen(self, self->hub, &member, &note) && note.kind == kind &&
			    note.rank < self->rank_count;

		if (good && got)
			text_append_bytes(&got[note.rank], note.payload, note.length);
		note_done(&note);
		if (!good)
			return false;
	}
	return true;
}

/* Rank 0 sends its payload to all others. Others append it to `got`. */
static bool spread_note(struct flow_self *self, enum flow_message kind, const struct text *payload,
	struct text *got)
{
	struct note note = {.kind = kind};
	bool good;

	if (self->hub) {
		if (payload) {
			note.payload = (const uint8_t *)text_string(payload);
			note.length = (uint32_t)payload->length;
		}
		return self->rank_count == 1 || flow_tell(self, self->hub, CHANNEL_ALL, &note);
	}
	good = flow_hear(self, self->channel, &note) && note.kind == kind;
	if (good && got)
		text_append_bytes(got, note.payload, note.length);
	note_done(&note);
	return good;
}

bool flow_accept(struct flow_self *self, struct hub *hub, uint32_t count, const char *prefix)
{
	const struct channel_ops *ops = self->run->job->channels;
	size_t length = strlen(prefix);

	self->member_of = arena_array(&self->arena, count + 2u, sizeof(*self->member_of));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t member;
		const char *name;
		uint64_t number;

		if (ops->hub_accept(hub, flow_deadline(self), &member) != STATUS_OK)
			return false;
		name = ops->hub_member(hub, member);
		if (strncmp(name, prefix, length) != 0 ||
			!number_read_whole(name + length, count + 1u, &number))
			return false;
		self->member_of[number] = member;
	}
	self->members = count;
	return true;
}

/* ---- steps ---- */

bool step_open(struct flow_self *self)
{
	const struct flow_job *job = self->run->job;
	uint32_t channels, needed = 0, rank = logical_rank(job->logical, &self->rank);
	uint32_t chips = describe_chips(
		job->real, self->rank.host, self->rank.devices, self->rank.device_count, &channels);

	if (rank != LOGICAL_NONE)
		needed = rank_size(job->logical, rank);
	world->work(WORK_CHECK_CHIP, chips);
	flow_count(self, FLOW_SAYS_OPENED, 0);
	if (flow_without(self, FLOW_SAYS_OPENED) || chips >= needed)
		return true;
	return flow_catch(self, FLOW_SAYS_OPENED, "rank %u needs %u chips, and finds %u on %s",
		self->number, needed, chips, job->real->hosts[self->rank.host].name);
}

/* Returns the rank that has the same part of a mesh as another rank; LOGICAL_NONE if none has. */
static uint32_t find_double(struct flow_self *self, const struct flow_rank *ranks, uint32_t count)
{
	const struct logical *logical = self->run->job->logical;
	bool *seen = arena_array(&self->arena, logical->rank_count + 1u, sizeof(*seen));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t part = logical_rank(logical, &ranks[i]);

		if (part == LOGICAL_NONE || seen[part])
			return i;
		seen[part] = true;
	}
	return LOGICAL_NONE;
}

bool step_check(struct flow_self *self)
{
	struct text *got = arena_array(&self->arena, self->rank_count, sizeof(*got));
	struct text mine = {0};
	uint32_t wrong = LOGICAL_NONE;
	bool good;

	if (flow_without(self, FLOW_SAYS_HELLO))
		return true;
	put_rank(&self->rank, &mine);
	good = gather_notes(self, FLOW_SAYS_HELLO, &mine, got);
	if (good && self->hub) {
		struct flow_rank *ranks =
			arena_array(&self->arena, self->rank_count, sizeof(*ranks));

		ranks[0] = self->rank;
		for (uint32_t i = 1; i < self->rank_count && good; i++) {
			struct bytes_in in = {(const uint8_t *)got[i].bytes,
				(const uint8_t *)got[i].bytes + got[i].length, false};

			good = take_rank(&in, &ranks[i], &self->arena);
		}
		wrong = good ? find_double(self, ranks, self->rank_count) : 0;
	}
	for (uint32_t i = 0; i < self->rank_count; i++)
		text_fini(&got[i]);
	text_fini(&mine);
	if (good && wrong != LOGICAL_NONE)
		return flow_catch(self, FLOW_SAYS_HELLO,
			"rank %u has the same part of a mesh as another rank, or none", wrong);
	/* a rank goes on when all are checked, so that rank 0 gets the messages of one step at a
	 * time */
	return good && spread_note(self, FLOW_SAYS_HELLO, NULL, NULL);
}

/* Returns the host and devices that a rank or agent looks at. */
static uint32_t looked_at(const struct flow_self *self, const uint32_t **devices, uint32_t *count)
{
	*devices = self->kind == ACTOR_RANK ? self->rank.devices : NULL;
	*count = self->kind == ACTOR_RANK ? self->rank.device_count : 0;
	return self->kind == ACTOR_RANK ? self->rank.host : self->number;
}

bool step_discover(struct flow_self *self)
{
	const uint32_t *devices;
	uint32_t count, channels, host = looked_at(self, &devices, &count);
	uint32_t chips = describe_chips(self->run->job->real, host, devices, count, &channels);

	world->work(WORK_QUERY_CHIP, chips);
	return true;
}

/* Chips are those that are there. Their cables are those that routers find, or those of the
 * descriptor if routers are not asked. */
bool step_handshake(struct flow_self *self)
{
	const struct flow_job *job = self->run->job;
	const uint32_t *devices;
	uint32_t count, channels, host = looked_at(self, &devices, &count);
	bool asked = !flow_without(self, FLOW_SAYS_FAR_END);
	enum { FAR_END_BYTES = 16 };

	text_clear(&self->known);
	describe_host(&self->run->hardware, asked ? job->real : job->described, host, devices,
		count, &self->known);
	describe_chips(job->real, host, devices, count, &channels);
	if (asked) {
		world->work(WORK_LINK_HANDSHAKE, channels);
		self->messages[FLOW_SAYS_FAR_END] += channels;
		self->bytes[FLOW_SAYS_FAR_END] += (uint64_t)channels * FAR_END_BYTES;
	}
	return true;
}

/* Splits what rank 0 has sent into ranks and descriptors, and makes the machine of these. */
static bool take_global(struct flow_self *self, const struct text *global)
{
	struct flow_run *run = self->run;
	struct bytes_in in = {(const uint8_t *)text_string(global),
		(const uint8_t *)text_string(global) + global->length, false};
	uint32_t count;

	self->ranks = take_ranks(&in, &count, &self->arena);
	if (!self->ranks || count != self->rank_count)
		return false;
	self->view_key = hash_bytes(global->bytes, global->length) | 1;
	self->view = flow_memo_find(run, self->view_key);
	if (!self->view) {
		struct machine *machine =
			describe_read(run->job->real, in.at, (size_t)(in.end - in.at));

		if (!machine)
			return false;
		self->view = flow_memo_keep(
			run, self->view_key, machine, (void (*)(void *))machine_free);
	}
	return true;
}

bool step_exchange(struct flow_self *self)
{
	struct text *got = arena_array(&self->arena, self->rank_count, sizeof(*got));
	struct text mine = {0}, global = {0};
	bool good;

	put_rank(&self->rank, &mine);
	text_append_bytes(&mine, self->known.bytes, self->known.length);
	good = gather_notes(self, FLOW_SAYS_LOCAL, &mine, got);
	if (good && self->hub) {
		struct text rest = {0};

		text_append_bytes(&got[0], mine.bytes, mine.length);
		put_number(&global, self->rank_count, 4);
		for (uint32_t i = 0; i < self->rank_count && good; i++) {
			struct bytes_in in = {(const uint8_t *)got[i].bytes,
				(const uint8_t *)got[i].bytes + got[i].length, false};
			struct flow_rank rank;

			good = take_rank(&in, &rank, &self->arena);
			put_rank(&rank, &global);
			text_append_bytes(&rest, in.at, (size_t)(in.end - in.at));
		}
		text_append_bytes(&global, rest.bytes, rest.length);
		text_fini(&rest);
	}
	good = good && spread_note(self, FLOW_SAYS_GLOBAL, &global, &global) &&
	       take_global(self, &global);
	for (uint32_t i = 0; i < self->rank_count; i++)
		text_fini(&got[i]);
	text_fini(&mine);
	text_fini(&global);
	return good;
}

bool step_start(struct flow_self *self)
{
	return gather_notes(self, FLOW_SAYS_READY, NULL, NULL) &&
	       spread_note(self, FLOW_SAYS_GO, NULL, NULL);
}

/* ---- the thread ---- */

static bool meet_ranks(struct flow_self *self, const struct rank_start *start)
{
	char name[32];

	snprintf(name, sizeof(name), "rank-%u", self->number);
	self->hub = start->hub;
	if (self->hub)
		return flow_accept(self, self->hub, self->rank_count - 1, "rank-");
	self->channel = flow_join(self, start->address, name);
	return self->channel != NULL;
}

/* Tells the others that the first dispatch is done, or that this rank gives up. */
static bool leave_ranks(struct flow_self *self, bool good)
{
	struct note note = {.kind = FLOW_SAYS_FAILED, .rank = self->number};

	if (good)
		good = gather_notes(self, FLOW_SAYS_DONE, NULL, NULL);
	else if (self->channel)
		flow_say(self, self->channel, &note);
	if (self->hub) {
		note.kind = good ? FLOW_SAYS_END : FLOW_SAYS_FAILED;
		if (self->rank_count > 1)
			flow_tell(self, self->hub, CHANNEL_ALL, &note);
	} else if (good) {
		good = spread_note(self, FLOW_SAYS_END, NULL, NULL);
	}
	return good;
}

void rank_body(void *argument)
{
	struct rank_start *start = argument;
	struct flow_self self = {.run = start->run,
		.kind = ACTOR_RANK,
		.number = start->rank.rank,
		.rank = start->rank,
		.rank_count = start->rank_count};
	const struct channel_ops *ops = start->run->job->channels;

	world->work(WORK_START_PROCESS, 1);
	world->settle();
	start->good = meet_ranks(&self, start) && flow_steps(&self);
	start->good = leave_ranks(&self, start->good);
	ops->close(self.channel);
	ops->hub_close(self.hub);
	text_fini(&self.known);
	flow_self_end(&self);
}

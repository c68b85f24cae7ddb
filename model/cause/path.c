/* Walks back along causes (cause.h), and splits the time into charges. If the charges of a cause do
 * not cover its time, the remaining time is charged to the `rest` of the cause. Time before the
 * first cause is charged to NOTHING. */
#include "cause/cause.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 64 };

static const struct {
	const char *path;
	enum time_stage stage;
} charges[CHARGE_COUNT] = {
#define X(name, path, stage) {path, TIME_##stage},
#include "lists/charge.def"
#undef X
};

static const char *const labels[TIME_STAGE_COUNT] = {
#define X(name, label) label,
#include "lists/stage.def"
#undef X
};

static const char *transport, *codec;

void charge_ways(const char *transport_name, const char *codec_name)
{
	transport = transport_name;
	codec = codec_name;
}

const char *charge_path(enum charge charge)
{
	static char named[CHARGE_COUNT][PATH_BYTES];
	const char *path = charges[charge].path, *star = strchr(path, '*');
	const char *name = charges[charge].stage == TIME_CODEC ? codec : transport;

	if (star == NULL || name == NULL)
		return path;
	snprintf(named[charge], PATH_BYTES, "%.*s%s%s", (int)(star - path), path, name, star + 1);
	return named[charge];
}

enum time_stage charge_stage(enum charge charge)
{
	return charges[charge].stage;
}

const char *time_stage_label(enum time_stage stage)
{
	return labels[stage];
}

/* Kinds of waits. The kind of a wait is the first in this table whose `begin` is the beginning of
 * the text of the wait. If `room` is set, the wait is for free space, and the walk does not
 * continue at the cause that ended it. */
static const struct wait_kind {
	const char *begin;
	bool room;
	enum charge wait;
} kinds[] = {
	{"room in an issue queue", true, CHARGE_WAIT_ROOM},
	{"room in the completion", true, CHARGE_WAIT_EVENT},
	{"room in the notification", true, CHARGE_WAIT_EVENT},
	{"room", true, CHARGE_WAIT_CREDIT},
	{"credits", true, CHARGE_WAIT_CREDIT},
	{"a slot of the router", true, CHARGE_WAIT_LINK},
	{"the router", true, CHARGE_WAIT_LINK},
	{"entry to", true, CHARGE_WAIT_THREAD},
	{"workers", false, CHARGE_WAIT_WORKER},
	{"a go", false, CHARGE_WAIT_DISPATCH},
	{"commands in the issue", false, CHARGE_WAIT_ISSUE},
	{"commands over PCIe", false, CHARGE_WAIT_PCIE},
	{"commands", false, CHARGE_WAIT_PREFETCH},
	{"segments", false, CHARGE_WAIT_LINK},
	{"records", false, CHARGE_WAIT_EVENT},
	{"announcements", false, CHARGE_WAIT_EVENT},
	{"the aggregator", false, CHARGE_WAIT_EVENT},
	{"reads of DRAM", false, CHARGE_WAIT_DRAM},
	{"reads of host", false, CHARGE_WAIT_PCIE},
	{"acknowledgement", false, CHARGE_WAIT_NOC},
	{"its own writes", false, CHARGE_WAIT_NOC},
	{"data", false, CHARGE_WAIT_DISPATCH},
	{"the rest", false, CHARGE_WAIT_DISPATCH},
	{"notification by", false, CHARGE_WAIT_DISPATCH},
	{"release by", false, CHARGE_WAIT_DISPATCH},
};

static const struct wait_kind *find_kind(const char *what)
{
	for (size_t i = 0; what && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strncmp(what, kinds[i].begin, strlen(kinds[i].begin)) == 0)
			return &kinds[i];
	return NULL;
}

/* Returns the kind of the wait with the text `what`; NULL if the wait has no kind. Every step of a
 * walk calls this function, so the results are kept in a hash table. Its key is the address of the
 * text, because texts are static and few. If the place for an address is taken, the following
 * places are tried. */
static const struct wait_kind *kind_of(const char *what)
{
	enum { PLACES = 256 };
	static struct {
		const char *what;
		const struct wait_kind *kind;
	} known[PLACES];
	size_t place = ((uintptr_t)what >> 3) % PLACES;

	if (!what)
		return NULL;
	for (size_t i = 0; i < PLACES && known[place].what != what; i++) {
		if (!known[place].what) {
			known[place].what = what;
			known[place].kind = find_kind(what);
		} else {
			place = (place + 1) % PLACES;
		}
	}
	return known[place].what == what ? known[place].kind : find_kind(what);
}

struct walk {
	const struct path_query *query;
	path_piece *piece;
	void *context;
	cause_id at;
	int64_t now_ps;
};

/* Reports the time from `from_ps`, or from the start if the start is later, until now. */
static void give(struct walk *walk, enum charge charge, int64_t from_ps)
{
	if (from_ps < walk->query->start_ps)
		from_ps = walk->query->start_ps;
	if (from_ps >= walk->now_ps)
		return;
	walk->piece(walk->context, charge, from_ps, walk->now_ps);
	walk->now_ps = from_ps;
}

/* Continues the walk at the latest mark of the query's operation that is not after the walk's
 * current time. Skips a mark if the walk is at its cause already, or if its cause belongs to an
 * earlier operation. If no mark is left, returns false and changes nothing. */
static bool return_to_own(struct walk *walk)
{
	const struct path_query *query = walk->query;

	for (uint32_t i = query->mark_count; i-- > 0;) {
		const struct path_mark *mark = &query->marks[i];

		if (mark->at_ps > walk->now_ps || mark->cause == walk->at ||
			causes.at[mark->cause].operation < query->operation)
			continue;
		give(walk, mark->wait, mark->at_ps);
		walk->at = mark->cause;
		return true;
	}
	return false;
}

static void pass_wait(struct walk *walk, const struct cause *cause, cause_id parent)
{
	const struct wait_kind *kind = kind_of(cause->join.what);
	cause_id other = cause->join.other;

	/* a wait that its deadline ended has no other cause */
	if (!(kind && kind->room) && other != CAUSE_NONE && other != parent &&
		causes.at[other].operation >= walk->query->operation) {
		walk->at = other;
		return;
	}
	give(walk, kind ? kind->wait : (enum charge)cause->rest, causes.at[parent].at_ps);
	walk->at = parent;
}

/* Reports a charge, like give(). If the charge stands for several charges, reports each of these.
 * Their times may sum to less than the time of the charge because of rounding; the first of them
 * gets the difference. */
static void give_charge(struct walk *walk, uint64_t charge, int64_t from_ps)
{
	uint64_t parts[CAUSE_PENDING];
	uint32_t count;
	int64_t end_ps = walk->now_ps;

	if (!cause_parts(charge, parts, &count)) {
		give(walk, (enum charge)(charge >> CAUSE_PS_BITS), from_ps);
		return;
	}
	for (uint32_t i = count; i-- > 0;) {
		end_ps -= cause_ps(parts[i]);
		give(walk, (enum charge)(parts[i] >> CAUSE_PS_BITS),
			i > 0 && end_ps > from_ps ? end_ps : from_ps);
	}
}

static void path_pass(struct walk *walk, const struct cause *cause, cause_id parent)
{
	int64_t since_ps = parent ? causes.at[parent].at_ps : walk->query->start_ps;
	int64_t end_ps = cause->at_ps;

	for (uint32_t i = cause->count; i-- > 0;) {
		end_ps -= cause_ps(cause->charges[i]);
		give_charge(walk, cause->charges[i],
			cause->early || end_ps > since_ps ? end_ps : since_ps);
	}
	give(walk, (enum charge)cause->rest, since_ps);
	walk->at = parent;
}

void path_walk(const struct path_query *query, path_piece *piece, void *context)
{
	struct walk walk = {query, piece, context, query->end, query->end_ps};

	while (walk.at != CAUSE_NONE && walk.now_ps > query->start_ps) {
		const struct cause *cause = &causes.at[walk.at];
		const struct cause_link *link = &causes.links[walk.at];

		if (cause->operation < query->operation && return_to_own(&walk))
			continue;
		if (link->joined)
			pass_wait(&walk, cause, link->parent);
		else
			path_pass(&walk, cause, link->parent);
	}
	give(&walk, CHARGE_NOTHING, query->start_ps);
}

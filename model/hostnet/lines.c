/* Lines and parcels with their references, and the state of the network. */
#include "hostnet_private.h"

#include <stdlib.h>

#include "base/allocate.h"

struct hostnet hostnet;

/* ---- parcels ---- */

struct parcel *net_parcel_new(
	struct line *line, enum side from, enum parcel_kind kind, struct span message)
{
	struct parcel *parcel = hostnet.free_parcels;

	if (parcel)
		hostnet.free_parcels = parcel->next;
	else
		parcel = allocate(1, sizeof *parcel);
	*parcel = (struct parcel){.line = line, .kind = kind, .from = from, .message = message};
	span_hold(message);
	net_line_hold(line);
	return parcel;
}

void net_parcel_free(struct parcel *parcel)
{
	cause_release(parcel->cause);
	span_release(parcel->message);
	net_line_release(parcel->line);
	parcel->next = hostnet.free_parcels;
	hostnet.free_parcels = parcel;
}

/* ---- lines ---- */

struct line *net_line_new(struct end *hub, struct end *member)
{
	struct line *line = allocate(1, sizeof *line);

	line->references = SIDE_COUNT;
	line->lost_after_ps = member->costs->lost_after_ps;
	line->halves[SIDE_HUB] =
		(struct half){.end = hub, .way = {NULL, line, hub->host, member->host}};
	line->halves[SIDE_MEMBER] =
		(struct half){.end = member, .way = {NULL, line, member->host, hub->host}};
	line->next = hostnet.lines;
	if (line->next)
		line->next->previous = line;
	hostnet.lines = line;
	return line;
}

void net_line_hold(struct line *line)
{
	line->references++;
}

void net_line_release(struct line *line)
{
	if (--line->references > 0)
		return;
	if (line->previous)
		line->previous->next = line->next;
	else
		hostnet.lines = line->next;
	if (line->next)
		line->next->previous = line->previous;
	free(line);
}

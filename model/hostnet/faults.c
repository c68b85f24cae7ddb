/* Faults of hosts: a host is cut off the network, its program dies, or it becomes slow. */
#include "hostnet_private.h"

#include "base/ensure.h"

static bool crosses(const struct line *line, uint16_t host)
{
	const struct way *way = &line->halves[SIDE_HUB].way;

	return way->from != way->to && (way->from == host || way->to == host);
}

static void too_long(void *subject, uint64_t host)
{
	struct line *line = subject;
	const struct nic *nic = &hostnet.nics[host];

	if (nic->cut && engine_now() - nic->cut_since_ps >= line->lost_after_ps) {
		net_line_lose(line, SIDE_HUB);
		net_line_lose(line, SIDE_MEMBER);
	}
	net_line_release(line);
}

/* If the host is cut off now, schedules a check after lost_after_ps. If the host is cut off for all
 * of this time, the check closes the line: each end then counts the other as lost. */
static void watch(struct line *line, uint16_t host)
{
	if (!crosses(line, host) || !hostnet.nics[host].cut)
		return;
	net_line_hold(line);
	engine_push(engine_now() + line->lost_after_ps, too_long, line, host);
}

void net_line_watch(struct line *line)
{
	watch(line, line->halves[SIDE_HUB].way.from);
	watch(line, line->halves[SIDE_MEMBER].way.from);
}

void hostnet_cut(uint16_t host, bool cut)
{
	struct nic *nic = &hostnet.nics[host];

	ensure(host < hostnet.count, "host %u of %u", host, hostnet.count);
	if (nic->cut == cut)
		return;
	nic->cut = cut;
	nic->cut_since_ps = engine_now();
	for (struct line *line = hostnet.lines; line; line = line->next)
		watch(line, host);
}

void hostnet_kill(uint16_t host)
{
	ensure(host < hostnet.count, "host %u of %u", host, hostnet.count);
	hostnet.nics[host].dead = true;
	for (struct end *end = hostnet.ends; end; end = end->next)
		if (end->host == host)
			net_end_kill(end);
}

void hostnet_slow(uint16_t host, int64_t each_ps)
{
	ensure(host < hostnet.count, "host %u of %u", host, hostnet.count);
	hostnet.nics[host].slow_ps = each_ps;
}

/* ---- scheduled faults ---- */

static void join_again(void *unused, uint64_t host)
{
	(void)unused;
	hostnet_cut((uint16_t)host, false);
}

static void fail(void *unused, uint64_t host)
{
	const struct hostnet_fault *fault = &hostnet.fault;

	(void)unused;
	hostnet.failed = true;
	if (fault->kind == HOSTNET_DEATH) {
		hostnet_kill((uint16_t)host);
	} else if (fault->kind == HOSTNET_SLOW) {
		hostnet_slow((uint16_t)host, fault->for_ps);
	} else if (fault->for_ps > 0) {
		hostnet_cut((uint16_t)host, true);
		engine_push(engine_now() + fault->for_ps, join_again, NULL, host);
	}
}

void hostnet_expect(const struct hostnet_fault *fault)
{
	hostnet.fault = *fault;
	engine_push(engine_now() + fault->at_ps, fail, NULL, fault->host);
}

bool hostnet_has_failed(void)
{
	return hostnet.failed;
}

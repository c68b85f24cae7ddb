/* Tests strangers at a hub over UCX. If a foreign peer connects, UCX closes the connection without
 * reporting it, or ends the process with an assertion. So other machines must not be able to reach
 * such a hub. Frames from strangers are rejected, as with all libraries. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "transports.h"

static void be_noisy(const struct hub *hub, const char *noise, size_t length)
{
	int fd = transport_connect(hub);

	check_equal(send(fd, noise, length, MSG_NOSIGNAL), length);
	close(fd);
}

static void what_is_cut_off_or_too_long_for_ucx_hurts_nobody(void)
{
	static const char text[] = "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n", zeros[3];
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	uint32_t number;

	be_noisy(hub, text, sizeof text);
	be_noisy(hub, zeros, sizeof zeros);
	check_status(transport->hub_accept(hub, transport_in_ms(50), &number), STATUS_TIMEOUT);
	transport_send_to(hub, CHANNEL_ALL, 100, 1);
	transport_expect(channel, 100, 1);
	transport_say(channel, 100, 2);
	transport_expect_of(hub, 0, 100, 2);
	transport->close(channel);
	transport->hub_close(hub);
}

static bool is_ucx(const char *name)
{
	return strncmp(name, "ucx", 3) == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(transport_refuses_other_machines),
		TRANSPORT_CASE(what_is_cut_off_or_too_long_for_ucx_hurts_nobody),
	};

	return transports_run_where(
		"strangers of UCX", cases, sizeof cases / sizeof cases[0], is_ucx);
}

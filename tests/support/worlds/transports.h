/* Runs tests of the contract of channel.h. Each case runs in a child process. It runs on every
 * native transport of this build, except those that the case or the suite leaves out.
 * transports_run_everywhere() also runs it on the simulated transports. */
#ifndef TEST_TRANSPORTS_H
#define TEST_TRANSPORTS_H

#include "transport/rows.h"

struct transport_case {
	const char *name;
	void (*body)(void);
	bool (*runs)(const char *name); /* accepts transports; NULL: all transports of the suite */
};

#define TRANSPORT_CASE(case_body)                                                                  \
	{                                                                                          \
		.name = #case_body, .body = case_body                                              \
	}
#define TRANSPORT_CASE_OF(case_runs, case_body)                                                    \
	{                                                                                          \
		.name = #case_body, .body = case_body, .runs = case_runs                           \
	}

/* Runs every case on every native transport, as the test "<transport>: <case>". Also runs every
 * case on every simulated transport, twice: with members on the hub's host, as the test
 * "<transport> sim: <case>", and with members on another host ("sim hosts"). main() calls this
 * function. */
int transports_run_everywhere(
	const char *suite, const struct transport_case *cases, uint32_t count);

/* Works like transports_run_everywhere(), but only on native transports. */
int transports_run(const char *suite, const struct transport_case *cases, uint32_t count);

/* Works like transports_run(), but only on transports for which runs(name) is true. */
int transports_run_where(const char *suite, const struct transport_case *cases, uint32_t count,
	bool (*runs)(const char *name));

/* ---- for bodies ---- */

enum { TRANSPORT_MESSAGE_MAX = 1 << 21, TRANSPORT_WINDOW = 4 };

/* The current transport. */
extern const struct channel_ops *transport;

/* transport_hub_settings() returns the settings of a hub at a free address.
 * transport_member_settings() returns the settings of a member named `name`, for the hub `hub`. */
struct channel_settings transport_hub_settings(void);
struct channel_settings transport_member_settings(const struct hub *hub, const char *name);

/* Returns the time `ms` milliseconds from now. */
int64_t transport_in_ms(int64_t ms);

/* transport_hub() opens a hub. transport_join() opens a member, lets it join the hub, and returns
 * its channel. The hub must accept the member with number `number`. */
struct hub *transport_hub(void);
struct channel *transport_join(struct hub *hub, const char *name, uint32_t number);
struct channel *transport_join_with(
	struct hub *hub, struct channel_settings settings, uint32_t number);

/* Connects to the hub's port on this machine over TCP, as a foreign process would. */
int transport_connect(const struct hub *hub);

/* transport_message() makes a message of this length from the seed. transport_check_message()
 * checks that `message` is equal to the message of this length and seed. */
struct span transport_message(uint32_t length, uint32_t seed);
void transport_check_message(struct span message, uint32_t length, uint32_t seed);

/* Checks that the hub rejects exactly one connection within a few seconds, accepts none, and can
 * then still send a message to member 0. */
void transport_check_goes_on(struct hub *hub, struct channel *channel);

/* transport_send_to() sends a message to a member or to CHANNEL_ALL, and transport_say() sends a
 * message to the hub. transport_expect() and transport_expect_of() receive a message, and check
 * that it is the expected message. */
void transport_send_to(struct hub *hub, uint32_t member, uint32_t length, uint32_t seed);
void transport_expect(struct channel *channel, uint32_t length, uint32_t seed);
void transport_say(struct channel *channel, uint32_t length, uint32_t seed);
void transport_expect_of(struct hub *hub, uint32_t member, uint32_t length, uint32_t seed);

/* A case for transports whose library must not be reachable by other machines. Checks that the
 * setting `remote` is rejected. */
void transport_refuses_other_machines(void);

#endif

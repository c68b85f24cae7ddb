/* Cases of the contract of channel.h: each on every transport that this program was built with, in
 * the native world, and on the simulated one of each; in a child of its own. */
#ifndef TEST_TRANSPORTS_H
#define TEST_TRANSPORTS_H

#include "transport/rows.h"

struct transport_case {
	const char *name;
	void (*body)(void);
	bool (*runs)(const char *name); /* on which transports; NULL: on all of the suite's */
};

#define TRANSPORT_CASE(case_body)                                                                  \
	{                                                                                          \
		.name = #case_body, .body = case_body                                              \
	}
#define TRANSPORT_CASE_OF(case_runs, case_body)                                                    \
	{                                                                                          \
		.name = #case_body, .body = case_body, .runs = case_runs                           \
	}

/* Runs every case on every transport, under the name "<transport>: <case>", and on every simulated
 * one, with members on the hub's host ("<transport> sim: <case>") and on another ("sim hosts"). For
 * main(). */
int transports_run_everywhere(
	const char *suite, const struct transport_case *cases, uint32_t count);

/* On the native ones. */
int transports_run(const char *suite, const struct transport_case *cases, uint32_t count);

/* The same on those of which `runs` says so by their names. */
int transports_run_where(const char *suite, const struct transport_case *cases, uint32_t count,
	bool (*runs)(const char *name));

/* ---- for bodies ---- */

enum { TRANSPORT_MESSAGE_MAX = 1 << 21, TRANSPORT_WINDOW = 4 };

/* The transport that runs. */
extern const struct channel_ops *transport;

/* Settings of a hub at a free address of its own, and of members of a hub there. */
struct channel_settings transport_hub_settings(void);
struct channel_settings transport_member_settings(const struct hub *hub, const char *name);

/* So many ms from now. */
int64_t transport_in_ms(int64_t ms);

/* A hub that must open, and a member that must join it by itself and be accepted: its channel. */
struct hub *transport_hub(void);
struct channel *transport_join(struct hub *hub, const char *name, uint32_t number);
struct channel *transport_join_with(
	struct hub *hub, struct channel_settings settings, uint32_t number);

/* A stranger's connection to the hub's port on this machine, over TCP. */
int transport_connect(const struct hub *hub);

/* A message of so many bytes, which follow from the seed; and whether it is that one. */
struct span transport_message(uint32_t length, uint32_t seed);
void transport_check_message(struct span message, uint32_t length, uint32_t seed);

/* The hub refuses somebody, once, within seconds, accepts nobody, and goes on with its member 0. */
void transport_check_goes_on(struct hub *hub, struct channel *channel);

/* Says a message, to a member or to CHANNEL_ALL; and receives one, which must be that one. */
void transport_send_to(struct hub *hub, uint32_t member, uint32_t length, uint32_t seed);
void transport_expect(struct channel *channel, uint32_t length, uint32_t seed);
void transport_say(struct channel *channel, uint32_t length, uint32_t seed);
void transport_expect_of(struct hub *hub, uint32_t member, uint32_t length, uint32_t seed);

/* Case of transports whose library is not to be met by strangers: `remote` is refused. */
void transport_refuses_other_machines(void);

#endif

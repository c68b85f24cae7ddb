/* A foreign process that connects only to the lifeline of a hub over MPI. The lifeline is a socket
 * by which the hub learns that a member has died. Tests choose what the foreign process sends, and
 * check how the hub reacts. */
#ifndef TEST_LIFELINE_H
#define TEST_LIFELINE_H

#include <stdint.h>

#include "transport/frame.h"
#include "transports.h"

/* Connects and sends a greeting. Returns when the hub has sent its welcome. */
int lifeline_greet(const struct hub *hub, uint64_t *cookie);

/* Sends frame number `sequence`, from 0, with at most 64 bytes. */
void lifeline_say(
	int fd, enum frame_kind kind, uint64_t sequence, const void *bytes, uint32_t length);

/* Returns the kind of the next frame from the hub. Returns 0 if the hub has closed the
 * connection. */
enum frame_kind lifeline_hear(int fd);

/* Runs how(hub) in a thread. Meanwhile, the hub must reject exactly `refused` connections and
 * accept none. Afterwards, messages from the hub must still reach its member. */
void lifeline_check(void (*how)(void *hub), uint32_t refused);

#endif

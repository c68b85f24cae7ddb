/* A stranger at a hub over MPI, with nothing but the socket beside a line: what it says there, and
 * what the hub makes of it. */
#ifndef TEST_LIFELINE_H
#define TEST_LIFELINE_H

#include <stdint.h>

#include "transport/frame.h"
#include "transports.h"

/* Connects and greets; the hub has welcomed it. */
int lifeline_greet(const struct hub *hub, uint64_t *cookie);

/* A frame, the `sequence`th from 0, of some bytes, at most 64. */
void lifeline_say(
	int fd, enum frame_kind kind, uint64_t sequence, const void *bytes, uint32_t length);

/* Kind of the next frame of the hub. 0: it has ended the connection. */
enum frame_kind lifeline_hear(int fd);

/* While how(hub) runs in a thread of its own, the hub refuses so many, in time, accepts none, and
 * goes on with its member. */
void lifeline_check(void (*how)(void *hub), uint32_t refused);

#endif

/* Ends of a connection that prove themselves by hand, for tests that then break the rules: what a
 * member says and hears, as bytes of frames on a socket. */
#ifndef TEST_BARE_H
#define TEST_BARE_H

#include "transport/frame.h"
#include "transport/proof.h"

enum { BARE_BYTES = FRAME_HEADER_BYTES + 256 };

/* Writes a frame; returns its bytes. */
uint32_t bare_frame(struct frame frame, const void *payload, uint8_t bytes[BARE_BYTES]);

/* A proof with the key of tests, at its beginning; and the frame of its greeting. */
struct proof bare_proof(void);
uint32_t bare_hello(struct proof *proof, const char *greeting, uint8_t bytes[BARE_BYTES]);

/* What the hub challenged with, in bytes; its answer, of which *session is that of all frames that
 * follow. Fails if it is no challenge of a hub that holds the key. */
uint32_t bare_answer(struct proof *proof, const uint8_t *challenge, uint8_t bytes[BARE_BYTES],
	uint64_t *session);

enum { BARE_CHALLENGE_BYTES = FRAME_HEADER_BYTES + PROOF_NONCE_BYTES + PROOF_BYTES };

/* All of it on a socket that waits: what is said next is number 2. Returns the session. */
uint64_t bare_prove(int fd, const char *name);

/* Greets, hears the challenge and proves itself, in one with `then`, a frame of no payload: the hub
 * can accept nobody in between. A session of 0 in it stands for the connection's. */
void bare_prove_and(int fd, const char *name, struct frame then);

/* Greets and hears the challenge; *proof knows the session from now on. */
struct proof bare_greet(int fd, const char *name, uint8_t challenge[BARE_CHALLENGE_BYTES]);

/* Sends all of it. */
void bare_put(int fd, const void *bytes, size_t count);

#endif

/* The frames that a member sends, as bytes on a socket, for tests that violate the protocol. Such a
 * test does not use the code of members, so it must prove by itself that it has the key. */
#ifndef TEST_BARE_H
#define TEST_BARE_H

#include "transport/frame.h"
#include "transport/proof.h"

enum { BARE_BYTES = FRAME_HEADER_BYTES + 256 };

/* Writes a frame. Returns its size. */
uint32_t bare_frame(struct frame frame, const void *payload, uint8_t bytes[BARE_BYTES]);

/* bare_proof() starts a proof with the key of the tests. bare_hello() writes the frame with which a
 * member greets the hub, and returns the length of the frame. */
struct proof bare_proof(void);
uint32_t bare_hello(struct proof *proof, const char *greeting, uint8_t bytes[BARE_BYTES]);

/* Checks the hub's challenge, whose bytes are `challenge`, and writes the answer to `bytes`. Sets
 * *session to the session number of all following frames. Returns the length of the answer. Fails
 * the test unless the challenge comes from a hub that has the key. */
uint32_t bare_answer(struct proof *proof, const uint8_t *challenge, uint8_t bytes[BARE_BYTES],
	uint64_t *session);

enum { BARE_CHALLENGE_BYTES = FRAME_HEADER_BYTES + PROOF_NONCE_BYTES + PROOF_BYTES };

/* Greets the hub, receives its challenge and answers the challenge, on a blocking socket. The next
 * frame that the caller sends has number 2. Returns the session. */
uint64_t bare_prove(int fd, const char *name);

/* Greets the hub, receives its challenge, and sends the answer in one write with `then`, a frame
 * without payload. So the hub cannot accept the member before `then` arrives. If the session of
 * `then` is 0, the session of the connection is used. */
void bare_prove_and(int fd, const char *name, struct frame then);

/* Sends the greeting and receives the challenge. After the call, *proof has the session. */
struct proof bare_greet(int fd, const char *name, uint8_t challenge[BARE_CHALLENGE_BYTES]);

/* Sends all bytes. */
void bare_put(int fd, const void *bytes, size_t count);

#endif

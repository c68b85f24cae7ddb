/* See bare.h. */
#include "bare.h"

#include <string.h>
#include <sys/socket.h>

#include "check.h"
#include "test_key.h"
#include "transports.h"

void bare_put(int fd, const void *bytes, size_t count)
{
	check_equal(send(fd, bytes, count, MSG_NOSIGNAL), count);
}

uint32_t bare_frame(struct frame frame, const void *payload, uint8_t bytes[BARE_BYTES])
{
	check_at_most(frame.length, BARE_BYTES - FRAME_HEADER_BYTES);
	frame_write(&frame, bytes);
	if (frame.length > 0)
		memcpy(bytes + FRAME_HEADER_BYTES, payload, frame.length);
	return FRAME_HEADER_BYTES + frame.length;
}

struct proof bare_proof(void)
{
	return (struct proof){.key = test_key(), .session = transport_hub_settings().session};
}

uint32_t bare_hello(struct proof *proof, const char *greeting, uint8_t bytes[BARE_BYTES])
{
	struct span payload = proof_hello(proof, greeting, (uint32_t)strlen(greeting));
	uint32_t count = bare_frame(
		(struct frame){FRAME_HELLO, 0, 0, 0, payload.length}, payload.extent->bytes, bytes);

	span_release(payload);
	return count;
}

uint32_t bare_answer(
	struct proof *proof, const uint8_t *challenge, uint8_t bytes[BARE_BYTES], uint64_t *session)
{
	struct span payload =
		span_copy(challenge + FRAME_HEADER_BYTES, PROOF_NONCE_BYTES + PROOF_BYTES);
	uint8_t proved[PROOF_BYTES];

	check(proof_is_challenge(proof, payload), "the hub proves nothing");
	span_release(payload);
	*session = proof_session(proof);
	proof_make(proof, PROOF_MEMBER, proved);
	return bare_frame((struct frame){FRAME_PROOF, *session, 1, 0, PROOF_BYTES}, proved, bytes);
}

struct proof bare_greet(int fd, const char *name, uint8_t challenge[BARE_CHALLENGE_BYTES])
{
	struct proof proof = bare_proof();
	uint8_t bytes[BARE_BYTES];

	bare_put(fd, bytes, bare_hello(&proof, name, bytes));
	check_equal(recv(fd, challenge, BARE_CHALLENGE_BYTES, MSG_WAITALL), BARE_CHALLENGE_BYTES);
	memcpy(proof.hub_nonce, challenge + FRAME_HEADER_BYTES, PROOF_NONCE_BYTES);
	return proof;
}

uint64_t bare_prove(int fd, const char *name)
{
	uint8_t bytes[BARE_BYTES], challenge[BARE_CHALLENGE_BYTES];
	struct proof proof = bare_greet(fd, name, challenge);
	uint64_t session;

	bare_put(fd, bytes, bare_answer(&proof, challenge, bytes, &session));
	return session;
}

void bare_prove_and(int fd, const char *name, struct frame then)
{
	uint8_t bytes[BARE_BYTES], challenge[BARE_CHALLENGE_BYTES];
	struct proof proof = bare_greet(fd, name, challenge);
	uint64_t session;
	uint32_t count = bare_answer(&proof, challenge, bytes, &session);

	then.session = then.session ? then.session : session;
	frame_write(&then, bytes + count);
	bare_put(fd, bytes, count + FRAME_HEADER_BYTES);
}

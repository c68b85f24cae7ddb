/* How the two ends of a connection prove to each other that they are of one run: both hold its key,
 * which never leaves them. The member says a nonce and its greeting; the hub says a nonce of its
 * own and its proof; the member says its proof. A proof is HMAC-SHA-256 over who proves, the
 * session of the settings, both nonces and the greeting, which names the host. Knows no frames. */
#ifndef TRANSPORT_PROOF_H
#define TRANSPORT_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/extent.h"
#include "world/channel.h"

enum {
	PROOF_KEY_BYTES = CHANNEL_KEY_BYTES,
	PROOF_NONCE_BYTES = 32,
	PROOF_BYTES = 32,
	PROOF_GREETING_MAX = 96,
	PROOF_PAYLOAD_MAX = PROOF_NONCE_BYTES + PROOF_GREETING_MAX, /* of what is said below */
};

/* Who proves, or what for: a proof of one role is none of another. */
enum proof_role {
	PROOF_HUB,
	PROOF_MEMBER,
	PROOF_SUBSCRIBER, /* a member, on a second connection */
	PROOF_SESSION,	  /* never sent as such: the number that frames carry */
};

/* The opening of one connection, as either end has it. Zeroed, but for what is given. */
struct proof {
	const uint8_t *key; /* given; PROOF_KEY_BYTES, outlive this */
	uint64_t session;   /* given; of the settings */
	uint8_t member_nonce[PROOF_NONCE_BYTES], hub_nonce[PROOF_NONCE_BYTES];
	uint8_t greeting[PROOF_GREETING_MAX];
	uint32_t greeting_length;
};

/* A new key of a run, from the kernel, in memory of its own that is neither swapped nor dumped, and
 * that children inherit. NULL: there is no memory. */
uint8_t *proof_key_new(void);

/* Wipes and frees it. NULL is allowed. */
void proof_key_free(uint8_t *key);

/* ---- the member ---- */

/* What the member says first: a fresh nonce, and `length` bytes of greeting, PROOF_GREETING_MAX at
 * most. The caller releases it. */
struct span proof_hello(struct proof *proof, const void *greeting, uint32_t length);

/* What the hub answered. False: it does not hold this key, or the session is another one. */
bool proof_is_challenge(struct proof *proof, struct span payload);

/* ---- the hub ---- */

/* What the member said first; *greeting is the part of it that the library reads, without a
 * reference. False: it is none. */
bool proof_is_hello(struct proof *proof, struct span payload, struct span *greeting);

/* What the hub answers: a fresh nonce and its proof. The caller releases it. */
struct span proof_challenge(struct proof *proof);

/* ---- both, when both nonces are known ---- */

/* PROOF_BYTES that prove the role. */
void proof_make(const struct proof *proof, enum proof_role role, uint8_t bytes[PROOF_BYTES]);

/* Whether these bytes do; takes as long whatever they are. */
bool proof_holds(const struct proof *proof, enum proof_role role, const void *bytes, size_t length);

/* The session number of the connection's frames: never 0, and of this connection alone. */
uint64_t proof_session(const struct proof *proof);

/* Whether two texts of so many bytes are the same; takes as long whatever they are. */
bool proof_is_same(const void *one, const void *other, size_t length);

/* So many bytes that nobody can guess, from the kernel. */
void proof_random(void *bytes, size_t count);

#endif

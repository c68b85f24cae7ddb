/* The two ends of a connection prove to each other that they belong to the same run. Both have the
 * key of the run, which is never sent. The member sends a nonce and its greeting, which contains
 * its name. The hub answers with its own nonce and its proof. Then the member sends its proof. A
 * proof is an HMAC-SHA-256 over the role, the session of the settings, both nonces, and the
 * greeting. */
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
	/* maximum number of bytes in the payload of a hello or a challenge */
	PROOF_PAYLOAD_MAX = PROOF_NONCE_BYTES + PROOF_GREETING_MAX,
};

/* The purpose of a proof. A proof for one role is not valid for another role. */
enum proof_role {
	PROOF_HUB,
	PROOF_MEMBER,
	PROOF_SUBSCRIBER, /* role of a member on a second connection */
	PROOF_SESSION,	  /* not sent as a proof; used to compute the session number of frames */
};

/* The state of the proofs on one connection, at either end. The caller must zero the struct and set
 * the members that are marked "given". */
struct proof {
	const uint8_t *key; /* given: PROOF_KEY_BYTES bytes that must outlive this struct */
	uint64_t session;   /* given: the session of the settings */
	uint8_t member_nonce[PROOF_NONCE_BYTES], hub_nonce[PROOF_NONCE_BYTES];
	uint8_t greeting[PROOF_GREETING_MAX];
	uint32_t greeting_length;
};

/* Returns a new key for a run, made of random numbers from the kernel. Core dumps do not contain
 * the key, and child processes inherit it. If the user's limit allows it, the key is not swapped to
 * disk. Returns NULL if there is not enough memory. */
uint8_t *proof_key_new(void);

/* Returns a key that is derived from a secret of `length` bytes. The same secret always gives the
 * same key. Returns NULL if there is not enough memory. */
uint8_t *proof_key_of(const void *secret, size_t length);

/* Returns the key of a run, derived from the key `key` and a nonce of PROOF_NONCE_BYTES bytes. The
 * nonce may be sent openly, because a stranger who does not have `key` cannot derive the run's key.
 * Returns NULL if there is not enough memory. */
uint8_t *proof_key_for(const uint8_t *key, const uint8_t nonce[PROOF_NONCE_BYTES]);

/* Wipes and frees the key. NULL is allowed. */
void proof_key_free(uint8_t *key);

/* ---- the member ---- */

/* Returns the member's first payload: a new nonce and `length` bytes of greeting, at most
 * PROOF_GREETING_MAX. Stores both in `proof`. The caller releases the payload. */
struct span proof_hello(struct proof *proof, const void *greeting, uint32_t length);

/* Checks the hub's answer, and stores the hub's nonce in `proof`. Returns true if the answer is
 * valid. Returns false if it is malformed, or if the hub has another key or belongs to another
 * session. */
bool proof_is_challenge(struct proof *proof, struct span payload);

/* ---- the hub ---- */

/* Checks the member's first payload, and stores the member's nonce and greeting in `proof`. Sets
 * *greeting to the part of `payload` after the nonce. *greeting has no reference of its own, so it
 * is valid only as long as `payload`. The caller must check the greeting itself. Returns false if
 * the payload has a wrong length. */
bool proof_is_hello(struct proof *proof, struct span payload, struct span *greeting);

/* Returns the hub's answer: a new nonce and the hub's proof. The caller releases it. */
struct span proof_challenge(struct proof *proof);

/* ---- both ends, when both nonces are known ---- */

/* Computes the PROOF_BYTES bytes that prove the role. */
void proof_make(const struct proof *proof, enum proof_role role, uint8_t bytes[PROOF_BYTES]);

/* Returns true if these bytes prove the role. Compares in constant time. */
bool proof_holds(const struct proof *proof, enum proof_role role, const void *bytes, size_t length);

/* Returns the session number that the frames of this connection contain. It is never 0, and is
 * different for every connection. */
uint64_t proof_session(const struct proof *proof);

/* Returns true if the two byte strings of this length are equal. Compares in constant time. */
bool proof_is_same(const void *one, const void *other, size_t length);

/* Fills `bytes` with `count` random bytes from the kernel. */
void proof_random(void *bytes, size_t count);

#endif

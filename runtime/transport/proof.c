/* Makes and checks the proofs that both ends have the key of the run (proof.h). A comparison takes
 * the same time for right and wrong proofs. Otherwise a stranger could guess a proof byte by byte,
 * and learn from the time of the comparison how many bytes are right. */
#define _DEFAULT_SOURCE /* madvise */
#include "transport/proof.h"

#include <sodium.h>
#include <string.h>
#include <sys/mman.h>

#include "base/ensure.h"

_Static_assert(PROOF_BYTES == crypto_auth_hmacsha256_BYTES, "HMAC-SHA-256");

/* A proof begins with the label of its role, so the proof of one role is not valid for another
 * role. A label has PROOF_LABEL_BYTES bytes. */
enum { PROOF_LABEL_BYTES = 16 };
static const char labels[][PROOF_LABEL_BYTES] = {
	[PROOF_HUB] = "meshsim hub",
	[PROOF_MEMBER] = "meshsim member",
	[PROOF_SUBSCRIBER] = "meshsim reader",
	[PROOF_SESSION] = "meshsim session",
};

/* libsodium gets the bytes from the kernel (getrandom), and aborts the process if this fails. */
void proof_random(void *bytes, size_t count)
{
	randombytes_buf(bytes, count);
}

static uint8_t *key_memory(void)
{
	uint8_t *key = mmap(
		NULL, PROOF_KEY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (key == MAP_FAILED)
		return NULL;
	/* if this exceeds the user's limit, the key may be swapped */
	(void)mlock(key, PROOF_KEY_BYTES);
	(void)madvise(key, PROOF_KEY_BYTES, MADV_DONTDUMP);
	return key;
}

uint8_t *proof_key_new(void)
{
	uint8_t *key = key_memory();

	if (key != NULL)
		proof_random(key, PROOF_KEY_BYTES);
	return key;
}

/* Derives a key: returns the HMAC-SHA-256, under the key `key`, of `label` and `bytes`. Keys and
 * proofs have different labels, so a proof is never a key. */
static uint8_t *derive_key(
	const void *key, size_t key_length, const char *label, const void *bytes, size_t length)
{
	uint8_t *derived = key_memory();
	crypto_auth_hmacsha256_state state;

	if (derived == NULL)
		return NULL;
	crypto_auth_hmacsha256_init(&state, key, key_length);
	crypto_auth_hmacsha256_update(&state, (const uint8_t *)label, strlen(label) + 1);
	crypto_auth_hmacsha256_update(&state, bytes, length);
	crypto_auth_hmacsha256_final(&state, derived);
	sodium_memzero(&state, sizeof state);
	return derived;
}

uint8_t *proof_key_of(const void *secret, size_t length)
{
	return derive_key(secret, length, "meshsim key of a token", "", 0);
}

uint8_t *proof_key_for(const uint8_t *key, const uint8_t nonce[PROOF_NONCE_BYTES])
{
	return derive_key(key, PROOF_KEY_BYTES, "meshsim key of a run", nonce, PROOF_NONCE_BYTES);
}

void proof_key_free(uint8_t *key)
{
	if (!key)
		return;
	sodium_memzero(key, PROOF_KEY_BYTES);
	munmap(key, PROOF_KEY_BYTES);
}

void proof_make(const struct proof *proof, enum proof_role role, uint8_t bytes[PROOF_BYTES])
{
	crypto_auth_hmacsha256_state state;
	uint8_t session[8];

	for (size_t i = 0; i < sizeof session; i++)
		session[i] = (uint8_t)(proof->session >> 8 * i);
	crypto_auth_hmacsha256_init(&state, proof->key, PROOF_KEY_BYTES);
	crypto_auth_hmacsha256_update(&state, (const uint8_t *)labels[role], PROOF_LABEL_BYTES);
	crypto_auth_hmacsha256_update(&state, session, sizeof session);
	crypto_auth_hmacsha256_update(&state, proof->member_nonce, PROOF_NONCE_BYTES);
	crypto_auth_hmacsha256_update(&state, proof->hub_nonce, PROOF_NONCE_BYTES);
	crypto_auth_hmacsha256_update(&state, proof->greeting, proof->greeting_length);
	crypto_auth_hmacsha256_final(&state, bytes);
	sodium_memzero(&state, sizeof state);
}

bool proof_is_same(const void *one, const void *other, size_t length)
{
	return sodium_memcmp(one, other, length) == 0;
}

bool proof_holds(const struct proof *proof, enum proof_role role, const void *bytes, size_t length)
{
	uint8_t expected[PROOF_BYTES];
	bool holds;

	if (length != PROOF_BYTES)
		return false;
	proof_make(proof, role, expected);
	holds = proof_is_same(expected, bytes, PROOF_BYTES);
	sodium_memzero(expected, sizeof expected);
	return holds;
}

uint64_t proof_session(const struct proof *proof)
{
	uint8_t bytes[PROOF_BYTES];
	uint64_t session = 0;

	proof_make(proof, PROOF_SESSION, bytes);
	for (size_t i = 0; i < sizeof session; i++)
		session |= (uint64_t)bytes[i] << 8 * i;
	return session ? session : 1;
}

/* ---- payloads ---- */

struct span proof_hello(struct proof *proof, const void *greeting, uint32_t length)
{
	struct span payload = span_of(extent_new(PROOF_NONCE_BYTES + length));

	ensure(length <= PROOF_GREETING_MAX, "a greeting of %u B", length);
	proof_random(proof->member_nonce, PROOF_NONCE_BYTES);
	memcpy(proof->greeting, greeting, length);
	proof->greeting_length = length;
	memcpy(payload.extent->bytes, proof->member_nonce, PROOF_NONCE_BYTES);
	memcpy(payload.extent->bytes + PROOF_NONCE_BYTES, greeting, length);
	return payload;
}

bool proof_is_hello(struct proof *proof, struct span payload, struct span *greeting)
{
	if (payload.length < PROOF_NONCE_BYTES || payload.length > PROOF_PAYLOAD_MAX)
		return false;
	*greeting = payload;
	greeting->offset += PROOF_NONCE_BYTES;
	greeting->length -= PROOF_NONCE_BYTES;
	memcpy(proof->member_nonce, payload.extent->bytes + payload.offset, PROOF_NONCE_BYTES);
	memcpy(proof->greeting, greeting->extent->bytes + greeting->offset, greeting->length);
	proof->greeting_length = greeting->length;
	return true;
}

struct span proof_challenge(struct proof *proof)
{
	struct span payload = span_of(extent_new(PROOF_NONCE_BYTES + PROOF_BYTES));

	proof_random(proof->hub_nonce, PROOF_NONCE_BYTES);
	memcpy(payload.extent->bytes, proof->hub_nonce, PROOF_NONCE_BYTES);
	proof_make(proof, PROOF_HUB, payload.extent->bytes + PROOF_NONCE_BYTES);
	return payload;
}

bool proof_is_challenge(struct proof *proof, struct span payload)
{
	const uint8_t *bytes = payload.extent ? payload.extent->bytes + payload.offset : NULL;

	if (payload.length != PROOF_NONCE_BYTES + PROOF_BYTES)
		return false;
	memcpy(proof->hub_nonce, bytes, PROOF_NONCE_BYTES);
	return proof_holds(proof, PROOF_HUB, bytes + PROOF_NONCE_BYTES, PROOF_BYTES);
}

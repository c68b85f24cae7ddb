/* Tests the proof that a process has the key of the run. The results of HMAC-SHA-256 are compared
 * with RFC 4231. Proofs, and all data on which they depend, are compared with the output of another
 * program (Python's hmac). Nonces must never repeat. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/extent.h"
#include "transport/proof.h"

/* These are the outputs of python3 for hmac.new(bytes(range(32)), label.ljust(16, b"\0") +
 * (0x0123456789abcdef).to_bytes(8, "little") + bytes(range(64, 96)) + bytes(range(128, 160)) +
 * b"host-3", "sha256"). */
static const char *const vectors[] = {
	[PROOF_HUB] = "d42b81faa0b09a4322dbeaf6ba3462b6e3a9f71ba71e6b155e5a130d45fc3d54",
	[PROOF_MEMBER] = "916b2044e840addee261060d7510bcdfd2b57c1b11a96932259338c133e56df8",
	[PROOF_SUBSCRIBER] = "3fbf11db477fa0046aa3cd2735a8d999174e04fb45d838ae524c0d7eb39f8a94",
	[PROOF_SESSION] = "76c17d02a1b97a627fa2b6386a72c6ddf9e99e4af7211429886b251f4214e280",
};

static uint8_t key[PROOF_KEY_BYTES];

static struct proof known_proof(void)
{
	struct proof proof = {.key = key, .session = 0x0123456789abcdef};

	for (int i = 0; i < PROOF_KEY_BYTES; i++)
		key[i] = (uint8_t)i;
	for (int i = 0; i < PROOF_NONCE_BYTES; i++) {
		proof.member_nonce[i] = (uint8_t)(64 + i);
		proof.hub_nonce[i] = (uint8_t)(128 + i);
	}
	memcpy(proof.greeting, "host-3", 6);
	proof.greeting_length = 6;
	return proof;
}

TEST(proofs_are_those_of_another_program)
{
	const struct proof proof = known_proof();

	for (enum proof_role role = PROOF_HUB; role <= PROOF_SESSION; role++) {
		char text[2 * PROOF_BYTES + 1];
		uint8_t bytes[PROOF_BYTES];

		proof_make(&proof, role, bytes);
		for (int i = 0; i < PROOF_BYTES; i++)
			snprintf(text + 2 * i, 3, "%02x", bytes[i]);
		assert_string_equal(text, vectors[role]);
	}
	assert_true(proof_session(&proof) == 0x627ab9a1027dc176); /* from its first eight bytes */
}

/* The expected keys of a token and of a run, by python3: hmac.new(b"a token of a test", b"meshsim
 * key of a token\0", "sha256"), and hmac.new(bytes(range(32)), b"meshsim key of a run\0" +
 * bytes(range(64, 96)), "sha256"). */
TEST(derived_keys_are_those_of_another_program)
{
	static const char *const expected[] = {
		"61c04f0f5dc88da3eb5de537f457c89500bd80e42c71b80ce67ee1cc246095af",
		"cdae8bdb63180730579f28c3f052bc74682dc87131c21880ccd656b00eeffe45",
	};
	const struct proof proof = known_proof();
	uint8_t *keys[] = {proof_key_of("a token of a test", 17),
		proof_key_for(proof.key, proof.member_nonce)};

	for (int i = 0; i < 2; i++) {
		char text[2 * PROOF_KEY_BYTES + 1];

		assert_non_null(keys[i]);
		for (int k = 0; k < PROOF_KEY_BYTES; k++)
			snprintf(text + 2 * k, 3, "%02x", keys[i][k]);
		assert_string_equal(text, expected[i]);
		proof_key_free(keys[i]);
	}
}

/* Changing any bit of the bound data gives another proof. */
TEST(a_proof_holds_for_nothing_else)
{
	const struct proof proof = known_proof();
	uint8_t bytes[PROOF_BYTES];
	struct proof other;

	proof_make(&proof, PROOF_MEMBER, bytes);
	assert_true(proof_holds(&proof, PROOF_MEMBER, bytes, sizeof bytes));
	assert_false(proof_holds(&proof, PROOF_HUB, bytes, sizeof bytes));
	assert_false(proof_holds(&proof, PROOF_MEMBER, bytes, sizeof bytes - 1));
	for (int i = 0; i < PROOF_BYTES; i++) {
		bytes[i] ^= 1;
		assert_false(proof_holds(&proof, PROOF_MEMBER, bytes, sizeof bytes));
		bytes[i] ^= 1;
	}
	other = proof, other.member_nonce[31] ^= 1;
	assert_false(proof_holds(&other, PROOF_MEMBER, bytes, sizeof bytes));
	other = proof, other.hub_nonce[0] ^= 1;
	assert_false(proof_holds(&other, PROOF_MEMBER, bytes, sizeof bytes));
	other = proof, other.session ^= 1;
	assert_false(proof_holds(&other, PROOF_MEMBER, bytes, sizeof bytes));
	other = proof, other.greeting[5] = '4';
	assert_false(proof_holds(&other, PROOF_MEMBER, bytes, sizeof bytes));
	key[0] ^= 1;
	assert_false(proof_holds(&proof, PROOF_MEMBER, bytes, sizeof bytes));
}

/* Each end reads what the other sends. */
TEST(both_ends_come_to_the_same_session)
{
	struct proof member = {.key = known_proof().key, .session = 1}, hub = member;
	struct span hello = proof_hello(&member, "host-1", 6), greeting, challenge;
	uint8_t bytes[PROOF_BYTES];

	assert_true(proof_is_hello(&hub, hello, &greeting));
	assert_int_equal(greeting.length, 6);
	assert_memory_equal(greeting.extent->bytes + greeting.offset, "host-1", 6);
	challenge = proof_challenge(&hub);
	assert_true(proof_is_challenge(&member, challenge));
	proof_make(&member, PROOF_MEMBER, bytes);
	assert_true(proof_holds(&hub, PROOF_MEMBER, bytes, sizeof bytes));
	assert_true(proof_session(&hub) == proof_session(&member));
	challenge.length--;
	assert_false(proof_is_challenge(&member, challenge));
	challenge.length++;
	challenge.extent->bytes[PROOF_NONCE_BYTES] ^= 1;
	assert_false(proof_is_challenge(&member, challenge));
	hello.length = PROOF_NONCE_BYTES - 1;
	assert_false(proof_is_hello(&hub, hello, &greeting));
	span_release(hello);
	span_release(challenge);
}

TEST(nonces_and_keys_are_fresh)
{
	struct proof first = {.key = known_proof().key}, second = first;
	uint8_t *one = proof_key_new(), *other = proof_key_new();
	struct span hello;

	assert_non_null(one);
	assert_non_null(other);
	assert_memory_not_equal(one, other, PROOF_KEY_BYTES);
	proof_key_free(one);
	proof_key_free(other);
	proof_key_free(NULL);
	hello = proof_hello(&first, "a", 1);
	span_release(hello);
	hello = proof_hello(&second, "a", 1);
	span_release(hello);
	assert_memory_not_equal(first.member_nonce, second.member_nonce, PROOF_NONCE_BYTES);
	hello = proof_challenge(&first);
	span_release(hello);
	memcpy(second.hub_nonce, first.hub_nonce, PROOF_NONCE_BYTES);
	hello = proof_challenge(&first);
	span_release(hello);
	assert_memory_not_equal(first.hub_nonce, second.hub_nonce, PROOF_NONCE_BYTES);
}

TEST_MAIN(NULL, NULL)

/* Tests the places that a trace gets in the config ring. The test records for every byte of the
 * ring which data are there, and which launch used them last. Binaries that a trace keeps in the
 * ring must not be overwritten, and a launch must wait for bytes that may still be in use. */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "mesh/device/config_ring.h"
#include "mesh/program/launches.h"
#include "mesh/trace/trace_ring.h"

enum {
	BASE = 4096,
	BYTES = 64 * 40,
	LAUNCHES = 6000,
	OWNERS = 7,
	CONFIG = OWNERS,
	DEVICES = 3,
	ALL = (1 << DEVICES) - 1
};

/* A device's ring. `last` is the device's last launch. All launches up to `waited` have been waited
 * for. */
struct oracle {
	uint32_t owner[BYTES]; /* 1 + index of the image; CONFIG + 1: a configuration; 0: none */
	uint32_t run[BYTES];   /* last launch that used each byte */
	uint32_t last, waited;
};

static struct oracle oracles[DEVICES];

/* The programs that are launched. Each one always runs on the same devices. */
static struct launched {
	uint32_t bytes, devices;
} programs[OWNERS];

static uint32_t padded(uint32_t bytes)
{
	return (bytes + CONFIG_RING_ALIGN - 1) / CONFIG_RING_ALIGN * CONFIG_RING_ALIGN;
}

static bool whole(const struct oracle *oracle, uint32_t owner, uint32_t at, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		if (oracle->owner[at - BASE + i] != owner + 1)
			return false;
	return true;
}

/* Returns the last launch that uses bytes to be overwritten. */
static uint32_t last_user(const struct oracle *oracle, uint32_t at, uint32_t bytes)
{
	uint32_t run = 0;

	for (uint32_t i = 0; i < bytes; i++)
		if (oracle->run[at - BASE + i] > run)
			run = oracle->run[at - BASE + i];
	return run;
}

static void write_bytes(
	struct oracle *oracle, uint32_t at, uint32_t bytes, uint32_t owner, uint32_t run)
{
	for (uint32_t i = 0; i < bytes; i++) {
		oracle->owner[at - BASE + i] = owner + 1;
		oracle->run[at - BASE + i] = run;
	}
}

static void check_places(const struct trace_wish *wish, const struct trace_grant *grant)
{
	uint32_t config = padded(wish->config_bytes), image = padded(wish->image_bytes);

	assert_int_equal(grant->kernel_base % CONFIG_RING_ALIGN, 0);
	assert_in_range(grant->kernel_base, BASE, BASE + BYTES - image);
	if (config > 0) {
		assert_int_equal(grant->config_base % CONFIG_RING_ALIGN, 0);
		assert_in_range(grant->config_base, BASE, BASE + BYTES - config);
		assert_true(grant->config_base + config <= grant->kernel_base ||
			    grant->kernel_base + image <= grant->config_base);
	}
	if (grant->stall && grant->after >= wish->run)
		fail_msg("launch %u waits for launch %u", wish->run, grant->after);
}

/* Checks a grant on one device. */
static void check_use(const struct oracle *oracle, const struct trace_wish *wish, uint32_t owner,
	const struct trace_grant *grant)
{
	uint32_t config = padded(wish->config_bytes), image = padded(wish->image_bytes), user = 0;

	if (config > 0)
		user = last_user(oracle, grant->config_base, config);
	if (grant->kept && !whole(oracle, owner, grant->kernel_base, image))
		fail_msg("launch %u: binaries of %u at %u are not whole", wish->run, owner,
			grant->kernel_base);
	if (!grant->kept && last_user(oracle, grant->kernel_base, image) > user)
		user = last_user(oracle, grant->kernel_base, image);
	if (user <= oracle->waited || user < wish->oldest)
		return;
	if (!grant->stall)
		fail_msg("launch %u writes over launch %u without a wait; %u and later may be "
			 "under way",
			wish->run, user, wish->oldest);
	if (grant->after < user)
		fail_msg("launch %u waits for launch %u, but writes over launch %u", wish->run,
			grant->after, user);
}

/* Returns the smallest number among the last launches of these devices. */
static uint32_t least_last(uint32_t devices)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t d = 0; d < DEVICES; d++)
		if ((devices >> d & 1) && oracles[d].last < least)
			least = oracles[d].last;
	return least;
}

static void launch(struct oracle *oracle, const struct trace_wish *wish, uint32_t owner,
	const struct trace_grant *grant)
{
	check_use(oracle, wish, owner, grant);
	write_bytes(oracle, grant->kernel_base, padded(wish->image_bytes), owner, wish->run);
	if (wish->config_bytes > 0)
		write_bytes(
			oracle, grant->config_base, padded(wish->config_bytes), CONFIG, wish->run);
	oracle->last = wish->run;
	if (grant->stall && grant->after > oracle->waited)
		oracle->waited = grant->after;
}

TEST(bytes_that_may_be_in_use_are_waited_for_and_kept_ones_are_whole)
{
	struct trace_ring ring;
	struct stream stream;
	uint32_t kept = 0, free_of_waits = 0, full = 0;

	stream_init(&stream, 1, "trace ring");
	trace_ring_init(&ring, BASE, BYTES);
	for (uint32_t i = 0; i < OWNERS; i++)
		programs[i] = (struct launched){
			1 + (uint32_t)stream_below(&stream, i == 0 ? BYTES / 2 : 600),
			i < 3 ? ALL : 1 + (uint32_t)stream_below(&stream, ALL)};
	for (uint32_t run = 1; run <= LAUNCHES; run++) {
		uint32_t owner = (uint32_t)stream_below(&stream, run / 500 % 2 ? OWNERS : 3);
		uint32_t devices = programs[owner].devices;
		struct trace_wish wish = {.owner = &programs[owner],
			.config_bytes = (uint32_t)stream_below(&stream, 4) * 100,
			.image_bytes = programs[owner].bytes,
			.run = run,
			.everywhere = devices == ALL,
			.next = run + 1 + (uint32_t)stream_below(&stream, 9),
			.oldest = launch_past_of(run, full, least_last(devices)).oldest,
			.over = launch_past_of(run, full, least_last(ALL)).oldest};
		struct trace_grant grant = trace_ring_take(&ring, &wish);

		check_places(&wish, &grant);
		for (uint32_t d = 0; d < DEVICES; d++)
			if (devices >> d & 1)
				launch(&oracles[d], &wish, owner, &grant);
		full = launch_full_after(full, devices == ALL);
		kept += grant.kept;
		free_of_waits += !grant.stall;
	}
	trace_ring_fini(&ring);
	assert_true(kept > LAUNCHES / 4);
	assert_true(free_of_waits > LAUNCHES / 4);
}

static struct trace_grant take(struct trace_ring *ring, const void *owner, uint32_t image,
	uint32_t run, uint32_t next, uint32_t oldest)
{
	const struct trace_wish wish = {.owner = owner,
		.image_bytes = image,
		.run = run,
		.next = next,
		.everywhere = true,
		.oldest = oldest,
		.over = oldest};

	return trace_ring_take(ring, &wish);
}

TEST(binaries_whose_next_use_is_farthest_go_first)
{
	struct trace_ring ring;
	struct trace_grant first, second, grant;
	int a, b, c;

	trace_ring_init(&ring, BASE, 128);
	first = take(&ring, &a, 64, 1, 9, 1);
	second = take(&ring, &b, 64, 2, 8, 2);
	assert_false(first.stall || second.stall);
	grant = take(&ring, &c, 64, 7, 10, 7);
	assert_int_equal(grant.kernel_base, first.kernel_base);
	assert_false(grant.stall);
	grant = take(&ring, &b, 64, 8, TRACE_RING_NEVER, 8);
	assert_true(grant.kept);
	assert_int_equal(grant.kernel_base, second.kernel_base);
	/* the last launch may still use its bytes */
	grant = take(&ring, &a, 128, 9, TRACE_RING_NEVER, 8);
	assert_true(grant.stall);
	assert_int_equal(grant.after, 8);
	trace_ring_fini(&ring);
}

TEST_MAIN(NULL, NULL)

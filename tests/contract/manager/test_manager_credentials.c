/* Tests that a sealed message can be opened once, in its own cluster and in its time, and that a
 * caller refuses a manager of another user. Each cluster is a munge daemon with a key of its own.
 */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "manager/credential.h"
#include "test_folder.h"

struct town {
	char socket[256], files[4][256];
	pid_t process;
};

static struct town ours, theirs;

static void town_key(const char *path, uint64_t seed)
{
	FILE *file = fopen(path, "w");
	struct stream stream;

	assert_non_null(file);
	stream_init(&stream, seed, "key");
	for (uint32_t i = 0; i < 1024; i++)
		fputc((int)stream_below(&stream, 256), file);
	fclose(file);
	assert_int_equal(chmod(path, 0400), 0);
}

static bool town_open(struct town *town, const char *name, uint64_t seed)
{
	static const char *const options[] = {"key-file", "pid-file", "log-file", "seed-file"};
	char arguments[5][300];
	struct credential_settings settings = {.socket = town->socket};

	snprintf(town->socket, sizeof town->socket, "%s/%s.socket", test_folder(), name);
	for (int i = 0; i < 4; i++) {
		snprintf(town->files[i], sizeof town->files[i], "%s/%s.%s", test_folder(), name,
			options[i]);
		snprintf(arguments[i], sizeof arguments[i], "--%s=%s", options[i], town->files[i]);
	}
	snprintf(arguments[4], sizeof arguments[4], "--socket=%s", town->socket);
	town_key(town->files[0], seed);
	town->process = fork();
	if (town->process == 0) {
		int null = open("/dev/null", O_RDWR);

		(void)dup2(null, STDERR_FILENO);
		execlp("munged", "munged", "--foreground", "--force", arguments[0], arguments[1],
			arguments[2], arguments[3], arguments[4], (char *)NULL);
		_exit(127);
	}
	for (int tries = 0; tries < 100; tries++) {
		struct text sealed = {0};
		bool good = credential_seal(&settings, "a", 1, &sealed, NULL) == STATUS_OK;

		text_fini(&sealed);
		if (good)
			return true;
		if (waitpid(town->process, NULL, WNOHANG) != 0)
			return false; /* munged is not installed */
		usleep(50000);
	}
	return false;
}

static void town_close(struct town *town)
{
	kill(town->process, SIGTERM);
	(void)waitpid(town->process, NULL, 0);
	for (int i = 0; i < 4; i++)
		unlink(town->files[i]);
	unlink(town->socket);
}

static struct credential_settings settings_of(const struct town *town, uint32_t ttl_s)
{
	return (struct credential_settings){.socket = town->socket, .ttl_s = ttl_s};
}

/* Seals a message in our cluster. */
static struct text sealed_by_us(const char *message, size_t length, uint32_t ttl_s)
{
	const struct credential_settings settings = settings_of(&ours, ttl_s);
	struct text sealed = {0}, why = {0};

	if (credential_seal(&settings, message, length, &sealed, &why) != STATUS_OK)
		fail_msg("not sealed: %s", text_string(&why));
	text_fini(&why);
	return sealed;
}

/* Opens a message in a cluster, and checks status and reason. */
static void expect(const struct town *town, const char *sealed, enum status status,
	const char *reason, const char *message)
{
	const struct credential_settings settings = settings_of(town, 0);
	struct text opened = {0}, why = {0};
	uint32_t user = 12345;

	assert_int_equal(credential_open(&settings, sealed, &opened, &user, &why), status);
	if (!strstr(text_string(&why), reason))
		fail_msg("'%s' does not say '%s'", text_string(&why), reason);
	assert_string_equal(text_string(&opened), message);
	assert_int_equal(user, status == STATUS_OK ? geteuid() : 12345);
	text_fini(&opened);
	text_fini(&why);
}

TEST(a_message_opens_once_and_says_who_sealed_it)
{
	struct text sealed = sealed_by_us("place", 5, 0);

	expect(&ours, text_string(&sealed), STATUS_OK, "", "place");
	expect(&ours, text_string(&sealed), STATUS_INVALID, "Replayed credential", "");
	text_fini(&sealed);
}

TEST(another_cluster_an_old_and_a_changed_message_are_refused)
{
	struct text sealed = sealed_by_us("place", 5, 1), changed = {0};

	expect(&theirs, text_string(&sealed), STATUS_INVALID, "Invalid credential", "");
	text_append(&changed, text_string(&sealed));
	changed.bytes[changed.length / 2] = changed.bytes[changed.length / 2] == 'A' ? 'B' : 'A';
	expect(&ours, text_string(&changed), STATUS_INVALID, "nvalid", "");
	sleep(3);
	expect(&ours, text_string(&sealed), STATUS_INVALID, "Expired credential", "");
	expect(&ours, "", STATUS_INVALID, "", "");
	expect(&ours, "MUNGE:nonsense:", STATUS_INVALID, "", "");
	text_fini(&sealed);
	text_fini(&changed);
}

TEST(messages_have_a_bound_and_daemons_may_be_gone)
{
	const struct credential_settings nowhere = {.socket = "/nowhere/munge.socket"};
	const struct credential_settings settings = settings_of(&ours, 0);
	struct text sealed = {0};
	char *longer = allocate(CREDENTIAL_BYTES_MAX + 1, 1);

	assert_int_equal(
		credential_seal(&settings, longer, CREDENTIAL_BYTES_MAX + 1, &sealed, NULL),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(credential_seal(&nowhere, "a", 1, &sealed, NULL), STATUS_CLOSED);
	assert_int_equal(sealed.length, 0);
	free(longer);
	text_fini(&sealed);
}

int main(void)
{
	int failed;

	if (!town_open(&ours, "ours", 1) || !town_open(&theirs, "theirs", 2)) {
		printf("SKIPPED: munged does not run here\n");
		return 77;
	}
	failed = TEST_RUN(NULL, NULL);
	town_close(&ours);
	town_close(&theirs);
	return failed;
}

/* Settings of distributed devices (struct hosts_choice) that several tests try, natively and in the
 * simulation, with and without faults. */
#ifndef TEST_HOSTS_CHOICES_H
#define TEST_HOSTS_CHOICES_H

#include "hosts_case.h"

/* Choices of two hosts with two devices each. The choices differ in all their members. */
enum { HOSTS_CHOICES_UNLIKE = 3 };
extern const struct hosts_choice hosts_choices_unlike[HOSTS_CHOICES_UNLIKE];

/* Called for a choice. `seed` differs between groups of choices. */
typedef void hosts_choices_check(struct hosts_choice choice, uint64_t seed);

/* Returns a choice of two hosts along rows, with transport `transport`. Each host does everything
 * in one thread. */
struct hosts_choice hosts_choices_usual(const char *transport);

/* Returns a choice of one host with two devices, a thread for each stage, and Unix sockets. */
struct hosts_choice hosts_choices_alone(const char *codec);

/* Calls `check` for one choice with every codec of this build. */
void hosts_choices_codecs(
	struct hosts_choice choice, void (*check)(const struct hosts_choice *choice));

/* Each function calls `check` for a group of choices. hosts_choices_counts() uses one to four hosts
 * along either axis. hosts_choices_pipelines() uses each resolution with each pipeline,
 * hosts_choices_receives() uses each kind of memory that receives data, and hosts_choices_merges()
 * uses every merge of neighbouring stages. hosts_choices_readers() uses each reader of completions
 * with each resolution, and hosts_choices_binaries() uses every valid pair of allocation and
 * compilation. */
void hosts_choices_counts(const char *transport, hosts_choices_check *check);
void hosts_choices_pipelines(const char *transport, hosts_choices_check *check);
void hosts_choices_receives(const char *transport, hosts_choices_check *check);
void hosts_choices_readers(const char *transport, hosts_choices_check *check);
void hosts_choices_merges(const char *transport, hosts_choices_check *check);
void hosts_choices_binaries(const char *transport, hosts_choices_check *check);

#endif

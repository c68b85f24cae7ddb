/* Choices of several hosts that more than one test goes through: natively and simulated, well and
 * broken. Refuses to say what has to hold of them. */
#ifndef TEST_HOSTS_CHOICES_H
#define TEST_HOSTS_CHOICES_H

#include "hosts_case.h"

/* Two hosts of two devices each, whose rows differ in all that can be chosen. */
enum { HOSTS_CHOICES_UNLIKE = 3 };
extern const struct hosts_choice hosts_choices_unlike[HOSTS_CHOICES_UNLIKE];

/* What is done with a choice; `seed` is another one for each group of choices. */
typedef void hosts_choices_check(struct hosts_choice choice, uint64_t seed);

/* Two hosts in rows that do all with one thread each, over this transport. */
struct hosts_choice hosts_choices_usual(const char *transport);

/* One host of two devices, with a thread for each stage, over Unix sockets. */
struct hosts_choice hosts_choices_alone(const char *codec);

/* The choice with every codec of this build. */
void hosts_choices_codecs(
	struct hosts_choice choice, void (*check)(const struct hosts_choice *choice));

/* One to four hosts along either axis; each resolution with each pipeline; with each memory that
 * data come to; every merge of neighbouring stages; every allocation and compilation that go
 * together. */
void hosts_choices_counts(const char *transport, hosts_choices_check *check);
void hosts_choices_pipelines(const char *transport, hosts_choices_check *check);
void hosts_choices_receives(const char *transport, hosts_choices_check *check);
void hosts_choices_merges(const char *transport, hosts_choices_check *check);
void hosts_choices_binaries(const char *transport, hosts_choices_check *check);

#endif

/* Settings of distributed devices (struct hosts_choice) that several tests use, in the native world
 * and in the simulation, with and without faults. */
#ifndef TEST_HOSTS_CHOICES_H
#define TEST_HOSTS_CHOICES_H

#include "hosts_case.h"

/* Choices with two hosts and two devices each. Any two choices differ in all members. */
enum { HOSTS_CHOICES_UNLIKE = 3 };
extern const struct hosts_choice hosts_choices_unlike[HOSTS_CHOICES_UNLIKE];

/* Called for each choice. `seed` is different for each group of choices. */
typedef void hosts_choices_check(struct hosts_choice choice, uint64_t seed);

/* Returns a choice with two hosts, which divide the rows, and with the transport `transport`. Each
 * host does all its work in one thread. */
struct hosts_choice hosts_choices_usual(const char *transport);

/* Returns a choice of one host with two devices, a thread for each stage, and Unix sockets. */
struct hosts_choice hosts_choices_alone(const char *codec);

/* Calls `check` for one choice with every codec of this build. */
void hosts_choices_codecs(
	struct hosts_choice choice, void (*check)(const struct hosts_choice *choice));

/* Each function calls `check` for several choices. They differ in the members below; some other
 * members, such as executor_threads, also change from choice to choice.
 *   _counts      1, 2 or 4 hosts, which divide the rows or the columns
 *   _pipelines   every resolution with every pipeline
 *   _receives    every memory into which data are received (`receive`), with every resolution
 *   _readers     every reader of completions, with every resolution
 *   _merges      eight ways to merge neighbouring stages into one thread
 *   _binaries    every allocation, with every way to compile that it permits */
void hosts_choices_counts(const char *transport, hosts_choices_check *check);
void hosts_choices_pipelines(const char *transport, hosts_choices_check *check);
void hosts_choices_receives(const char *transport, hosts_choices_check *check);
void hosts_choices_readers(const char *transport, hosts_choices_check *check);
void hosts_choices_merges(const char *transport, hosts_choices_check *check);
void hosts_choices_binaries(const char *transport, hosts_choices_check *check);

#endif

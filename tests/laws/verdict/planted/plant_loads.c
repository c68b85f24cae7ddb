/* Reads loads that a test has chosen (planted_load.h) from standard input, and writes them to a
 * result file. Each line of the input is a load, with KEY=VALUE for each field that is not 0.
 * Usage: plant_loads FILE FOLDER KEY, where FOLDER is for temporary parts, and KEY is the swept
 * condition. planted.py runs this program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planted_load.h"

static char texts[LOAD_RUNS_MAX][64];

static void set_field(struct planted_load *load, char *design, const char *key, const char *value)
{
	const struct {
		const char *key;
		int64_t *at;
	} times[] = {{"at", &load->at}, {"copy", &load->copy}, {"dispatch", &load->dispatch},
		{"worker", &load->worker}, {"tail", &load->tail}, {"busy", &load->busy},
		{"spinning", &load->spinning}, {"other", &load->other}};
	const struct {
		const char *key;
		double *at;
	} noises[] = {{"run_noise", &load->run_noise}, {"own_noise", &load->own_noise},
		{"operation_noise", &load->operation_noise}};

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (strcmp(key, times[i].key) == 0)
			*times[i].at = strtoll(value, NULL, 10);
	for (size_t i = 0; i < sizeof noises / sizeof *noises; i++)
		if (strcmp(key, noises[i].key) == 0)
			*noises[i].at = strtod(value, NULL);
	if (strcmp(key, "design") == 0)
		snprintf(design, sizeof texts[0], "%s", value);
	if (strcmp(key, "seed") == 0)
		load->seed = strtoull(value, NULL, 10);
	if (strcmp(key, "bytes") == 0)
		load->bytes = strtoull(value, NULL, 10);
	if (strcmp(key, "operations") == 0)
		load->operations = (uint32_t)strtoul(value, NULL, 10);
	if (strcmp(key, "tail_every") == 0)
		load->tail_every = (uint32_t)strtoul(value, NULL, 10);
	if (strcmp(key, "in_flight") == 0)
		load->in_flight = strcmp(value, "1") == 0;
	if (strcmp(key, "dies") == 0)
		load->status = strcmp(value, "1") == 0 ? "hazard" : NULL;
}

static struct planted_load read_load(char *line, char *design)
{
	struct planted_load load = {.design = design};

	for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
		char *equals = strchr(word, '=');
		if (!equals)
			continue;
		*equals = '\0';
		set_field(&load, design, word, equals + 1);
	}
	if (load.run_noise + load.own_noise + load.operation_noise <= 0)
		load.scenario = "model:\n  noise: off\n";
	return load;
}

int main(int count_of_words, char **words)
{
	static struct planted_load loads[LOAD_RUNS_MAX];
	char line[1024];
	uint32_t count = 0;

	if (count_of_words != 4)
		return 2;
	while (count < LOAD_RUNS_MAX && fgets(line, sizeof line, stdin)) {
		loads[count] = read_load(line, texts[count]);
		count++;
	}
	planted_load_write(words[1], words[2], words[3], loads, count);
	return 0;
}

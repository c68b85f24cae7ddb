/* Experiments on two choices in the firmware of one chip: the command buffers with which the
 * dispatcher writes, and the kernel cache of the prefetcher. They run programs for which there are
 * reference figures. */
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "decision.h"

/* Parameters of the program, with names and values of the family program_dispatch. */
#define PROGRAM(groups)                                                                            \
	{"processors", "all|brisc|ncrisc|trisc|brisc+trisc", "all"}, {"cores", "all|#", "all"},    \
		{"kernel_bytes", "#", "4096"}, {"kernel_cycles", "#", "0"},                        \
		{"trace", "yes|no", "no"}, {"runtime_args", "#", "0"},                             \
		{"kernel_groups", "#", groups},                                                    \
	{                                                                                          \
		0                                                                                  \
	}

/* Converts a row's program to a row of reference figures, and returns it. */
static struct reference_row program_of(const struct reference_row *row, const char *groups)
{
	static const struct {
		const char *key, *fallback;
	} params[] = {{"processors", "all"}, {"cores", "all"}, {"kernel_bytes", "4096"},
		{"kernel_cycles", "0"}, {"trace", "no"}, {"runtime_args", "0"}};
	struct reference_row program = {.family = "program_dispatch", .system = row->system};

	for (size_t i = 0; i < sizeof params / sizeof *params; i++)
		program.params[program.param_count++] =
			(struct reference_param){.key = params[i].key,
				.value = reference_text(row, params[i].key, params[i].fallback)};
	program.params[program.param_count++] = (struct reference_param){
		.key = "kernel_groups", .value = reference_text(row, "kernel_groups", groups)};
	return program;
}

/* Appends the scenario of a program, with one more key of `runtime`. */
static void add_scenario(
	const struct reference_row *program, const char *key, const char *value, struct text *yaml)
{
	static const char head[] = "runtime:\n";
	const char *all, *place;
	struct text text;

	text_init(&text);
	experiment_find("program_dispatch")->scenario(program, &text);
	all = text_string(&text);
	place = strstr(all, head);
	ensure(place != NULL, "the scenario of a program has no keys of runtime");
	place += strlen(head);
	text_append_bytes(yaml, all, (size_t)(place - all));
	text_printf(yaml, "  %s: %s\n", key, value);
	text_append(yaml, place);
	text_fini(&text);
}

/* ---- command buffers ---- */

/* The figure is the dispatch time of programs. The binaries of each program have several KB, so the
 * dispatcher sends them as multicasts of several buffer pages. The host launches each program
 * itself, not by the replay of a trace. */
const struct experiment_param decision_command_buffers_params[] = {
	{"buffers", "1|2", "2"}, PROGRAM("1")};

void decision_command_buffers_scenario(const struct reference_row *row, struct text *yaml)
{
	struct reference_row program = program_of(row, "1");

	add_scenario(&program, "command_buffers", reference_text(row, "buffers", "2"), yaml);
}

double decision_command_buffers_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	struct reference_row program = program_of(row, "1");

	return experiment_find("program_dispatch")->figure(&program, ops, count);
}

/* ---- kernel cache ---- */

/* A program of eight groups, whose kernels take longer to fetch than to set up. */
const struct experiment_param decision_kernel_cache_params[] = {
	{"cache", "on|off", "on"}, PROGRAM("8")};

void decision_kernel_cache_scenario(const struct reference_row *row, struct text *yaml)
{
	struct reference_row program = program_of(row, "8");
	bool off = experiment_is(row, "cache", "off", "on");

	add_scenario(&program, "kernel_cache", off ? "false" : "true", yaml);
}

double decision_kernel_cache_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	struct reference_row program = program_of(row, "8");

	return experiment_find("program_dispatch")->figure(&program, ops, count);
}

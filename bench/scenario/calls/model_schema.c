/* Schema of `run_model` steps, and how many operations they make. */
#include "execution/execution.h"
#include "scenario_private.h"

static const struct schema_field model_fields[] = {
	SCHEMA_STRING(struct model_step, binary, "binary", .required = true,
		.help = "a file that `meshsim model build` has made, beside the scenario",
		SCHEMA_WHERE(struct model_step, binary_where)),
	SCHEMA_STRING(struct model_step, program, "program",
		.help = "one of its programs; left out: the first that is not constant",
		SCHEMA_WHERE(struct model_step, program_where)),
	SCHEMA_INT(struct model_step, times, "times", .min = 1, .max = SCENARIO_OPERATIONS_MAX,
		.fallback = "1",
		.help = "how often it runs: each time, the host writes inputs and reads outputs"),
	SCHEMA_INT(struct model_step, window, "window", .min = 1, .max = EXECUTION_WINDOW_MAX,
		.fallback = "1",
		.help = "runs that may be submitted and not complete; then the host waits for the "
			"oldest"),
	SCHEMA_INT(struct model_step, queues, "queues", .min = 1, .max = 2, .fallback = "1",
		.help = "2: queue 1 moves inputs and outputs, queue 0 computes, and events order "
			"them"),
	SCHEMA_INT(struct model_step, programs, "programs", .min = 1, .max = EXECUTION_PROGRAMS_MAX,
		.fallback = "1024", .help = "programs that are kept for operations that run again"),
	SCHEMA_BOOL(struct model_step, trace, "trace", .fallback = "false",
		.help = "the second run is captured, and replayed from then on"),
	SCHEMA_BOOL(struct model_step, blocking, "blocking", .fallback = "true",
		.help = "the step ends when all runs are complete"),
};
const struct schema run_model_schema = SCHEMA("run_model", struct model_step, model_fields,
	.help = "runs a program of a model binary, and compares its outputs with golden values");

uint64_t model_operations(const struct model_step *step)
{
	const struct model_binary *binary = step->loaded;
	const struct model_program *program;
	uint64_t once = 0;

	if (!binary)
		return 0;
	for (uint32_t i = 0; i < binary->program_count; i++)
		once += binary->programs[i].constant ? binary->programs[i].operation_count : 0;
	program = &binary->programs[step->number];
	once += binary->constant_count + 4 * (uint64_t)program->operation_count + 4;
	return once + step->times * ((uint64_t)program->operation_count + program->input_count +
					    program->output_count + 4);
}

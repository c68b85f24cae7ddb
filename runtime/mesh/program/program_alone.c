/* The workload of a program that runs without other programs. Each program has such a workload for
 * all devices, with a command cache. The workload is created on first use and freed with the
 * program. */
#include "mesh/program/workload.h"
#include "mesh/queue.h"

struct workload *program_workload(struct program *program)
{
	if (program->alone == NULL)
		program->alone = workload_new_at(program->site);
	if (program->kernel_count > 0 && workload_program_count(program->alone) == 0)
		(void)workload_add(program->alone, program, DEVICES_UNBOUND, NULL);
	return program->alone;
}

enum status enqueue_program(
	struct command_queue *queue, struct program *program, bool blocking, uint32_t operation)
{
	return enqueue_workload(queue, program_workload(program), blocking, operation);
}

void program_free(struct program *program)
{
	if (program == NULL)
		return;
	workload_free(program->alone);
	program_release(program);
}

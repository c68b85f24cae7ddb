/* What a mesh device is made of unless the user says otherwise. */
#include "mesh/config.h"

#include "rows.h"

void mesh_config_init(struct mesh_config *config)
{
	*config = (struct mesh_config){
		.shape = {1, 1},
		.command_queues = 1,
		.forward = {.path = &forward_unicast, .ordering = &ordering_counter},
		.completion = &completion_table,
		.host = {.threads = &threads_main,
			.caller_wait = WAIT_SPIN,
			.worker_wait = WAIT_PARK,
			.reader_wait = WAIT_PARK},
		.command_cache = true,
	};
}

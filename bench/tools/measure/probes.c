/* The registry of probes, in the order in which they run. Short probes run first. */
#include "probe.h"

static const struct probe *const probes[] = {
	&probe_machine,
	&probe_commands,
	&probe_queues,
	&probe_allocator,
	&probe_layout,
	&probe_copies,
	&probe_monitor,
	&probe_spin,
	&probe_switch,
	&probe_spawn,
	&probe_wake,
	&probe_codecs,
	&probe_transports,
};

const struct probe *probe_at(uint32_t index)
{
	return index < sizeof probes / sizeof *probes ? probes[index] : NULL;
}

/* The variants and registries of choices.h, except for the resolution and the pipeline. */
#include "distributed/choices.h"

static const struct receive_ops receives[] = {
	{.entry = {.name = "heap",
		 .description = "data are put into ordinary memory, and the host copies them on to "
				"where devices fetch commands",
		 .section = "4.9",
		 .resources = "two copies of every byte"}},
	{.entry = {.name = "pinned",
		 .description = "data are put into pinned memory, from which devices read them "
				"themselves, or are received there: writes of one message, packed, "
				"over tcp and unix",
		 .section = "4.9",
		 .resources =
			 "one copy of every byte, or none; memory as large as the writes under "
			 "way, pinned once, and 16 messages for what is received there"},
		.pinned = true},
};

static const struct completion_reader_ops completion_readers[] = {
	{.entry = {.name = "event-loop",
		 .description = "the event loop looks between commands, and answers itself",
		 .section = "4.8.3",
		 .resources = "time of the event loop"}},
	{.entry = {.name = "thread",
		 .description = "a completion reader looks, and answers while the event loop "
				"serves the next commands",
		 .section = "4.8.3",
		 .resources = "a thread of every executor, which takes turns with the event loop"},
		.thread = true},
};

static const struct reach_ops reaches[] = {
	{.entry = {.name = "per-host",
		 .description = "every host broadcasts to its own devices",
		 .section = "4.8",
		 .resources = "every broadcast on the network, the PCIe and an initiator of each "
			      "host"}},
	{.entry = {.name = "machine",
		 .description =
			 "one host broadcasts to the devices of all, over the links that join "
			 "the hosts; the executors of all hosts count every transaction",
		 .section = "3.8, 4.8",
		 .resources = "every command on every host's network, and the account of all "
			      "devices in every executor"},
		.spans = true},
};

static const struct allocation_ops allocations[] = {
	{.entry = {.name = "split",
		 .description = "buffers by the controller; binaries by each executor, in a region "
				"of its own",
		 .section = "4.8.2.1",
		 .resources = "a region of every DRAM bank"},
		.region = true},
	{.entry = {.name = "requests",
		 .description =
			 "everything by the controller: executors ask for memory of binaries "
			 "when they have a new program, and its commands wait for that",
		 .section = "4.8.2.1",
		 .resources = "a message each way for every program and executor"},
		.asks = true},
	{.entry = {.name = "controller",
		 .description =
			 "everything by the controller, which knows how large binaries are, says "
			 "where they go, and assembles the commands of launches",
		 .section = "4.8.2.1",
		 .resources = "a message for every program; the commands on the network"},
		.assembles = true},
};

static const struct compile_ops compiles[] = {
	{.entry = {.name = "ready",
		 .description = "no host: kernels were compiled before the program began",
		 .section = "4.9",
		 .resources = "nothing"}},
	{.entry = {.name = "executors",
		 .description = "each executor compiles the kernels that its devices run",
		 .section = "4.9",
		 .resources = "time of every executor's event loop"},
		.by_executors = true},
	{.entry = {.name = "controller",
		 .description = "the controller compiles for all, and sends the binaries",
		 .section = "4.9",
		 .resources = "the caller's time; the binaries on the network"},
		.by_controller = true},
};

static const struct descriptor_ops descriptors[] = {
	{.entry = {.name = "told",
		 .description = "executors know their machines, and tell them when they join",
		 .section = "4.2",
		 .resources = "a message of every host"}},
	{.entry = {.name = "discovered",
		 .description = "every executor asks its chips, and tells what it has found",
		 .section = "4.2",
		 .resources = "a message, and time for each chip, of every host"},
		.queries = true},
	{.entry = {.name = "cached",
		 .description = "every executor reads a file and checks it at its chips; it asks "
				"them where the file is stale",
		 .section = "4.2",
		 .resources = "a file and a message of every host"},
		.given = true},
	{.entry = {.name = "offline",
		 .description = "controller and executors read a file; hosts check it at their "
				"chips, and are refused where it is stale",
		 .section = "4.2",
		 .resources = "a file at every host"},
		.given = true,
		.refuses = true},
};

static const struct loading_ops loadings[] = {
	{.entry = {.name = "controller",
		 .description = "the controller reads all of them, and sends each host its part",
		 .section = "4.3.3",
		 .resources = "all data through the controller's network"}},
	{.entry = {.name = "executors",
		 .description = "each executor reads its own shards from storage of its own",
		 .section = "4.3.3",
		 .resources = "a copy of the data, or of a part, at every host"},
		.by_executors = true},
};

REGISTRY_OF_ARRAY(
	receive, receive_ops, "runtime.distributed.receive", "receiving of data", receives)
REGISTRY_OF_ARRAY(completion_reader, completion_reader_ops, "runtime.distributed.completion_reader",
	"reading of completions", completion_readers)
REGISTRY_OF_ARRAY(reach, reach_ops, "runtime.distributed.broadcast", "reach of broadcasts", reaches)
REGISTRY_OF_ARRAY(allocation, allocation_ops, "runtime.distributed.allocator",
	"allocation of binaries", allocations)
REGISTRY_OF_ARRAY(
	compile, compile_ops, "runtime.distributed.compile", "compilation of kernels", compiles)
REGISTRY_OF_ARRAY(descriptor, descriptor_ops, "runtime.distributed.descriptor",
	"description of machines", descriptors)
REGISTRY_OF_ARRAY(loading, loading_ops, "runtime.distributed.loading", "loading of data", loadings)

/* Recorded transfers of operations on several chips that are joined by the fabric, and their
 * replay. A set of recordings is a folder with topology.json and a file
 * noc_trace_devN_NAME_IDn.json for each device and operation, as tt-metal's profiler writes them
 * for tt-npe.
 *
 * A replay runs the kernels of all devices on a line or ring of modelled chips. It keeps recorded
 * times like the replay of one chip (noc_trace.h), and also sends the packets. The model computes
 * three kinds of waits: at barriers, for free slots of routers, and for increments of other
 * devices.
 *
 * The recordings do not contain the time at which each device was launched, because the clocks of
 * the devices are not synchronized, and hosts launch devices milliseconds apart. But devices that
 * were launched early wait for the last one, so all devices end at about the same time. The launch
 * time of a device is therefore this common end minus the duration of the device, and the replay
 * launches the device at this time. The duration of the operation is that of the device that was
 * launched last. If no device waits for another, all are launched together, and the longest
 * duration counts. */
#ifndef BENCH_TOOLS_FABRIC_TRACE_H
#define BENCH_TOOLS_FABRIC_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "bench/tools/noc_trace/noc_trace.h"
#include "platform/platform.h"

/* A cable between two devices; devices are given by their ids. */
struct fabric_cable {
	uint32_t device[2], channel[2];
	uint32_t parallel; /* number of the cable among the cables between the same two devices */
	struct location where;
};

/* A pair of channels of one device whose routers hand packets to each other. */
struct fabric_handover {
	uint32_t device, channel[2];
};

struct fabric_channel {
	bool known;
	uint16_t x, y; /* NoC coordinates of the channel's Ethernet tile */
};

enum { FABRIC_DEVICES_MAX = 1024, FABRIC_CHANNELS = 64 };

struct fabric_wiring {
	const char *path;
	uint32_t *devices; /* ids of the devices, in the order of the line or ring */
	uint32_t device_count;
	bool ring;
	uint32_t links; /* most cables between two neighbours */
	struct fabric_cable *cables;
	struct fabric_handover *handovers;
	uint32_t cable_count, handover_count;
	struct fabric_channel channels[FABRIC_CHANNELS];
};

/* Reads the wiring of a set from the file `path`, its topology.json. Returns false with errors in
 * `diag` if the file is malformed, or if the devices do not form a single line or ring. */
bool fabric_wiring_read(
	const char *path, struct arena *arena, struct diag *diag, struct fabric_wiring *wiring);

/* Returns the place of a device on the line or ring, or -1 if the wiring does not have the
 * device. */
int fabric_wiring_place(const struct fabric_wiring *wiring, uint32_t device);

/* Follows `hops` cables from a device, beginning with the cable of channel `channel`. Sets
 * places[0] to the place of the device, and places[i] to the place of the device after hop i. If
 * several cables join the first two devices, sets *parallel to the index of the first cable of the
 * path among these, from 0. Returns the number of hops for which there are cables. */
uint32_t fabric_wiring_way(const struct fabric_wiring *wiring, uint32_t device, uint32_t channel,
	uint32_t hops, uint32_t *places, uint32_t *parallel);

/* One device of an operation. */
struct fabric_device {
	uint32_t id, place;
	struct noc_trace trace;
	uint64_t launch;   /* time of the device's launch, in cycles after the launch of the first
			    * device */
	uint64_t measured; /* in cycles, from the device's launch to its end */
	uint64_t waited;   /* cycles of `measured` in which the device waited for increments of
			    * other devices */
	uint32_t prints;
};

struct fabric_trace {
	const char *name; /* name of the set and name of the operation */
	const struct fabric_wiring *wiring;
	struct fabric_device *devices;
	uint32_t device_count, packets;
	uint32_t last; /* index of the device that was launched last */
};

struct fabric_traces {
	struct fabric_trace *traces;
	uint32_t count;
};

/* Reads all sets of a folder. Either the folder is a set itself, or its subfolders with a
 * topology.json are sets. Returns false with errors in `diag`. */
bool fabric_traces_read(
	const char *path, struct arena *arena, struct diag *diag, struct fabric_traces *traces);

/* Finds the packets among the events of a trace, with their routes and receivers, and the events
 * after which receivers wait for packets. Returns false with errors in `diag` if a packet uses a
 * channel without a cable, or goes to a device without a file. */
bool fabric_trace_prepare(struct fabric_trace *trace, const struct platform *platform,
	struct arena *arena, struct diag *diag);

/* The network models with which a trace is predicted: `packet`, which models the links of the NoC,
 * and `ideal`, which has no contention. */
enum { FABRIC_TRACE_PACKET, FABRIC_TRACE_IDEAL, FABRIC_TRACE_WAYS };

const char *fabric_trace_way(uint32_t way);

/* Appends the scenario that replays the trace with one of the network models. The kernels of device
 * i begin `delays[i]` cycles later than without a delay. Returns false with errors in `diag`. */
bool fabric_trace_scenario(struct fabric_trace *trace, const struct platform *platform,
	const char *machine, uint32_t way, const uint64_t *delays, struct diag *diag,
	struct text *yaml);

struct fabric_prediction {
	double cycles, waited; /* in cycles, like `measured` and `waited` of a device */
};

struct fabric_outcome {
	bool ran;
	struct text reason;		   /* why the replays did not run */
	struct fabric_prediction *devices; /* [way * device_count + device] */
};

struct fabric_trace_request {
	const char *machine; /* name of the platform */
	const struct platform *platform;
	const char *folder; /* where the replays' scenarios are kept; NULL: they are not kept */
	uint32_t jobs;
};

/* Replays each trace twice, in child processes. The first replay shows when the host launches each
 * device. The second replay delays each device, so that the launches have the same times as in the
 * recording. Returns false with errors in `diag`, or after a message on standard error. */
bool fabric_traces_run(struct fabric_traces *traces, const struct fabric_trace_request *request,
	struct fabric_outcome *outcomes, struct diag *diag);

void fabric_outcomes_free(struct fabric_outcome *outcomes, uint32_t count);

/* Print the outcomes on standard output, as a table or as JSON. */
void fabric_traces_print(const struct fabric_traces *traces, const struct fabric_outcome *outcomes,
	const char *machine);
void fabric_traces_print_json(const struct fabric_traces *traces,
	const struct fabric_outcome *outcomes, const char *machine);

#endif

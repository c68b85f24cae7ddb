/* A distributed device for tests: a controller, and its executors as threads of this process, each
 * with a cluster of its own. Natively, or on another ground (hosts_sim.h). Beside it the same mesh
 * on one host. */
#ifndef TEST_HOSTS_CASE_H
#define TEST_HOSTS_CASE_H

#include "distributed/controller.h"
#include "distributed/executor.h"
#include "mesh_case.h"
#include "world/recorder.h"

enum { HOSTS_CASE_MESSAGE_MAX = 1 << 16 };

/* What the hosts stand on. */
struct hosts_ground {
	/* Sets the world and the device row. */
	void (*start)(const struct recorder *recorder);
	const struct channel_ops *(*transport)(const char *name);
	/* Where the controller listens; NULL: as natively. */
	const char *(*address)(uint32_t hosts);
	struct cluster *(*cluster_new)(const struct cluster_info *info, uint32_t host);
	/* What a host has of a machine, when its program is over. */
	void (*machine_free)(
		struct cluster *cluster, struct mesh_system *system, struct cluster_info *info);
	struct affinity (*place)(uint32_t host); /* the controller's: behind the last */
	void (*work)(struct work_counts *counts); /* of the world */
};

/* What is chosen. */
struct hosts_choice {
	const char *transport, *codec, *resolution, *pipeline;
	bool executor_threads;
	const struct pipeline_ops *own_pipeline; /* in place of a row */
	struct executor_stages stages;		 /* with executor_threads false */
	uint32_t hosts;
	enum host_axis axis;
	uint16_t rows, columns;		   /* of all hosts together; hosts divide the axis */
	const struct hosts_ground *ground; /* NULL: native */
	const char *receive, *allocation, *compile; /* NULL: the first row */
	bool compiles_again;
	uint32_t window;  /* 0: 8 messages */
	uint64_t look_ns; /* 0: a millisecond */
};

struct hosts_case_executor {
	struct executor_settings settings;
	struct mesh_config config;
	struct cluster_info *info;
	struct cluster *cluster;
	struct mesh_system *system;
	struct thread *thread;
	char name[32];
	enum status status; /* that it ended with */
	struct text why;
};

struct hosts_case {
	struct hosts_choice choice;
	struct mesh_case one; /* its config is every host's; not opened */
	struct controller_settings settings;
	uint64_t poll_ns;		 /* of executors; 0: 100 us */
	const struct recorder *recorder; /* of marks, natively; NULL: none */
	const char *names[DISTRIBUTED_HOSTS_MAX];
	struct controller *controller;
	struct device_handle *handle;
	struct hosts_case_executor executors[DISTRIBUTED_HOSTS_MAX];
};

/* Rows of mesh devices as in mesh_case_init(); change hosts->one.config and hosts->settings, then
 * open. */
void hosts_case_init(struct hosts_case *hosts, struct hosts_choice choice);

/* Starts the world, the controller and the executors, and opens the device; the parts for tests
 * that do a part of it. */
void hosts_case_open(struct hosts_case *hosts);
void hosts_case_start_controller(struct hosts_case *hosts);
void hosts_case_start_executor(struct hosts_case *hosts, uint32_t index);
void hosts_case_start_executor_at(struct hosts_case *hosts, uint32_t index, const char *address);
void hosts_case_accept(struct hosts_case *hosts);

/* Closes all of it; executors that were started must have ended with the status. */
void hosts_case_close(struct hosts_case *hosts, enum status ended);
void hosts_case_end_executors(struct hosts_case *hosts, enum status ended);

/* The first half of that: waits until they have ended; their chips can still be looked at. */
void hosts_case_join_executors(struct hosts_case *hosts);

/* Rows of one host, of a case. */
uint16_t hosts_case_rows(const struct hosts_case *hosts);
uint16_t hosts_case_columns(const struct hosts_case *hosts);

/* The chip that a device of the whole mesh is, and its cluster. */
struct device *hosts_case_device(struct hosts_case *hosts, uint16_t row, uint16_t column);

/* Where workers leave their results, on every chip of a case like those of hosts_case_init(); to be
 * called once before anything is simulated. */
void hosts_case_learn_results(void);

/* What the launches so far have left on the first worker of a device, and of a chip. */
struct launch_result hosts_case_result(struct hosts_case *hosts, uint16_t row, uint16_t column);
struct launch_result hosts_case_result_of(
	struct device *chip, const struct chip_geometry *geometry);

/* What all threads of the world have worked; exact once those of a case have ended. */
void hosts_case_work(const struct hosts_case *hosts, struct work_counts *counts);

/* Waits until nothing is under way anywhere. */
void hosts_case_drain(struct hosts_case *hosts);

/* So many ms from now. */
int64_t hosts_case_in_ms(int64_t ms);

#endif

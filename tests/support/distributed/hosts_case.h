/* A distributed device for tests: a controller, and executors as threads of this process. Each
 * executor has a cluster of its own. The case runs natively or in another environment, such as a
 * simulation (hosts_sim.h). It also has a mesh on one host, to compare with. */
#ifndef TEST_HOSTS_CASE_H
#define TEST_HOSTS_CASE_H

#include "distributed/controller.h"
#include "distributed/executor.h"
#include "mesh_case.h"
#include "world/world.h"

enum { HOSTS_CASE_MESSAGE_MAX = 1 << 16 };

/* The environment of the hosts. */
struct hosts_ground {
	/* Sets the world and the device row. */
	void (*start)(const struct recorder *recorder);
	const struct channel_ops *(*transport)(const char *name);
	/* The controller's listening address; NULL: as natively. */
	const char *(*address)(uint32_t hosts);
	struct cluster *(*cluster_new)(const struct cluster_info *info, uint32_t host);
	/* Frees the machine of a host when its program has ended. */
	void (*machine_free)(
		struct cluster *cluster, struct mesh_system *system, struct cluster_info *info);
	struct affinity (*place)(uint32_t host);  /* that of the controller is the last */
	void (*work)(struct work_counts *counts); /* of the world */
};

/* The choices of a case. */
struct hosts_choice {
	const char *transport, *codec, *resolution, *pipeline;
	bool executor_threads;
	const struct pipeline_ops *own_pipeline; /* used instead of a row */
	struct executor_stages stages;		 /* used if executor_threads is false */
	uint32_t hosts;
	enum host_axis axis;
	uint16_t rows, columns;		   /* of all hosts together; hosts divide the axis */
	const struct hosts_ground *ground; /* NULL: native */
	const char *receive, *allocation, *compile, *completion_reader; /* NULL: the first row */
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
	enum status status; /* of executor_run() */
	struct text why;
};

struct hosts_case {
	struct hosts_choice choice;
	struct mesh_case one; /* its config is that of every host; not opened */
	struct controller_settings settings;
	uint64_t poll_ns;		 /* of executors; 0: 100 us */
	const struct recorder *recorder; /* of marks, natively; NULL: none */
	const char *names[DISTRIBUTED_HOSTS_MAX];
	struct controller *controller;
	struct device_handle *handle;
	struct hosts_case_executor executors[DISTRIBUTED_HOSTS_MAX];
};

/* Prepares a case whose mesh devices have the same configuration as those of mesh_case_init().
 * Change hosts->one.config and hosts->settings before opening the case. */
void hosts_case_init(struct hosts_case *hosts, struct hosts_choice choice);

/* hosts_case_open() starts the world, the controller and the executors, and opens the device. The
 * four functions after it do one of these steps each, for tests that need only some steps. */
void hosts_case_open(struct hosts_case *hosts);
void hosts_case_start_controller(struct hosts_case *hosts);
void hosts_case_start_executor(struct hosts_case *hosts, uint32_t index);
void hosts_case_start_executor_at(struct hosts_case *hosts, uint32_t index, const char *address);
void hosts_case_accept(struct hosts_case *hosts);

/* Closes everything. Executors that were started must have ended with status `ended`. */
void hosts_case_close(struct hosts_case *hosts, enum status ended);
void hosts_case_end_executors(struct hosts_case *hosts, enum status ended);

/* Waits until the executors have ended, which is the first part of hosts_case_end_executors().
 * After that, the test can still inspect their chips. */
void hosts_case_join_executors(struct hosts_case *hosts);

/* Rows and columns of one host of a case. */
uint16_t hosts_case_rows(const struct hosts_case *hosts);
uint16_t hosts_case_columns(const struct hosts_case *hosts);

/* The chip of a device of the whole mesh. */
struct device *hosts_case_device(struct hosts_case *hosts, uint16_t row, uint16_t column);

/* Finds the address at which the workers of a chip store their results. The address is the same for
 * every case of hosts_case_init(). Call it once, before any simulation. */
void hosts_case_learn_results(void);

/* The results of all launches so far on the first worker of a device, or of a chip. */
struct launch_result hosts_case_result(struct hosts_case *hosts, uint16_t row, uint16_t column);
struct launch_result hosts_case_result_of(
	struct device *chip, const struct chip_geometry *geometry);

/* Gets the counts of work of all threads of the world. They are exact only after the threads of the
 * case have ended. */
void hosts_case_work(const struct hosts_case *hosts, struct work_counts *counts);

/* Waits until nothing is in flight anywhere. */
void hosts_case_drain(struct hosts_case *hosts);

/* The time in `ms` milliseconds. */
int64_t hosts_case_in_ms(int64_t ms);

#endif

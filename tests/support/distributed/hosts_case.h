/* A distributed device for tests: a controller, and executors as threads of this process. Each
 * executor has its own cluster. The case runs in the native world, or in a simulation
 * (hosts_sim.h). It also has a mesh on a single host, for comparison. */
#ifndef TEST_HOSTS_CASE_H
#define TEST_HOSTS_CASE_H

#include "distributed/controller.h"
#include "distributed/executor.h"
#include "mesh_case.h"
#include "world/world.h"

enum { HOSTS_CASE_MESSAGE_MAX = 1 << 16 };

/* The environment of the hosts. */
struct hosts_ground {
	/* Sets the world and device_row. */
	void (*start)(const struct recorder *recorder);
	const struct channel_ops *(*transport)(const char *name);
	/* Returns the address at which the controller listens. NULL: the address is as in native
	 * runs. */
	const char *(*address)(uint32_t hosts);
	struct cluster *(*cluster_new)(const struct cluster_info *info, uint32_t host);
	/* Joins clusters whose descriptions are parts of one machine. */
	void (*join)(struct cluster *const *clusters, uint32_t count);
	/* Frees the machine of a host when its program has ended. */
	void (*machine_free)(
		struct cluster *cluster, struct mesh_system *system, struct cluster_info *info);
	struct affinity (*place)(uint32_t host);  /* the last place is the controller's */
	void (*work)(struct work_counts *counts); /* gets the work that the world has counted */
};

/* The choices that a test makes. */
struct hosts_choice {
	const char *transport, *codec, *resolution, *pipeline;
	bool executor_threads;
	const struct pipeline_ops *own_pipeline; /* if not NULL, used in place of `pipeline` */
	struct executor_stages stages;		 /* only if executor_threads is false */
	uint32_t hosts;
	enum host_axis axis;
	uint16_t rows, columns; /* shape of the whole mesh; the hosts divide one axis */
	uint16_t links; /* number of links that join two neighbours on two hosts in rows: 0 or 2 */
	/* used only in the native world: the transport that carries data between the chips of two
	 * hosts, as if these were two processes. NULL: the clusters of the hosts, which are in one
	 * process, are joined directly */
	const char *link_transport;
	const struct hosts_ground *ground; /* NULL: the native world */
	const char *forward, *ordering;	   /* NULL: the default. They also apply to the mesh of one
					    * host */
	uint32_t initiators;
	const char *reach; /* reach of broadcasts; NULL: the default */
	const char *receive, *allocation, *compile, *completion_reader; /* NULL: the default */
	bool compiles_again;
	uint32_t window;  /* window in messages; 0: 8 */
	uint64_t look_ns; /* interval between looks in ns; 0: 1 ms */
};

struct hosts_case_executor {
	struct executor_settings settings;
	struct mesh_config config;
	struct cluster_info *info;
	struct cluster *cluster;
	struct mesh_system *system;
	struct thread *thread;
	char name[32], link_address[128];
	enum status status; /* result of executor_run() */
	struct text why;
};

struct hosts_case {
	struct hosts_choice choice;
	struct mesh_case one; /* mesh with the config of every host; this mesh is not opened */
	struct controller_settings settings;
	uint64_t poll_ns;		 /* interval between polls of executors in ns; 0: 100 us */
	const struct recorder *recorder; /* recorder of native marks; NULL: none */
	const char *names[DISTRIBUTED_HOSTS_MAX];
	struct cluster_info *machine; /* the chips of all hosts, if links join them */
	struct controller *controller;
	struct device_handle *handle;
	struct hosts_case_executor executors[DISTRIBUTED_HOSTS_MAX];
};

/* Sets the forward path, the order of commands and the initiators, as in the choices. */
void hosts_case_choose(struct mesh_config *config, const struct hosts_choice *choice);

/* Prepares a case. Its mesh devices have the configuration that mesh_case_init() sets. If
 * hosts->one.config or hosts->settings must be different, change them before the case is opened. */
void hosts_case_init(struct hosts_case *hosts, struct hosts_choice choice);

/* hosts_case_open() starts the world, the controller and the executors, accepts the executors, and
 * opens the device. Each of the next four functions does one of these steps, for tests that need
 * only some of them. */
void hosts_case_open(struct hosts_case *hosts);
void hosts_case_start_controller(struct hosts_case *hosts);
void hosts_case_start_executor(struct hosts_case *hosts, uint32_t index);
void hosts_case_start_executor_at(struct hosts_case *hosts, uint32_t index, const char *address);
void hosts_case_accept(struct hosts_case *hosts);

/* Closes everything. Checks that every started executor has ended with status `ended`. */
void hosts_case_close(struct hosts_case *hosts, enum status ended);
void hosts_case_end_executors(struct hosts_case *hosts, enum status ended);

/* Waits until the executors have ended. This is the first step of hosts_case_end_executors(). After
 * this step alone, a test can still inspect the chips of the executors. */
void hosts_case_join_executors(struct hosts_case *hosts);

/* hosts_case_rows() and hosts_case_columns() return the number of rows and columns of one host. */
uint16_t hosts_case_rows(const struct hosts_case *hosts);
uint16_t hosts_case_columns(const struct hosts_case *hosts);

/* Returns the chip of a device of the whole mesh. */
struct device *hosts_case_device(struct hosts_case *hosts, uint16_t row, uint16_t column);

/* Finds the address at which the workers of a chip store their results. The address is the same in
 * every case of hosts_case_init(). Call the function once, before any simulation. */
void hosts_case_learn_results(void);

/* Return the results of all launches so far on the first worker of a device, or of a chip. */
struct launch_result hosts_case_result(struct hosts_case *hosts, uint16_t row, uint16_t column);
struct launch_result hosts_case_result_of(
	struct device *chip, const struct chip_geometry *geometry);

/* Gets the counts of work of all threads. The counts are exact only after the threads of the case
 * have ended. */
void hosts_case_work(const struct hosts_case *hosts, struct work_counts *counts);

/* Waits until nothing is in flight anywhere. */
void hosts_case_drain(struct hosts_case *hosts);

/* Returns the time `ms` milliseconds from now. */
int64_t hosts_case_in_ms(int64_t ms);

#endif

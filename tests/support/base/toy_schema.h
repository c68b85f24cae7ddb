/* A small scenario table with a field of every kind, for tests and fuzzing of the schema. */
#ifndef TEST_TOY_SCHEMA_H
#define TEST_TOY_SCHEMA_H

#include "base/schema.h"

enum toy_path { TOY_UNICAST, TOY_BROADCAST };

struct toy_forward {
	enum toy_path path;
	uint32_t initiators;
	struct location initiators_where;
};

struct toy_link {
	const char *name;
	struct constant latency;
	uint8_t lanes;
	struct location where;
};

struct toy_axis {
	const char *key;
	const struct tree_node *values;
	struct location where;
};

struct toy_noise {
	double sigma;
	int16_t shift;
};

enum toy_step_kind { TOY_REPEAT, TOY_WRITE, TOY_FINISH };

struct toy_step {
	enum toy_step_kind kind;
	struct location where;
	bool traced;
	union {
		struct {
			uint32_t times;
			struct toy_step *steps;
			uint32_t count;
		} repeat;
		struct {
			uint64_t bytes;
			const char *buffer;
		} write;
		struct {
			uint32_t queue;
		} finish;
	};
};

struct toy {
	const char *name, *comment;
	int64_t seed;
	bool verify;
	double load;
	uint32_t shape[2];
	uint16_t offset[3];
	uint32_t offset_count;
	struct toy_forward forward;
	struct toy_noise *noise;
	struct constant clock;
	struct toy_link *links;
	uint32_t link_count;
	struct toy_axis *sweep;
	uint32_t sweep_count;
	struct toy_step *workload;
	uint32_t step_count;
	const struct tree_node *platform;
	int cores; /* -1: all cores */
	uint8_t transport;
};

extern const struct schema toy_schema;

#endif

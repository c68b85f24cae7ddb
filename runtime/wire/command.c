/* Names, limits and checks of commands, generated from commands.def. */
#include "wire/command.h"

#include <stdbool.h>

_Static_assert(offsetof(struct wire_head, queue) == offsetof(struct wire_enqueue_finish, queue),
	"every command begins with struct wire_head");

static const char *const kind_names[WIRE_KIND_COUNT] = {
#define COMMAND(name, Name, help) [WIRE_##name] = help,
#include "wire/commands.def"
};

const char *wire_kind_name(enum wire_kind kind)
{
	return kind > WIRE_NO_COMMAND && kind < WIRE_KIND_COUNT ? kind_names[kind] : "?";
}

/* The place that is being checked, for messages. */
struct check {
	const char *command, *list; /* list: "" if the place is not in a list */
	uint32_t index;
	struct text *why;
};

static bool is_within(const struct check *check, const char *field, uint64_t value, uint64_t max)
{
	if (__builtin_expect(value <= max, 1))
		return true;
	if (check->why && check->list[0])
		text_printf(check->why, "%s: %s[%u].%s is %llu, at most %llu", check->command,
			check->list, check->index, field, (unsigned long long)value,
			(unsigned long long)max);
	else if (check->why)
		text_printf(check->why, "%s: %s is %llu, at most %llu", check->command, field,
			(unsigned long long)value, (unsigned long long)max);
	return false;
}

#define RECORD(name, Name)                                                                         \
	static bool name##_is_within(const struct wire_##name *in, struct check *check)            \
	{                                                                                          \
		bool good = true;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  good = good && is_within(check, #name, in->name, max);
#define BYTES(name, max)	  good = good && is_within(check, #name, in->name.count, max);
#define WORDS(name, max)	  BYTES(name, max)
#define LIST(record, name, max)                                                                    \
	good = good && is_within(check, #name, in->name.count, max);                               \
	check->list = #name;                                                                       \
	for (check->index = 0; good && check->index < in->name.count; check->index++)              \
		good = record##_is_within(&in->name.at[check->index], check);                      \
	check->list = "";
#define END(name)                                                                                  \
	return good;                                                                               \
	}
#include "wire/commands.def"

/* ---- contents ---- */

#define RECORD(name, Name)                                                                         \
	static void name##_add(const struct wire_##name *in, struct wire_contents *sum)            \
	{                                                                                          \
		(void)in;                                                                          \
		(void)sum;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define BYTES(name, max)	  sum->bytes += in->name.count;
#define WORDS(name, max)	  sum->words += in->name.count;
#define LIST(record, name, max)                                                                    \
	sum->words += (uint64_t)in->name.count * sizeof *in->name.at / 4;                          \
	for (uint32_t i = 0; i < in->name.count; i++)                                              \
		record##_add(&in->name.at[i], sum);
#define END(name) }
#include "wire/commands.def"

struct wire_contents wire_contents_of(const struct wire_command *command)
{
	struct wire_contents sum = {0, 0};

	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		name##_add(&command->name, &sum);                                                  \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	return sum;
}

/* ---- checks beyond limits ---- */

/* Returns true if an index into another list is below `count`, the number of records of that list.
 * Otherwise appends a sentence to `why` and returns false. */
static bool is_index(const struct check *check, const char *field, uint32_t index, uint32_t count)
{
	if (index < count)
		return true;
	if (check->why)
		text_printf(check->why, "%s: %s[%u].%s is %u of %u", check->command, check->list,
			check->index, field, index, count);
	return false;
}

/* Checks that each record of a list names an existing program and set of cores. */
#define IS_PLACED(records)                                                                         \
	check->list = #records;                                                                    \
	for (check->index = 0; good && check->index < in->records.count; check->index++)           \
		good = is_index(check, "program", in->records.at[check->index].program,            \
			       in->programs.count) &&                                              \
		       is_index(check, "cores", in->records.at[check->index].cores,                \
			       in->cores.count);

/* Kernels with code take their bytes from `texts`, one kernel after the other. */
static bool texts_are_there(const struct wire_enqueue_program *in, struct check *check)
{
	uint64_t bytes = 0;
	bool good = true;

	check->list = "kernels";
	for (uint32_t i = 0; good && i < in->kernels.count; i++) {
		check->index = i;
		bytes += in->kernels.at[i].acts ? in->kernels.at[i].bytes : 0;
		good = is_within(check, "end in texts", bytes, in->texts.count);
	}
	return good;
}

static bool program_is_consistent(const struct wire_enqueue_program *in, struct check *check)
{
	bool good = true;

	IS_PLACED(kernels)
	IS_PLACED(circular_buffers)
	IS_PLACED(semaphores)
	return good && texts_are_there(in, check);
}

static bool args_are_consistent(const struct wire_set_runtime_args *in, struct check *check)
{
	bool good = true;

	check->list = "sets";
	for (uint32_t i = 0; good && i < in->sets.count; i++) {
		const struct wire_argument_set *set = &in->sets.at[i];

		check->index = i;
		good = is_within(
			check, "first + count", (uint64_t)set->first + set->count, in->words.count);
	}
	return good;
}

enum status wire_check(const struct wire_command *command, struct text *why)
{
	struct check check = {wire_kind_name(command->kind), "", 0, why};
	bool good = true;

	switch (command->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		good = name##_is_within(&command->name, &check);                                   \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		good = is_within(&check, "kind", command->kind, 0);
		break;
	}
	if (good && command->kind == WIRE_enqueue_program)
		good = program_is_consistent(&command->enqueue_program, &check);
	else if (good && command->kind == WIRE_set_runtime_args)
		good = args_are_consistent(&command->set_runtime_args, &check);
	return good ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

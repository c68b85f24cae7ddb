/* bench-wire: measures how each codec of this build encodes and decodes commands between hosts.
 * Prints the bytes of a frame, and the times to encode and to decode it in ns, also relative to
 * `packed`. For one command, also measures the codec libraries without meshsim's own code.
 * Alternates rounds of all codecs, so other load on the machine affects all of them equally.
 * Figures are medians, printed with half the interquartile range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/table/order.h"
#include "bench/tools/measure/samples.h"
#include "wire/codec.h"
#include "wire_bare.h"

enum {
	ROUNDS = 41,
	ROUND_NS = 200000,
	ROUND_MIN = 4, /* least number of calls in a round */
	CODECS_MAX = 8,
	KERNELS = 3,
	CIRCULAR_BUFFERS = 8,
	SEMAPHORES = 4,
	SETS = 16,
	WORDS_MAX = 8192,
	DATA_MAX = 65536,
};

/* ---- what is measured ---- */

struct subject {
	const struct wire_codec *codec; /* NULL: the library is measured alone */
	const struct wire_bare *bare;
	const struct wire_command *command;
	struct wire_scratch scratch;
	uint8_t *memory;
	size_t room;
	struct wire_bytes frame;
	uint8_t *received; /* a copy of the frame in other memory, as a receiver would have it */
};

static void self_wire_encode(struct subject *subject)
{
	enum status status = wire_encode(subject->codec, subject->command, &subject->scratch,
		subject->memory, subject->room, &subject->frame, NULL);

	ensure(status == STATUS_OK, "%s: %s", subject->codec->entry.name, status_name(status));
	__asm__ volatile("" ::"r"(subject->memory) : "memory");
}

static void decode(struct subject *subject)
{
	struct wire_command command;
	enum status status;

	subject->scratch.used = 0;
	status = wire_decode(subject->codec, subject->received, subject->frame.count,
		&subject->scratch, &command, NULL);
	ensure(status == STATUS_OK, "%s: %s", subject->codec->entry.name, status_name(status));
	__asm__ volatile("" ::"r"(&command) : "memory");
}

static void bare_encode(struct subject *subject)
{
	subject->frame.count = (uint32_t)subject->bare->encode();
}

static void bare_decode(struct subject *subject)
{
	subject->bare->decode();
}

static double round_ns(struct subject *subject, void (*run)(struct subject *), uint32_t calls)
{
	int64_t begin_ns = clock_now_ns();

	for (uint32_t i = 0; i < calls; i++)
		run(subject);
	return (double)(clock_now_ns() - begin_ns) / calls;
}

/* Returns the number of calls that fill a round. */
static uint32_t wire_calls_of(struct subject *subject, void (*run)(struct subject *))
{
	double one_ns;

	round_ns(subject, run, ROUND_MIN);
	one_ns = round_ns(subject, run, ROUND_MIN);
	return one_ns * ROUND_MIN > ROUND_NS ? ROUND_MIN : (uint32_t)(ROUND_NS / (one_ns + 1)) + 1;
}

struct figure {
	double ns[ROUNDS];
};

static double median(const struct figure *figure)
{
	return figure->ns[ROUNDS / 2];
}

static void wire_measure(struct subject *subjects, uint32_t count, void (*run)(struct subject *),
	struct figure *figures)
{
	uint32_t calls[CODECS_MAX];

	for (uint32_t i = 0; i < count; i++)
		calls[i] = wire_calls_of(&subjects[i], run);
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (uint32_t i = 0; i < count; i++)
			figures[i].ns[round] = round_ns(&subjects[i], run, calls[i]);
	for (uint32_t i = 0; i < count; i++)
		sort_reals(figures[i].ns, ROUNDS);
}

static void wire_print_figure(const struct figure *figure, double beside_ns)
{
	double half = (figure->ns[3 * ROUNDS / 4] - figure->ns[ROUNDS / 4]) / 2;

	printf("  %9.0f %5.1f%%", median(figure), 100 * half / median(figure));
	if (beside_ns > 0)
		printf(" %6.2f", median(figure) / beside_ns);
}

/* ---- every codec ---- */

static void wire_subject_init(
	struct subject *subject, const struct wire_command *command, const struct wire_codec *codec)
{
	*subject = (struct subject){.codec = codec, .command = command};
	subject->room = wire_frame_bytes(codec, command);
	subject->memory = allocate(1, subject->room);
	subject->scratch.bytes = wire_scratch_bytes(subject->room);
	subject->scratch.memory = allocate(1, subject->scratch.bytes);
	self_wire_encode(subject);
	subject->received = allocate(1, subject->frame.count);
	memcpy(subject->received, subject->frame.at, subject->frame.count);
}

static void wire_subject_fini(struct subject *subject)
{
	free(subject->memory);
	free(subject->received);
	free(subject->scratch.memory);
}

static void measure_command(const char *what, const struct wire_command *command)
{
	struct subject subjects[CODECS_MAX];
	struct figure encoded[CODECS_MAX], decoded[CODECS_MAX];
	uint32_t count = 0;

	for (size_t at = 0; wire_codec_row(at); at++)
		if (wire_codec_row(at)->ops)
			wire_subject_init(&subjects[count++], command, wire_codec_row(at));
	wire_measure(subjects, count, self_wire_encode, encoded);
	wire_measure(subjects, count, decode, decoded);
	printf("%s: %s\n", wire_kind_name(command->kind), what);
	for (uint32_t i = 0; i < count; i++) {
		printf("    %-13s %7u %6.2f", subjects[i].codec->entry.name,
			subjects[i].frame.count,
			(double)subjects[i].frame.count / (double)subjects[0].frame.count);
		wire_print_figure(&encoded[i], median(&encoded[0]));
		wire_print_figure(&decoded[i], median(&decoded[0]));
		printf("\n");
		wire_subject_fini(&subjects[i]);
	}
}

/* Measures the same command with each library alone, to compare with our codecs. */
static void measure_bare(const struct wire_command *command)
{
	printf("Libraries alone, of the same words: messages are made before, and nothing is read "
	       "of them; x: ours of it\n");
	for (size_t at = 0; wire_bare_at(at); at++) {
		const struct wire_bare *bare = wire_bare_at(at);
		struct subject subjects[2] = {{.bare = bare}};
		struct figure encoded[2], decoded[2];

		bare->init(&command->set_runtime_args);
		wire_subject_init(&subjects[1], command, wire_codec_find(bare->codec));
		wire_measure(subjects, 1, bare_encode, encoded);
		wire_measure(subjects, 1, bare_decode, decoded);
		wire_measure(subjects + 1, 1, self_wire_encode, encoded + 1);
		wire_measure(subjects + 1, 1, decode, decoded + 1);
		printf("    %-13s %7u       ", bare->codec, subjects[0].frame.count);
		wire_print_figure(&encoded[0], 0);
		printf(" %6.2f", median(&encoded[1]) / median(&encoded[0]));
		wire_print_figure(&decoded[0], 0);
		printf(" %6.2f\n", median(&decoded[1]) / median(&decoded[0]));
		wire_subject_fini(&subjects[1]);
	}
}

/* ---- commands ---- */

static void measure_small(void)
{
	const struct wire_command commands[] = {
		{.kind = WIRE_read_buffer,
			.read_buffer = {.number = 4711, .buffer = 12, .bytes = 1 << 20}},
		{.kind = WIRE_enqueue_trace,
			.enqueue_trace = {.number = 4711, .queue = 1, .trace = 3}},
		{.kind = WIRE_record_event,
			.record_event = {.number = 4711, .event = 815, .reach = 2}},
		{.kind = WIRE_wait_for_event, .wait_for_event = {.number = 4711, .event = 815}},
		{.kind = WIRE_enqueue_finish, .enqueue_finish = {.number = 4711, .reach = 2}},
	};

	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		measure_command("of the whole mesh", &commands[i]);
}

static void measure_writes(void)
{
	static uint8_t data[DATA_MAX];
	struct wire_command command = {.kind = WIRE_write_buffer,
		.write_buffer = {.number = 4711, .buffer = 12, .offset = 1 << 20}};

	command.write_buffer.data = (struct wire_bytes){data, 4096};
	measure_command("4 KiB", &command);
	command.write_buffer.data.count = DATA_MAX;
	measure_command("64 KiB", &command);
}

static void measure_programs(void)
{
	static const uint8_t name[] = "matmul";
	const struct wire_program program = {
		.rows = 8, .columns = 8, .name = {name, sizeof name - 1}};
	const struct wire_cores cores[2] = {{.kind = 0}, {.kind = 1, .columns = 8, .rows = 1}};
	struct wire_kernel kernels[KERNELS];
	struct wire_circular_buffer buffers[CIRCULAR_BUFFERS];
	struct wire_semaphore semaphores[SEMAPHORES];
	struct wire_command command = {
		.kind = WIRE_enqueue_program, .enqueue_program = {.number = 4711, .workload = 99}};

	measure_command("that the executor has", &command);
	for (uint8_t i = 0; i < KERNELS; i++)
		kernels[i] = (struct wire_kernel){.processor = i,
			.bytes = 8192,
			.cycles = 20000,
			.steps = 16,
			.unique_args = 16,
			.common_args = 4};
	for (uint16_t i = 0; i < CIRCULAR_BUFFERS; i++)
		buffers[i] = (struct wire_circular_buffer){
			.cores = i % 2, .pages = 4, .page_bytes = 2048};
	for (uint16_t i = 0; i < SEMAPHORES; i++)
		semaphores[i] = (struct wire_semaphore){.cores = i % 2, .initial = i};
	command.enqueue_program.programs.at = &program;
	command.enqueue_program.programs.count = 1;
	command.enqueue_program.cores.at = cores;
	command.enqueue_program.cores.count = 2;
	command.enqueue_program.kernels.at = kernels;
	command.enqueue_program.kernels.count = KERNELS;
	command.enqueue_program.circular_buffers.at = buffers;
	command.enqueue_program.circular_buffers.count = CIRCULAR_BUFFERS;
	command.enqueue_program.semaphores.at = semaphores;
	command.enqueue_program.semaphores.count = SEMAPHORES;
	measure_command("with 3 kernels, 8 circular buffers, 4 semaphores", &command);
}

static void measure_args(void)
{
	static uint32_t words[WORDS_MAX];
	static struct wire_argument_set sets[SETS];
	static struct wire_command command = {.kind = WIRE_set_runtime_args,
		.set_runtime_args = {.number = 4711, .workload = 99}};
	const uint32_t counts[] = {512, WORDS_MAX};

	/* use addresses, since most arguments of kernels are addresses */
	for (uint32_t i = 0; i < WORDS_MAX; i++)
		words[i] = 0x10000 + 2048 * i;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		char what[64];

		for (uint32_t set = 0; set < SETS; set++)
			sets[set] = (struct wire_argument_set){.kernel = (uint16_t)(set % KERNELS),
				.core = set,
				.first = set * counts[i] / SETS,
				.count = counts[i] / SETS};
		command.set_runtime_args.sets.at = sets;
		command.set_runtime_args.sets.count = SETS;
		command.set_runtime_args.words = (struct wire_words){words, counts[i]};
		snprintf(what, sizeof what, "%u words of %d cores", counts[i], SETS);
		measure_command(what, &command);
		if (i == 0)
			measure_bare(&command);
	}
}

int main(void)
{
	printf("Bytes of frames, and ns to encode and decode, each beside packed (x).\n\n"
	       "    %-13s %7s %6s  %9s %6s %6s  %9s %6s %6s\n",
		"", "bytes", "x", "encode ns", "+-", "x", "decode ns", "+-", "x");
	measure_small();
	measure_writes();
	measure_programs();
	measure_args();
	return 0;
}

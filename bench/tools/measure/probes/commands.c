/* Probe of building dispatch commands. Measures the building of streams of writes with their data,
 * and the patching of arguments into a finished stream. */
#include "bench/tools/measure/samples.h"
#include "command/stream.h"
#include "probe.h"

enum { COMMANDS_MAX = 64, BYTES_MAX = 1024, ROWS_MAX = 4096 };

struct building {
	uint32_t commands, bytes; /* numbers of dispatch commands in a stream and of data bytes in
				   * each command */
	uint32_t built;		  /* number of commands in the finished stream */
};

struct rows {
	struct regression_row at[ROWS_MAX];
	uint32_t count;
};

static const uint8_t payload[BYTES_MAX];

static void build_stream(struct command_stream *stream, const struct building *building)
{
	struct dispatch_command write = {.kind = DISPATCH_WRITE_LINEAR};

	write.write_linear.length = building->bytes;
	command_stream_init(stream, 1);
	for (uint32_t i = 0; i < building->commands; i++) {
		write.write_linear.address = 64 * i;
		command_stream_dispatch(stream, &write);
		command_stream_bytes(stream, payload, building->bytes);
	}
	command_stream_finish(stream);
}

static void commands_build(void *argument, uint32_t calls)
{
	struct building *building = argument;

	for (uint32_t i = 0; i < calls; i++) {
		struct command_stream stream;

		build_stream(&stream, building);
		clock_keep(&stream);
		building->built = stream.commands;
		command_stream_fini(&stream);
	}
}

/* Adds the samples of one point (x0, x1, x2) as rows, one row for each round. Every round measures
 * each point once, so that disturbances affect all points equally. */
static void add_round(struct rows *rows, struct samples *samples, double x0, double x1, double x2)
{
	for (uint32_t round = 0; round < samples->count && rows->count < ROWS_MAX; round++)
		rows->at[rows->count++] = (struct regression_row){
			.x = {x0, x1, x2}, .y = samples->at[round], .round = round};
}

static void measure_building(struct probing *probing)
{
	static const uint32_t commands[] = {1, 4, 16, COMMANDS_MAX}, bytes[] = {16, 128, BYTES_MAX};
	static struct rows rows;
	struct regression line;
	struct samples samples = {0};
	bool good;

	rows.count = 0;
	for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
		for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
			struct building building = {commands[c], bytes[b], 0};

			samples_clear(&samples);
			probe_rounds(probing->pace, commands_build, &building, &samples);
			add_round(
				&rows, &samples, 1, building.built, (double)commands[c] * bytes[b]);
		}
	samples_fini(&samples);
	good = regression_fit(rows.at, rows.count, 3, &line);
	probe_term(probing, "host.work.build_command.cost", "ps", 1e3, good ? &line : NULL, 1,
		"streams of 1 to 64 writes of 16 to 1024 B, CPU time a command");
	probe_term(probing, "host.work.build_bytes.cost", "ps", 1e3, good ? &line : NULL, 2,
		"streams of 1 to 64 writes of 16 to 1024 B, CPU time a byte");
}

/* ---- arguments ---- */

struct patching {
	struct command_stream stream;
	uint32_t words; /* number of words that each call changes */
};

static void patch(void *argument, uint32_t calls)
{
	struct patching *patching = argument;

	for (uint32_t i = 0; i < calls; i++) {
		uint8_t *at = command_stream_edit(
			&patching->stream, 2 * COMMAND_BYTES, 4 * patching->words);

		for (uint32_t word = 0; word < patching->words; word++)
			bytes_put32(at + 4 * word, i + word);
		clock_keep(at);
	}
}

static void measure_patching(struct probing *probing)
{
	static const uint32_t words[] = {4, 16, 64, BYTES_MAX / 4};
	static struct rows rows;
	struct patching patching;
	struct regression line;
	struct samples samples = {0};
	bool good;

	rows.count = 0;
	build_stream(&patching.stream, &(struct building){1, BYTES_MAX, 0});
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		patching.words = words[i];
		samples_clear(&samples);
		probe_rounds(probing->pace, patch, &patching, &samples);
		add_round(&rows, &samples, 1, words[i], 0);
	}
	command_stream_fini(&patching.stream);
	samples_fini(&samples);
	good = regression_fit(rows.at, rows.count, 2, &line);
	probe_term(probing, "host.work.patch_argument.cost", "ps", 1e3, good ? &line : NULL, 1,
		"4 to 256 words written into a finished stream, CPU time a word");
}

static void run(struct probing *probing)
{
	measure_building(probing);
	measure_patching(probing);
}

const struct probe probe_commands = {
	"commands", "dispatch commands encoded, and arguments changed in them", run};

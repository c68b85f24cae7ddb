/* Prints a measurement as JSON (measure.h). bench/tools/output_schema describes its members. */
#include "base/json.h"
#include "bench/tools/measure/measure.h"

static const char *const where_names[WHERE_COUNT] = {"one", "others"};

static void put_figure(struct json *json, const struct figure *figure)
{
	json_object(json);
	json_text(json, "name", figure->name);
	json_text(json, "probe", figure->probe);
	json_text(json, "how", figure->how);
	json_text(json, "refused", figure->refused);
	if (!figure->refused) {
		json_real_of(json, "value", figure->value);
		json_text(json, "unit", figure->unit);
		json_real_of(json, "spread", figure->spread);
		json_real_of(json, "p50", figure->p50);
		json_real_of(json, "p90", figure->p90);
		json_real_of(json, "p99", figure->p99);
		json_unsigned_of(json, "repetitions", figure->repetitions);
	}
	if (!figure->refused && figure->fitted) {
		json_real_of(json, "error", figure->error);
		json_real_of(json, "worst", figure->worst);
	}
	json_object_end(json);
}

static void put_quantiles(struct json *json, const char *key, const struct quantiles *of)
{
	json_object_of(json, key);
	json_real_of(json, "p50", of->p50);
	json_real_of(json, "p90", of->p90);
	json_real_of(json, "p99", of->p99);
	json_real_of(json, "least", of->least);
	json_real_of(json, "spread", of->spread);
	json_object_end(json);
}

static void put_timing(struct json *json, const struct timing *timing)
{
	json_object(json);
	json_text(json, "transport", timing->transport);
	json_text(json, "cores", where_names[timing->where]);
	json_unsigned_of(json, "members", timing->members);
	json_unsigned_of(json, "bytes", timing->bytes);
	json_unsigned_of(json, "repetitions", timing->repetitions);
	put_quantiles(json, "round_ns", &timing->round_ns);
	put_quantiles(json, "send_ns", &timing->send_ns);
	put_quantiles(json, "one_way_ns", &timing->one_way_ns);
	json_real_of(json, "send_cpu_ns", timing->send_cpu_ns);
	json_real_of(json, "send_library_cpu_ns", timing->send_library_cpu_ns);
	json_real_of(json, "receive_cpu_ns", timing->receive_cpu_ns);
	json_real_of(json, "receive_library_cpu_ns", timing->receive_library_cpu_ns);
	json_object_end(json);
}

static void put_coding(struct json *json, const struct coding *coding)
{
	json_object(json);
	json_text(json, "codec", coding->codec);
	json_text(json, "command", coding->command);
	json_unsigned_of(json, "arguments", coding->words);
	json_unsigned_of(json, "data_bytes", coding->payload_bytes);
	json_unsigned_of(json, "frame_bytes", coding->frame_bytes);
	put_quantiles(json, "encode_ns", &coding->encode_ns);
	put_quantiles(json, "decode_ns", &coding->decode_ns);
	json_object_end(json);
}

void measurement_print_json(const struct measurement *measurement, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_object_of(&json, "machine");
	json_text(&json, "processor", measurement->machine.processor);
	json_text(&json, "kernel", measurement->machine.kernel);
	json_unsigned_of(&json, "cores", measurement->machine.cores);
	json_text(&json, "date", measurement->machine.date);
	json_object_end(&json);
	json_bool_of(&json, "quick", measurement->quick);
	json_array_of(&json, "figures");
	for (uint32_t i = 0; i < measurement->figure_count; i++)
		put_figure(&json, &measurement->figures[i]);
	json_array_end(&json);
	json_array_of(&json, "messages");
	for (uint32_t i = 0; i < measurement->timing_count; i++)
		put_timing(&json, &measurement->timings[i]);
	json_array_end(&json);
	json_array_of(&json, "commands");
	for (uint32_t i = 0; i < measurement->coding_count; i++)
		put_coding(&json, &measurement->codings[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, out);
}

/* `meshsim shard`: shows how a mesh mapper of TTNN is expressed as the configuration of a mesh
 * buffer. With --cases, runs cases from a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/wrap.h"
#include "bench/tools/layout/layout_view.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "layout/layout_text.h"

struct options {
	const char *shape, *dim, *dims, *mesh, *element, *svg, *cases;
	bool pack, json;
};

static const struct option_row option_table[] = {
	{"shape", 0, "SHAPE", "of the tensor, as in 4x3x32x32", OPTION_TEXT,
		.offset = offsetof(struct options, shape)},
	{"mesh", 0, "RxC", "rows and columns of devices; 2x4 by default", OPTION_TEXT,
		.offset = offsetof(struct options, mesh)},
	{"dim", 0, "D", "split this dimension over all devices (ShardTensorToMesh)", OPTION_TEXT,
		.offset = offsetof(struct options, dim)},
	{"dims", 0, "D,D",
		"split over the rows and over the columns of the mesh; none replicates "
		"(ShardTensor2DMesh)",
		OPTION_TEXT, .offset = offsetof(struct options, dims)},
	{"element", 0, "TYPE", "element type; bf16 by default", OPTION_TEXT,
		.offset = offsetof(struct options, element)},
	{"pack", 0, NULL,
		"split any dimension: where the buffer cannot, the host copies the tensor first",
		OPTION_FLAG, .offset = offsetof(struct options, pack)},
	{"svg", 0, "FILE", "write a drawing; - is standard output, and all of it", OPTION_TEXT,
		.offset = offsetof(struct options, svg)},
	{"cases", 0, "FILE", "try the cases of a JSON file, and print which differ", OPTION_TEXT,
		.offset = offsetof(struct options, cases)},
	OPTION_JSON(struct options, json),
	{0},
};

static bool command_shard_check(void *given, struct text *why)
{
	const struct options *options = given;

	if (options->cases && (options->shape || options->dim || options->dims || options->pack ||
				      options->svg || options->element))
		text_append(why, "--cases goes with --mesh and --json only");
	else if (!options->cases && !options->shape)
		text_append(why, "give --shape, or --cases");
	else if (options->dim && options->dims)
		text_append(why, "give --dim or --dims, not both");
	return why->length == 0;
}

/* Reads a dimension such as "-1", or "none". */
static bool command_shard_read_dim(const char *text, size_t length, int32_t *dim, struct text *why)
{
	char word[16] = "", *end;
	long value;

	if (length < sizeof word)
		memcpy(word, text, length);
	*dim = MAPPER_REPLICATE;
	if (strcmp(word, "none") == 0 || strcmp(word, "None") == 0)
		return true;
	value = strtol(word, &end, 10);
	if (end == word || *end || value < -1000 || value > 1000) {
		text_printf(why, "'%.*s' is no dimension", (int)length, text);
		return false;
	}
	*dim = (int32_t)value;
	return true;
}

static bool read_dims(const char *text, int32_t dims[2], struct text *why)
{
	const char *comma = strchr(text, ',');

	if (comma)
		return command_shard_read_dim(text, (size_t)(comma - text), &dims[0], why) &&
		       command_shard_read_dim(comma + 1, strlen(comma + 1), &dims[1], why);
	text_printf(why, "'%s' are no two dimensions, as in none,0", text);
	return false;
}

static bool read_mesh(const char *text, struct mapper_mesh *mesh, struct text *why)
{
	uint32_t pair[2] = {2, 4};
	bool good = !text ||
		    layout_parse_pair(text, 1024, "no mesh of up to 1024x1024 devices", pair, why);

	*mesh = (struct mapper_mesh){pair[0], pair[1]};
	return good;
}

static bool read_element(const char *text, uint32_t *bytes, struct text *why)
{
	enum element element;

	if (!layout_parse_element(text ? text : "bf16", &element, why))
		return false;
	*bytes = element_bytes(element);
	if (*bytes == 0)
		text_printf(why, "elements of %s have no bytes of their own", text);
	return *bytes != 0;
}

static int try_cases(const struct options *options, const struct mapper_mesh *mesh)
{
	struct diag *diag = diag_new();
	struct shard_cases *cases = shard_cases_run(options->cases, mesh, diag);
	int code = EXIT_BAD_INPUT;

	diag_print(diag, stderr);
	if (cases) {
		if (options->json)
			shard_cases_json(cases, stdout);
		else
			shard_cases_print(cases, stdout);
		code = shard_cases_differ(cases) ? EXIT_REFUSED : EXIT_GOOD;
	}
	shard_cases_free(cases);
	diag_free(diag);
	return code;
}

static int command_shard_show(const struct options *options, const struct shard_view *view)
{
	struct text text = {0};
	bool good = true;

	if (options->svg && view->refusal == MAPPER_NONE) {
		shard_view_svg(view, &text);
		good = output_write_or_say(options->svg, &drawing_kind, &text);
		text_fini(&text);
		if (!good)
			return EXIT_BAD_INPUT;
		if (output_is_stdout(options->svg, &drawing_kind))
			return EXIT_GOOD;
	}
	if (options->json)
		shard_view_json(view, stdout);
	else
		shard_view_print(view, stdout);
	return view->refusal == MAPPER_NONE ? EXIT_GOOD : EXIT_REFUSED;
}

/* Converts the mapper that the options describe to the configuration of a mesh buffer, and stores
 * it in *lowering. Sets view->refusal to the outcome; on errors, `why` gets a sentence. Appends the
 * mapper in TTNN's notation to `name`. */
static void command_shard_lower(const struct options *options, const int32_t dims[2],
	struct mapper_lowering *lowering, struct shard_view *view, struct text *name,
	struct text *why)
{
	if (options->dim) {
		text_printf(name, "ShardTensorToMesh(dim=%d)", dims[0]);
		view->refusal = (options->pack ? mapper_shard_any : mapper_shard)(
			view->tensor, view->mesh, dims[0], lowering, why);
	} else {
		text_append(name,
			options->dims ? "ShardTensor2DMesh(dims=[" : "ReplicateTensorToMesh(");
		for (int i = 0; options->dims && i < 2; i++) {
			text_append(name, i ? ", " : "");
			if (dims[i] == MAPPER_REPLICATE)
				text_append(name, "None");
			else
				text_printf(name, "%d", dims[i]);
		}
		text_append(name, options->dims ? "])" : ")");
		view->refusal = (options->pack ? mapper_shard_2d_any : mapper_shard_2d)(
			view->tensor, view->mesh, dims, lowering, why);
	}
	view->mapper = text_string(name);
	view->why = text_string(why);
}

static int command_shard_run(const void *given)
{
	const struct options *options = given;
	int32_t dims[2] = {MAPPER_REPLICATE, MAPPER_REPLICATE};
	struct mapper_tensor tensor;
	struct mapper_mesh mesh;
	struct mapper_lowering lowering;
	struct shard_view view = {.tensor = &tensor, .mesh = &mesh, .lowering = &lowering};
	struct text why = {0}, name = {0};
	int code = EXIT_BAD_INPUT;

	if (!read_mesh(options->mesh, &mesh, &why))
		goto bad;
	if (options->cases)
		return try_cases(options, &mesh);
	if (!layout_parse_shape(options->shape, &tensor.shape, &why) ||
		!read_element(options->element, &tensor.element_bytes, &why) ||
		(options->dim && !command_shard_read_dim(
					 options->dim, strlen(options->dim), &dims[0], &why)) ||
		(options->dims && !read_dims(options->dims, dims, &why)))
		goto bad;
	view.columns = terminal_columns(stdout);
	command_shard_lower(options, dims, &lowering, &view, &name, &why);
	code = command_shard_show(options, &view);
	goto out;
bad:
	fprintf(stderr, "meshsim shard: %s\n", text_string(&why));
out:
	text_fini(&why);
	text_fini(&name);
	return code;
}

const struct command_work command_shard = {
	OPTION_TABLE(option_table, struct options),
	.check = command_shard_check,
	.run = command_shard_run,
};

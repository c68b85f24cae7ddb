/* Writes the files of a placement. Does not overwrite files of another kind (base/output.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"
#include "bench/tools/place/place_texts.h"
#include "place.h"

static bool is_bindings(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "rank_bindings");
}

static bool is_rankfile(const char *head, size_t length)
{
	(void)length;
	return strncmp(head, "rank ", 5) == 0;
}

static bool is_devices(const char *head, size_t length)
{
	(void)length;
	return strncmp(head, "# rank ", 7) == 0;
}

static bool is_descriptor(const char *head, size_t length)
{
	(void)length;
	return strstr(head, "mesh_descriptors") != NULL;
}

static bool is_svg(const char *head, size_t length)
{
	(void)length;
	return strstr(head, "<!-- drawing of meshsim place -->") != NULL;
}

static const struct output_kind bindings_output = {"file of rank bindings", false, is_bindings};
static const struct output_kind rankfile_output = {"rank file", false, is_rankfile};
static const struct output_kind descriptor_output = {"mesh graph descriptor", false, is_descriptor};
static const struct output_kind devices_output = {"list of visible devices", false, is_devices};
static const struct output_kind svg_output = {"drawing of meshsim place", true, is_svg};

static void list_devices(const struct place_files *files, const uint32_t *image, struct text *out)
{
	const struct logical *logical = files->logical;
	struct arena arena = {0};
	uint32_t *devices = arena_array(&arena, logical->device_count, sizeof(*devices));

	text_append(out, "# rank host TT_VISIBLE_DEVICES\n");
	for (uint32_t rank = 0; rank < logical->rank_count; rank++) {
		uint32_t count = rank_devices(logical, files->machine, image, rank, devices);
		uint32_t chip = rank_chip(logical, image, rank);

		text_printf(out, "%u %s ", rank,
			files->machine->hosts[files->machine->chips[chip].host].name);
		for (uint32_t i = 0; i < count; i++)
			text_printf(out, "%s%u", i ? "," : "", devices[i]);
		text_append(out, count ? "\n" : "-\n");
	}
	arena_fini(&arena);
}

static bool write_one(const char *folder, const char *name, const struct output_kind *kind,
	const struct text *text)
{
	struct text path = {0};
	bool good;

	text_printf(&path, "%s/%s", folder, name);
	good = output_write_or_say(text_string(&path), kind, text);
	text_fini(&path);
	return good;
}

static bool place_make_folder(const char *folder)
{
	if (mkdir(folder, 0777) == 0 || errno == EEXIST)
		return true;
	fprintf(stderr, "meshsim: %s: cannot make the folder: %s\n", folder, strerror(errno));
	return false;
}

static bool write_string(
	const char *folder, const char *name, const struct output_kind *kind, const char *string)
{
	struct text text = {0};
	bool good;

	if (!string)
		return true;
	text_append(&text, string);
	good = write_one(folder, name, kind, &text);
	text_fini(&text);
	return good;
}

bool place_write_texts(const struct place_texts *texts, const char *folder)
{
	return place_make_folder(folder) &&
	       write_string(folder, "rank_bindings.yaml", &bindings_output, texts->bindings) &&
	       write_string(folder, "rankfile.txt", &rankfile_output, texts->rankfile) &&
	       write_string(folder, "mesh_graph_descriptor.textproto", &descriptor_output,
		       texts->descriptor);
}

bool place_write(const struct place_files *files, const struct mesh_placement *placement,
	const char *mesh_graph, const char *folder)
{
	struct text bindings = {0}, rankfile = {0}, devices = {0};
	bool good;

	bindings_write(files->logical, files->machine, placement->image, mesh_graph, &bindings);
	rankfile_write(files->logical, files->machine, placement->image, &rankfile);
	list_devices(files, placement->image, &devices);
	good = place_write_texts(&(struct place_texts){.bindings = text_string(&bindings),
					 .rankfile = text_string(&rankfile)},
		       folder) &&
	       write_one(folder, "visible_devices.txt", &devices_output, &devices);
	text_fini(&bindings);
	text_fini(&rankfile);
	text_fini(&devices);
	return good;
}

bool place_write_svg(
	const struct place_files *files, const struct mesh_placement *placement, const char *path)
{
	struct text text = {0};
	bool good;

	place_svg(files, placement->image, &text);
	good = output_write_or_say(path, &svg_output, &text);
	text_fini(&text);
	return good;
}

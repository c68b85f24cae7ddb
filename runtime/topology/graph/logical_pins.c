/* Makes the pins of a logical graph. A pin restricts the positions where a device may be placed.
 * Finds the devices that each pin of the descriptor names, and the positions that the pin allows.
 * It is an error if a pin names an unknown device, or if a device is pinned twice. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "topology/logical.h"

enum { REGEX_BYTES_MAX = 256 };

struct pinner {
	struct logical *logical;
	struct logical_pin *pins;
	uint32_t count, capacity;
	uint32_t *lines; /* [device] number of the line with its pin; 0: the device has no pin */
	struct diag *diag;
};

static void add_pin(struct pinner *pinner, const struct mgd_pinning *from,
	const struct mgd_node_id *node, const struct logical_mesh *mesh)
{
	uint32_t *line;

	if (node->chip < 0 || (uint32_t)node->chip >= mesh->count) {
		diag_error(pinner->diag, node->where,
			"Pinned node not found: chip %d of mesh %u, which has %u", node->chip,
			mesh->id, mesh->count);
		return;
	}
	line = &pinner->lines[mesh->first + (uint32_t)node->chip];
	if (*line) {
		diag_error(pinner->diag, from->where,
			"Duplicate pinning: chip %d of mesh %u is pinned in line %u already",
			node->chip, mesh->id, *line);
		return;
	}
	*line = from->where.line;
	if (pinner->count == pinner->capacity) {
		pinner->capacity = pinner->capacity ? 2 * pinner->capacity : 32;
		pinner->pins = allocate_more(pinner->pins, pinner->capacity, sizeof(*pinner->pins));
	}
	pinner->pins[pinner->count++] = (struct logical_pin){.mesh = mesh->id,
		.chip = (uint32_t)node->chip,
		.positions = from->positions,
		.position_count = from->position_count,
		.where = from->where};
}

/* Compiles `pattern` as a POSIX regular expression that must match a whole id. "\d" in the pattern
 * stands for a digit. Returns false if the pattern is invalid or too long. Also rejects every '{',
 * because a short pattern with repetition counts such as {1000} can need much memory when it is
 * compiled. */
static bool compile(const char *pattern, regex_t *regex)
{
	struct text text = {0};
	bool good = strlen(pattern) <= REGEX_BYTES_MAX && !strchr(pattern, '{');

	text_append(&text, "^(");
	for (const char *at = pattern; *at; at++) {
		bool digit = at[0] == '\\' && at[1] == 'd';

		if (digit)
			text_append(&text, "[0-9]");
		else
			text_append_char(&text, *at);
		at += digit;
	}
	text_append(&text, ")$");
	good = good && regcomp(regex, text_string(&text), REG_EXTENDED | REG_NOSUB) == 0;
	text_fini(&text);
	return good;
}

static void add_matching(
	struct pinner *pinner, const struct mgd_pinning *from, const struct mgd_node_id *node)
{
	bool any = false;
	regex_t regex;

	if (!compile(node->mesh_regex, &regex)) {
		diag_error(pinner->diag, node->where,
			"mesh_id_regex '%.80s' is no pattern of up to %d bytes without '{'",
			node->mesh_regex, REGEX_BYTES_MAX);
		return;
	}
	for (uint32_t i = 0; i < pinner->logical->mesh_count; i++) {
		char id[16];

		snprintf(id, sizeof(id), "%u", pinner->logical->meshes[i].id);
		if (regexec(&regex, id, 0, NULL, 0) != 0)
			continue;
		any = true;
		add_pin(pinner, from, node, &pinner->logical->meshes[i]);
	}
	if (!any)
		diag_error(pinner->diag, node->where,
			"Pinned node not found: mesh_id_regex '%.80s' matches the id of no mesh",
			node->mesh_regex);
	regfree(&regex);
}

bool logical_pins_make(struct logical *logical, const struct mesh_graph *graph, struct diag *diag)
{
	struct pinner pinner = {.logical = logical, .diag = diag};
	size_t errors = diag_errors(diag);
	struct logical_pin *pins;

	pinner.lines = allocate((size_t)logical->device_count + 1, sizeof(*pinner.lines));
	for (uint32_t i = 0; i < graph->pinning_count; i++)
		for (uint32_t k = 0; k < graph->pinnings[i].node_count; k++) {
			const struct mgd_pinning *from = &graph->pinnings[i];
			const struct mgd_node_id *node = &from->nodes[k];
			const struct logical_mesh *mesh =
				logical_find(logical, (uint32_t)node->mesh);

			if (node->mesh_regex)
				add_matching(&pinner, from, node);
			else if (mesh)
				add_pin(&pinner, from, node, mesh);
			else
				diag_error(diag, node->where,
					"Pinned node not found: chip %d of mesh %d, which is not "
					"there",
					node->chip, node->mesh);
		}
	pins = arena_array(&logical->arena, (size_t)pinner.count + 1, sizeof(*pins));
	if (pinner.count)
		memcpy(pins, pinner.pins, pinner.count * sizeof(*pins));
	logical->pins = pins;
	logical->pin_count = pinner.count;
	free(pinner.pins);
	free(pinner.lines);
	return diag_errors(diag) == errors;
}

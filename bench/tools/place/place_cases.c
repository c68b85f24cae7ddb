/* `meshsim place --cases`: runs mapping cases from a file, and compares the outcome of each case
 * with the expected outcome. If a case has an unknown form, it is reported as not run. */
#include <stdlib.h>
#include <string.h>

#include "bench/run/runner.h"
#include "place.h"

static enum case_result run_case(
	const struct tree_node *node, const char *folder, const struct case_words *words)
{
	const char *kind = case_text(tree_get(node, "kind"));
	const struct tree_node *logical = tree_get(node, "logical");

	if (node->kind != TREE_MAP) {
		text_append(words->why, "a case is a map");
		return CASE_NOT_RUN;
	}
	if (!case_is_sound(node, words))
		return CASE_NOT_RUN;
	if (strcmp(kind, "solver") == 0)
		return case_solve(node, words);
	if (strcmp(kind, "solver_api") == 0)
		return case_calls(node, words);
	if (strcmp(kind, "logical_multi_mesh_graph") == 0)
		return case_logical(node, folder, words);
	if (strcmp(kind, "flat_to_hierarchical") == 0)
		return case_hierarchy(node, words);
	if (logical && tree_get(logical, "meshes"))
		return case_map_several(node, words);
	if (logical)
		return case_map(node, words);
	text_printf(words->why, "kind '%s' is not understood", kind);
	return CASE_NOT_RUN;
}

/* Prints one line per case, and counts the results in `count`. */
static void place_cases_run_all(
	const struct tree_node *cases, const char *folder, uint32_t count[3], FILE *out)
{
	static const char *const results[] = {"good", "differs", "not run"};

	for (uint32_t i = 0; i < cases->count; i++) {
		struct arena arena = {0};
		struct text why = {0};
		const struct case_words words = {&arena, &why};
		enum case_result result = run_case(cases->items[i], folder, &words);
		size_t length = strcspn(text_string(&why), "\n");

		count[result]++;
		fprintf(out, "%-8s %s%s%.*s\n", case_text(tree_get(cases->items[i], "id")),
			results[result], length ? ": " : "", (int)length, text_string(&why));
		text_fini(&why);
		arena_fini(&arena);
	}
}

int place_cases(const char *path, FILE *out)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_file(path, diag);
	const struct tree_node *cases = tree ? tree_get(tree_root(tree), "cases") : NULL;
	uint32_t count[3] = {0};
	int code = EXIT_BAD_INPUT;
	char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;

	if (slash)
		*slash = '\0';
	if (tree && (!cases || cases->kind != TREE_SEQUENCE))
		diag_error(diag, tree_root(tree)->where, "expected a list 'cases'");
	if (diag_errors(diag) == 0) {
		place_cases_run_all(cases, slash ? folder : ".", count, out);
		fprintf(out, "%u good, %u differ, %u not run\n", count[CASE_GOOD],
			count[CASE_DIFFERS], count[CASE_NOT_RUN]);
		code = count[CASE_DIFFERS] ? EXIT_REFUSED : EXIT_GOOD;
	}
	diag_print(diag, stderr);
	tree_free(tree);
	diag_free(diag);
	free(folder);
	return code;
}

/* The design choices of lists/choice.def as a table, and the conditions under which each of them
 * has an effect in a scenario. */
#ifndef ANALYSIS_COMPARE_CHOICE_ROWS_H
#define ANALYSIS_COMPARE_CHOICE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/tree.h"

struct choice_row {
	const char *key, *when; /* key: path of the key; NULL: the entry is a value */
	const char *value;
	uint64_t stages;
};

/* The entries of choice.def in their order: each choice is followed by its values. */
extern const struct choice_row choice_rows[];
extern const uint32_t choice_row_count;

/* Returns the value of a key of an effective scenario, or "". */
const char *choice_value_in(const struct tree_node *scenario, const char *key);

/* True if `value` is one of the items of `list`. The list consists of the first `length` characters
 * of the text, and its items are separated by '|'. */
bool choice_lists(const char *list, size_t length, const char *value);

/* True if a choice has an effect in an effective scenario: all words of `when` hold. `has_hosts`
 * says whether the platform has several hosts. */
bool choice_row_acts(const struct choice_row *row, const struct tree_node *scenario, bool has_hosts,
	struct arena *arena);

#endif

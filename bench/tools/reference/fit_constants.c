/* Chooses the constants to fit (see fit.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/reference/fit.h"
#include "bench/scenario/machine_constants.h"
#include "cause/cause.h"

/* The kind of charge that a constant causes; CHARGE_NOTHING if it takes no time. */
static enum charge charge_of(const char *name)
{
	for (int charge = 0; charge < CHARGE_COUNT; charge++)
		if (strcmp(charge_path((enum charge)charge), name) == 0)
			return (enum charge)charge;
	return CHARGE_NOTHING;
}

/* The place of a constant as file and line, without folders. */
static const char *fit_constants_place_of(
	const struct platform_constant *constant, struct arena *arena)
{
	char cited[LOCATION_CITE_BYTES];
	const char *slash;

	location_cite(constant->given.where, cited, sizeof cited);
	slash = strrchr(cited, '/');
	return arena_string(arena, slash ? slash + 1 : cited);
}

static bool fit_constants_is_wanted(const struct platform_constant *constant,
	const char *const *names, uint32_t name_count, struct diag *diag)
{
	for (uint32_t i = 0; i < name_count; i++) {
		if (strcmp(names[i], constant->name) != 0)
			continue;
		if (constant->given.kind != CONSTANT_FITTED)
			diag_error(diag, constant->given.where,
				"%s is %s: only constants of kind fitted are fitted", names[i],
				constant_kind_name(constant->given.kind));
		else if (charge_of(names[i]) == CHARGE_NOTHING)
			diag_error(diag, constant->given.where,
				"%s takes no time: its value is not fitted", names[i]);
		else
			return true;
	}
	return name_count == 0 && constant->given.kind == CONSTANT_FITTED &&
	       charge_of(constant->name) != CHARGE_NOTHING;
}

static void add_constant(struct fit *fit, const struct platform_constant *constant, uint32_t system,
	struct arena *arena)
{
	const char *place = fit_constants_place_of(constant, arena);

	for (uint32_t i = 0; i < fit->count; i++) {
		if (strcmp(fit->constants[i].place, place) != 0)
			continue;
		if (strcmp(fit->constants[i].name, constant->name) == 0)
			fit->constants[i].systems |= 1u << system;
		return; /* the constant has another name, too, which is already fitted */
	}
	if (fit->count == FIT_CONSTANTS_MAX)
		return;
	fit->constants[fit->count++] = (struct fit_constant){
		.name = arena_string(arena, constant->name),
		.place = place,
		.line = constant->given.where.line,
		.unit = arena_string(arena, constant->given.unit),
		.systems = 1u << system,
		.charge = charge_of(constant->name),
		.before = constant->given.value,
		.after = constant->given.value,
	};
}

static void choose_of_system(struct fit *fit, uint32_t system, const char *const *names,
	uint32_t name_count, struct arena *arena, struct diag *diag)
{
	struct platform *platform =
		machine_platform(experiment_system(fit->systems[system])->name, diag);

	for (uint32_t i = 0; platform && i < name_count; i++)
		if (!platform_find(platform, names[i]))
			diag_error(
				diag, (struct location){0}, "there is no constant '%s'", names[i]);
	for (size_t i = 0; platform && i < platform_constant_count(platform); i++) {
		const struct platform_constant *constant = platform_constant(platform, i);

		if (fit_constants_is_wanted(constant, names, name_count, diag))
			add_constant(fit, constant, system, arena);
	}
	platform_free(platform);
}

/* Records the value of each chosen constant on a system, even if the constant is not fitted there.
 * The value is NAN if the system has no such constant in this unit. */
static void note_values(struct fit *fit, uint32_t system, struct diag *diag)
{
	struct platform *platform =
		machine_platform(experiment_system(fit->systems[system])->name, diag);

	for (uint32_t i = 0; i < fit->count; i++) {
		const struct platform_constant *found =
			platform ? platform_find(platform, fit->constants[i].name) : NULL;
		bool same = found && strcmp(found->given.unit, fit->constants[i].unit) == 0;

		fit->constants[i].elsewhere[system] = same ? found->given.value : NAN;
	}
	platform_free(platform);
}

bool fit_choose(struct fit *fit, const struct reference *reference, const char *const *names,
	uint32_t name_count, struct arena *arena, struct diag *diag)
{
	for (uint32_t row = 0; row < reference->count; row++) {
		const char *system = reference->rows[row].system;
		uint32_t i = 0;

		while (i < fit->system_count && strcmp(fit->systems[i], system) != 0)
			i++;
		if (i < fit->system_count || i == FIT_SYSTEMS_MAX)
			continue;
		fit->systems[fit->system_count++] = system;
		choose_of_system(fit, i, names, name_count, arena, diag);
	}
	for (uint32_t i = 0; i < fit->system_count; i++)
		note_values(fit, i, diag);
	return diag_errors(diag) == 0;
}

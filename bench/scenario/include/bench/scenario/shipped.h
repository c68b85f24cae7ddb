/* Locations of files that come with the program: platforms, scenarios, reference figures. */
#ifndef BENCH_SCENARIO_SHIPPED_H
#define BENCH_SCENARIO_SHIPPED_H

#include <stdbool.h>

/* Returns the folder with platforms/, scenarios/ and bench/reference/. For an installed program,
 * this is share/meshsim beside the program's folder. In a build tree, it is beside the program
 * itself. */
const char *shipped_folder(void);

/* Returns the folder of platforms/NAME.yaml: $MESHSIM_PLATFORMS, or the folder in
 * shipped_folder(). */
const char *platform_directory(void);

/* False, with a message on standard error, if $MESHSIM_PLATFORMS is set and names no folder. */
bool platform_directory_check(void);

/* Returns the path of the file with published figures, with which constants are compared. */
const char *shipped_reference(void);

/* Returns the path of the file with decisions whose outcome was measured on hardware. */
const char *shipped_decisions(void);

/* Returns the path of the file with the model's errors. The errors were computed for figures that
 * were left out of the fit. */
const char *shipped_errors(void);

/* Returns the path of the scenario `name`. If the file `name` exists, or if `name` contains a
 * folder, this is `name` itself. If not, it is the shipped scenario of that name, with or without
 * .yaml. If no shipped scenario has that name, it is `name`. The text is valid until the next
 * call. */
const char *shipped_scenario(const char *name);

#endif

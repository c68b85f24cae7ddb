/* Locations of files that come with the program: platforms, scenarios, reference figures. */
#ifndef BENCH_SCENARIO_SHIPPED_H
#define BENCH_SCENARIO_SHIPPED_H

#include <stdbool.h>

/* Returns the folder that contains platforms/, scenarios/ and bench/reference/. For an installed
 * program, it is "../share/meshsim" relative to the program's folder. For a program in a build
 * tree, it is "share/meshsim" relative to the program's folder. */
const char *shipped_folder(void);

/* Returns the folder of platforms, which contains NAME.yaml for the platform NAME. It is
 * $MESHSIM_PLATFORMS if this is set, and otherwise platforms/ in shipped_folder(). */
const char *platform_directory(void);

/* False, with a message on standard error, if $MESHSIM_PLATFORMS is set and names no folder. */
bool platform_directory_check(void);

/* Returns the path of the file with published figures, with which constants are compared. */
const char *shipped_reference(void);

/* Returns the path of the file with decisions whose outcome was measured on hardware. */
const char *shipped_decisions(void);

/* Returns the path of the file that lists how far simulated figures are from measured figures
 * (bench/reference/errors.yaml). */
const char *shipped_errors(void);

/* Returns the path of the scenario `name`. If the file `name` exists, or if `name` contains a
 * slash, returns `name`. Otherwise returns the path of the shipped scenario with this name, with or
 * without .yaml. If there is no such scenario, returns `name`. The text is valid until the next
 * call. */
const char *shipped_scenario(const char *name);

#endif

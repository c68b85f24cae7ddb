/* Where the files are that come with the program: platforms, scenarios, reference figures. */
#ifndef BENCH_SCENARIO_SHIPPED_H
#define BENCH_SCENARIO_SHIPPED_H

#include <stdbool.h>

/* The folder with platforms/, scenarios/ and bench/reference/: share/meshsim beside the folder
 * that an installed program stands in, or beside the program itself where it was built. */
const char *shipped_folder(void);

/* Where platforms/NAME.yaml are: $MESHSIM_PLATFORMS, or in the folder above. */
const char *platform_directory(void);

/* False, with a message on standard error, if $MESHSIM_PLATFORMS is set and names no folder. */
bool platform_directory_check(void);

/* The published figures that constants are compared with. */
const char *shipped_reference(void);

/* How far the model was off those that were kept out of the fit. */
const char *shipped_errors(void);

/* The file of a scenario: `name` itself if there is such a file or it names a folder; otherwise
 * that of a shipped scenario, with or without .yaml; `name` again if there is none. Good until the
 * next call. */
const char *shipped_scenario(const char *name);

#endif

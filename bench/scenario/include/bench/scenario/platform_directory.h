/* Where the shipped platforms are. */
#ifndef BENCH_PLATFORM_DIRECTORY_H
#define BENCH_PLATFORM_DIRECTORY_H

/* Where platforms/NAME.yaml are: $MESHSIM_PLATFORMS, or beside the build directory of this program,
 * or where it was built. */
const char *platform_directory(void);

#endif

/* SimGrid, loaded when a function of its headers is first called: its 27 libraries take longer to
 * link than most commands run, and only a simulation needs them. A function that is not in
 * functions.def does not link. */
#ifndef SIMGRID_LIBRARY_H
#define SIMGRID_LIBRARY_H

/* Loads SimGrid now, unless it is: before a process forks those that simulate, so that it is linked
 * once for all of them. Where there is no SimGrid, ends the process with a message and exit code
 * 127, as the dynamic loader does; where there is no memory for it, as ensure_memory() does. */
void simgrid_library_load(void);

#endif

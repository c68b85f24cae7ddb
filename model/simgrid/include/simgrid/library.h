/* Loads SimGrid when a function of its headers is first called, because linking its 27 libraries
 * takes longer than most commands run, and only a simulation needs them. A call to a function that
 * is not in functions.def does not link. */
#ifndef SIMGRID_LIBRARY_H
#define SIMGRID_LIBRARY_H

/* Loads SimGrid now, unless it is loaded. Call it before a process forks the processes that
 * simulate, so that SimGrid is linked once for all. If there is no SimGrid, ends the process with a
 * message and exit code 127, as the dynamic loader does. If memory is short, ends the process as
 * ensure_memory() does. */
void simgrid_library_load(void);

#endif

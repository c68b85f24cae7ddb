/* Loads SimGrid when one of its functions is first called. Loading SimGrid's 27 libraries takes
 * longer than most commands run, and only simulations need SimGrid. A program that calls a function
 * of SimGrid which is not in functions.def fails to link. */
#ifndef SIMGRID_LIBRARY_H
#define SIMGRID_LIBRARY_H

/* Loads SimGrid now, unless it is loaded already. Call it before a process forks the processes that
 * simulate, so that SimGrid is loaded once for all of them. If SimGrid cannot be loaded, ends the
 * process with a message and exit code 127, as the dynamic loader does. If memory is short, ends
 * the process like ensure_memory(). */
void simgrid_library_load(void);

#endif

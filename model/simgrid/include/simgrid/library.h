/* Loads SimGrid when one of its functions is called for the first time. It is not loaded earlier,
 * because only simulations need SimGrid, and loading its 27 libraries takes longer than most
 * commands run. A program that calls a function of SimGrid which is not in functions.def cannot be
 * linked. */
#ifndef SIMGRID_LIBRARY_H
#define SIMGRID_LIBRARY_H

/* Loads SimGrid now, unless it is loaded already. A process that forks other processes which
 * simulate should call this first, so that SimGrid is loaded once for all of them. If SimGrid
 * cannot be loaded, ends the process with a message and exit code 127, as the dynamic loader does.
 * If memory is short, ends the process like ensure_memory(). */
void simgrid_library_load(void);

#endif

/* Offset indices of the dispatcher (command/dispatch.h) in the commands of a launch; the preamble
 * of every launch sets all three. */
#ifndef MESH_LAUNCH_OFFSETS_H
#define MESH_LAUNCH_OFFSETS_H

enum {
	LAUNCH_OFFSET_CONFIG = 1, /* configuration in the config ring */
	LAUNCH_OFFSET_KERNEL = 2, /* binaries in the config ring */
	LAUNCH_OFFSET_SLOT = 3,	  /* slot of the launch ring */
};

#endif

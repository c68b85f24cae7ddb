/* Coordinates in commands (spec 2.3, 3.10.3). Virtual coordinates are the numbers of tiles, and the
 * columns and rows of workers. They are equal on chips with different harvested rows, because each
 * NIU translates them to places on the NoC of its chip. Physical coordinates are the places on the
 * NoC: the place of a tile is y * noc_columns + x. A physical rectangle extends from the place of
 * its first worker to the place of its last worker. So chips with different harvested rows need
 * different commands. The functions below translate the tiles and rectangles in commands. They
 * return NOT_FOUND if a place has no tile. */
#ifndef COMMAND_COORDINATES_H
#define COMMAND_COORDINATES_H

#include "command/dispatch.h"
#include "command/prefetch.h"

/* Returns the place of a tile. */
uint16_t tile_to_physical(const struct chip_geometry *geometry, uint16_t tile);

/* Sets *tile to the tile at a place. Returns OK, or NOT_FOUND if the place has no tile. */
enum status tile_to_virtual(const struct chip_geometry *geometry, uint16_t place, uint16_t *tile);

/* Replaces the virtual coordinates in a command by physical coordinates. Does not change the list
 * of targets of a WRITE_PACKED; the caller must translate this list. */
void dispatch_to_physical(const struct chip_geometry *geometry, struct dispatch_command *command);
void prefetch_to_physical(const struct chip_geometry *geometry, struct prefetch_command *command);

/* Replaces the physical coordinates in a command by virtual coordinates. Returns OK or NOT_FOUND.
 * After NOT_FOUND, *command is undefined. */
enum status dispatch_to_virtual(
	const struct chip_geometry *geometry, struct dispatch_command *command);
enum status prefetch_to_virtual(
	const struct chip_geometry *geometry, struct prefetch_command *command);

#endif

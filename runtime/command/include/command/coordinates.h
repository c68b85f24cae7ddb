/* Coordinates in commands (spec 2.3, 3.10.3). Virtual ones are the numbers of tiles and the columns
 * and rows of workers: the same for chips whose harvested rows differ, since each NIU turns them
 * into places. Physical ones are places on the NoC: a tile is y * noc_columns + x, and a rectangle
 * goes from the place of its first worker to that of its last, so differently harvested chips need
 * commands of their own. Translates tiles and rectangles that commands name; refuses places where
 * nothing stands. */
#ifndef COMMAND_COORDINATES_H
#define COMMAND_COORDINATES_H

#include "command/dispatch.h"
#include "command/prefetch.h"

/* The place of a tile. */
uint16_t tile_to_physical(const struct chip_geometry *geometry, uint16_t tile);

/* OK and the tile at a place, or NOT_FOUND. */
enum status tile_to_virtual(const struct chip_geometry *geometry, uint16_t place, uint16_t *tile);

/* Puts physical coordinates in place of the virtual ones of a command. Lists of targets are the
 * caller's. */
void dispatch_to_physical(const struct chip_geometry *geometry, struct dispatch_command *command);
void prefetch_to_physical(const struct chip_geometry *geometry, struct prefetch_command *command);

/* And back: OK, or NOT_FOUND and *command is undefined. */
enum status dispatch_to_virtual(
	const struct chip_geometry *geometry, struct dispatch_command *command);
enum status prefetch_to_virtual(
	const struct chip_geometry *geometry, struct prefetch_command *command);

#endif

/* Turns in which the event loop and the completion reader use the mesh and the channel. A turn is a
 * lock that its holder may keep while it blocks. Threads get the turn in the order in which they
 * ask for it. Without this order, the reader might never get a turn, because the event loop asks
 * again as soon as it has executed a command. */
#include "executor_private.h"

void turn_init(struct turn *turn, const char *what, enum wait_mode wait)
{
	turn->monitor = world->monitor_new(what);
	turn->wait = wait;
}

void turn_fini(struct turn *turn)
{
	world->monitor_free(turn->monitor);
	turn->monitor = NULL;
}

void turn_take(struct turn *turn)
{
	uint32_t own;

	if (turn->monitor == NULL)
		return;
	world->monitor_enter(turn->monitor);
	own = turn->asked++;
	while (turn->served != own)
		world->monitor_wait_until(turn->monitor, DEADLINE_NEVER, turn->wait);
	world->monitor_exit(turn->monitor);
}

void turn_give(struct turn *turn)
{
	if (turn->monitor == NULL)
		return;
	world->monitor_enter(turn->monitor);
	turn->served++;
	turn->announced |= turn->changed;
	turn->changed = false;
	world->monitor_notify_all(turn->monitor);
	world->monitor_exit(turn->monitor);
}

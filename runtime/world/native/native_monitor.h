/* Monitors of the native world, entries of its table. Private to the native rows. */
#ifndef WORLD_NATIVE_NATIVE_MONITOR_H
#define WORLD_NATIVE_NATIVE_MONITOR_H

#include "world/world.h"

struct monitor *native_monitor_new(const char *name);
void native_monitor_free(struct monitor *monitor);
void native_monitor_enter(struct monitor *monitor);
void native_monitor_exit(struct monitor *monitor);
enum status native_monitor_wait_until(
	struct monitor *monitor, int64_t deadline_ns, enum wait_mode mode);
void native_monitor_notify_one(struct monitor *monitor);
void native_monitor_notify_all(struct monitor *monitor);

#endif

/* Remembers which words in the host window (window.h) a thread has polled in vain. This is done
 * only while causes (cause.h) are recorded, and does not change simulated times. */
#include "chip/machine/window.h"

#include "cause/cause.h"
#include "engine/engine.h"

static struct sim_look *look_find(struct sim_looks *looks, uint64_t address)
{
	for (uint32_t i = 0; i < SIM_LOOKS; i++)
		if (looks->at[i].used && looks->at[i].address == address)
			return &looks->at[i];
	return NULL;
}

static void look_forget(struct sim_looks *looks, struct sim_look *look)
{
	cause_release(look->cause);
	*look = (struct sim_look){0};
	looks->count--;
}

void sim_looks_fini(struct sim_looks *looks)
{
	for (uint32_t i = 0; i < SIM_LOOKS; i++)
		if (looks->at[i].used)
			look_forget(looks, &looks->at[i]);
}

void sim_looks_fail(struct sim_looks *looks, uint64_t address, uint32_t value)
{
	struct sim_look *look = look_find(looks, address);

	if (!causes.on)
		return;
	if (look == NULL) {
		look = &looks->at[looks->turn++ % SIM_LOOKS];
		if (look->used)
			look_forget(looks, look);
		looks->count++;
	}
	cause_release(look->cause);
	*look = (struct sim_look){.used = true, .address = address, .value = value};
}

void sim_looks_tell(struct sim_looks *looks, uint64_t address, uint32_t value)
{
	struct sim_look *look = look_find(looks, address);

	if (look != NULL && look->cause == CAUSE_NONE && (int32_t)(value - look->value) >= 0)
		look->cause = cause_now();
}

void sim_looks_find(struct sim_looks *looks, uint64_t address, uint32_t value)
{
	struct sim_look *look = look_find(looks, address);
	cause_id own;

	if (look == NULL)
		return;
	if (look->value == value && look->cause != CAUSE_NONE) {
		own = cause_enter(cause_hold(look->cause));
		cause_clear();
		cause_rest(CHARGE_WAIT_LOOK);
		cause_release(cause_enter(cause_take(engine_now())));
		cause_release(own);
	}
	look_forget(looks, look);
}

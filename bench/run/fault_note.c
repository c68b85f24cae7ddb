/* Keeps the first fault of a run's firmware, for the results (run_world.h). */
#include "run_world.h"

#include <stdio.h>

#include "base/allocate.h"
#include "base/text.h"

struct fault_note {
	uint32_t count; /* atomic */
	bool noted;	/* atomic; true when `text` is complete */
	char text[1024];
};

struct fault_note *fault_note_new(void)
{
	return allocate_shared(sizeof(struct fault_note));
}

bool fault_note_take(struct fault_note *note, const struct firmware_fault *fault)
{
	struct text text = {0};

	if (__atomic_fetch_add(&note->count, 1, __ATOMIC_RELAXED) > 0)
		return false;
	text_printf(&text, "%s of chip %u", fault->stage, fault->chip);
	if (fault->tile != FAULT_ON_HOST)
		text_printf(&text, ", tile %u", fault->tile);
	if (fault->kind == FAULT_PROGRAM)
		text_printf(&text, ", instruction %u", fault->instruction);
	text_printf(&text, ": %s", fault->detail);
	snprintf(note->text, sizeof note->text, "%s", text_string(&text));
	text_fini(&text);
	__atomic_store_n(&note->noted, true, __ATOMIC_RELEASE);
	return true;
}

const char *fault_note_text(const struct fault_note *note)
{
	return __atomic_load_n(&note->noted, __ATOMIC_ACQUIRE) ? note->text : "";
}

/* Writes and reads the messages between a controller and `meshsim executor` (enlist.h). Messages of
 * all kinds have the same layout: numbers in little endian, then the length of the text, the text,
 * and the bytes. */
#include "bench/run/enlist.h"

#include <stdio.h>
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "bench/watcher/watcher.h"

enum {
	HEAD_BYTES = 1 + 3 * 4 + 6 * 8 + ENLIST_NONCE_BYTES + 2,
	PRINT_BYTES = 36,
	FAULT_BYTES = 16,
	LOG_BYTES = 12
};

/* The place in a message at which to write or read next. */
struct enlist_place {
	uint8_t *to;
	const uint8_t *from;
};

static void put(struct enlist_place *place, uint64_t value, int count)
{
	for (int i = 0; i < count; i++)
		*place->to++ = (uint8_t)(value >> 8 * i);
}

static uint64_t take(struct enlist_place *place, int count)
{
	uint64_t value = 0;

	for (int i = 0; i < count; i++)
		value |= (uint64_t)*place->from++ << 8 * i;
	return value;
}

struct span enlist_write(const struct enlist *message)
{
	uint32_t text = (uint32_t)strlen(message->text);
	struct span span = span_of(extent_new(HEAD_BYTES + text + message->length));
	struct enlist_place place = {.to = span.extent->bytes};

	ensure(span.length <= ENLIST_MESSAGE_BYTES_MAX, "a message of %u B", span.length);
	put(&place, message->kind, 1);
	put(&place, message->number, 4);
	put(&place, message->host, 4);
	put(&place, message->run, 4);
	put(&place, message->scenario, 8);
	put(&place, message->identity, 8);
	put(&place, message->session, 8);
	put(&place, (uint64_t)message->sent_ns, 8);
	put(&place, (uint64_t)message->now_ns, 8);
	put(&place, (uint64_t)message->cpu_ns, 8);
	memcpy(place.to, message->nonce, ENLIST_NONCE_BYTES);
	place.to += ENLIST_NONCE_BYTES;
	put(&place, text, 2);
	memcpy(place.to, message->text, text);
	if (message->length > 0)
		memcpy(place.to + text, message->bytes, message->length);
	return span;
}

/* True if a message of this kind may have `length` bytes after its text. */
static bool is_length(enum enlist_kind kind, uint32_t length)
{
	switch (kind) {
	case ENLIST_MARKS:
		return length > 0 && length % ENLIST_MARK_BYTES == 0 &&
		       length / ENLIST_MARK_BYTES <= ENLIST_MARKS_MAX;
	case ENLIST_PRINT:
		return length == PRINT_BYTES;
	case ENLIST_FAULT:
		return length == FAULT_BYTES;
	case ENLIST_LOG:
		return length == LOG_BYTES;
	case ENLIST_SEEN:
		return length == 0 || length == sizeof(struct watched_processor);
	case ENLIST_END:
		return length == sizeof(struct work_counts);
	default:
		return length == 0;
	}
}

/* Returns true if a text has no control characters. Texts are shown on terminals. */
static bool is_plain(const char *text, bool lines)
{
	for (; *text; text++)
		if (((uint8_t)*text < ' ' && !(lines && *text == '\n')) || *text == 0x7f)
			return false;
	return true;
}

static bool has_lines(enum enlist_kind kind)
{
	return kind == ENLIST_FAULT || kind == ENLIST_LOG || kind == ENLIST_END;
}

bool enlist_read(const uint8_t *bytes, uint32_t length, struct enlist *message)
{
	struct enlist_place place = {.from = bytes};
	uint32_t text;

	memset(message, 0, sizeof *message);
	if (length < HEAD_BYTES || length > ENLIST_MESSAGE_BYTES_MAX || bytes[0] == 0 ||
		bytes[0] >= ENLIST_KIND_COUNT)
		return false;
	message->kind = (enum enlist_kind)take(&place, 1);
	message->number = (uint32_t)take(&place, 4);
	message->host = (uint32_t)take(&place, 4);
	message->run = (uint32_t)take(&place, 4);
	message->scenario = take(&place, 8);
	message->identity = take(&place, 8);
	message->session = take(&place, 8);
	message->sent_ns = (int64_t)take(&place, 8);
	message->now_ns = (int64_t)take(&place, 8);
	message->cpu_ns = (int64_t)take(&place, 8);
	memcpy(message->nonce, place.from, ENLIST_NONCE_BYTES);
	place.from += ENLIST_NONCE_BYTES;
	text = (uint32_t)take(&place, 2);
	if (text >= ENLIST_TEXT_BYTES || text > length - HEAD_BYTES ||
		memchr(place.from, '\0', text) != NULL)
		return false;
	memcpy(message->text, place.from, text);
	message->length = length - HEAD_BYTES - text;
	message->bytes = place.from + text;
	return is_length(message->kind, message->length) &&
	       is_plain(message->text, has_lines(message->kind));
}

void enlist_mark_write(const struct enlist_mark *mark, uint8_t bytes[ENLIST_MARK_BYTES])
{
	struct enlist_place place = {.to = bytes};

	put(&place, (uint64_t)mark->time_ps, 8);
	put(&place, mark->operation, 4);
	put(&place, mark->chip, 4);
	put(&place, mark->point, 2);
}

bool enlist_mark_read(const uint8_t bytes[ENLIST_MARK_BYTES], struct enlist_mark *mark)
{
	struct enlist_place place = {.from = bytes};
	uint64_t point;

	mark->time_ps = (int64_t)take(&place, 8);
	mark->operation = (uint32_t)take(&place, 4);
	mark->chip = (uint32_t)take(&place, 4);
	point = take(&place, 2);
	mark->point = (enum mark_point)point;
	return point < MARK_POINT_COUNT;
}

/* ---- prints and faults ---- */

struct span enlist_print(const struct firmware_print *print)
{
	struct enlist message = {.kind = ENLIST_PRINT, .length = PRINT_BYTES};
	uint8_t bytes[PRINT_BYTES];
	struct enlist_place place = {.to = bytes};
	uint32_t real;

	memcpy(&real, &print->real, sizeof real);
	put(&place, (uint64_t)print->at_ps, 8);
	put(&place, print->chip, 4);
	put(&place, print->tile, 2);
	put(&place, print->operation, 4);
	put(&place, print->instruction, 4);
	put(&place, print->number, 4);
	put(&place, print->from, 1);
	put(&place, print->element, 1);
	put(&place, print->value, 4);
	put(&place, real, 4);
	message.bytes = bytes;
	snprintf(message.text, sizeof message.text, "%s", print->processor);
	return enlist_write(&message);
}

bool enlist_is_print(struct enlist *message, struct firmware_print *print)
{
	struct enlist_place place = {.from = message->bytes};
	uint32_t real;

	*print = (struct firmware_print){
		.at_ps = (int64_t)take(&place, 8), .processor = message->text};
	print->chip = (uint32_t)take(&place, 4);
	print->tile = (uint16_t)take(&place, 2);
	print->operation = (uint32_t)take(&place, 4);
	print->instruction = (uint32_t)take(&place, 4);
	print->number = (uint32_t)take(&place, 4);
	print->from = (uint8_t)take(&place, 1);
	real = (uint32_t)take(&place, 1);
	print->element = real == 1;
	if (real > 1)
		return false;
	print->value = (uint32_t)take(&place, 4);
	real = (uint32_t)take(&place, 4);
	memcpy(&print->real, &real, sizeof real);
	return true;
}

struct span enlist_fault(const struct firmware_fault *fault)
{
	struct enlist message = {.kind = ENLIST_FAULT, .length = FAULT_BYTES};
	uint8_t bytes[FAULT_BYTES];
	struct enlist_place place = {.to = bytes};

	put(&place, fault->kind, 4);
	put(&place, fault->chip, 2);
	put(&place, fault->tile, 2);
	put(&place, fault->address, 4);
	put(&place, fault->instruction, 4);
	message.bytes = bytes;
	snprintf(message.text, sizeof message.text, "%s\n%s", fault->stage, fault->detail);
	return enlist_write(&message);
}

bool enlist_is_fault(struct enlist *message, struct firmware_fault *fault)
{
	struct enlist_place place = {.from = message->bytes};
	char *detail = strchr(message->text, '\n');

	*fault = (struct firmware_fault){.kind = (enum fault_kind)take(&place, 4)};
	fault->chip = (uint16_t)take(&place, 2);
	fault->tile = (uint16_t)take(&place, 2);
	fault->address = (uint32_t)take(&place, 4);
	fault->instruction = (uint32_t)take(&place, 4);
	if (detail == NULL || (uint32_t)fault->kind >= FAULT_KIND_COUNT)
		return false;
	*detail = '\0';
	fault->stage = message->text;
	fault->detail = detail + 1;
	return true;
}

/* ---- log lines ---- */

struct span enlist_log(const struct log_line *line)
{
	struct enlist message = {.kind = ENLIST_LOG, .length = LOG_BYTES};
	uint8_t bytes[LOG_BYTES];
	struct enlist_place place = {.to = bytes};

	put(&place, (uint64_t)line->at_ps, 8);
	put(&place, line->host, 2);
	put(&place, line->type, 1);
	put(&place, line->level, 1);
	message.bytes = bytes;
	snprintf(message.text, sizeof message.text, "%s\n%s", line->thread, line->text);
	return enlist_write(&message);
}

bool enlist_is_log(struct enlist *message, struct log_line *line)
{
	struct enlist_place place = {.from = message->bytes};
	char *end = strchr(message->text, '\n');
	uint64_t type, level;

	*line = (struct log_line){.at_ps = (int64_t)take(&place, 8)};
	line->host = (uint16_t)take(&place, 2);
	type = take(&place, 1);
	level = take(&place, 1);
	if (end == NULL || type >= LOG_TYPE_COUNT || level >= LOG_LEVEL_COUNT)
		return false;
	*end = '\0';
	line->type = (enum log_type)type;
	line->level = (enum log_level)level;
	line->thread = message->text;
	line->text = end + 1;
	return true;
}

/* UTF-8 decoding by the table of RFC 3629. */
#include "base/text.h"

unsigned utf8_decode(const char *bytes, size_t length, uint32_t *out)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *at = (const unsigned char *)bytes;
	unsigned size;
	uint32_t point;

	if (length == 0)
		return 0;
	if (at[0] < 0x80) {
		*out = at[0];
		return 1;
	}
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	size = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	if (length < size)
		return 0;
	point = at[0] & (0xffu >> (size + 1));
	for (unsigned i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (at[i] & 0x3f);
	}
	if (point < smallest[size] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		return 0;
	*out = point;
	return size;
}

// SPDX-License-Identifier: Apache-2.0
#include "json_text.h"

/* RFC 3629: no more bytes than are needed, no surrogates, nothing above U+10FFFF. */
size_t rf_utf8_length(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	unsigned char least = bytes[0] == 0xe0 ? 0xa0 : bytes[0] == 0xf0 ? 0x90 : 0x80;
	unsigned char most = bytes[0] == 0xed ? 0x9f : bytes[0] == 0xf4 ? 0x8f : 0xbf;
	size_t i;

	if (length == 1)
		return 1;
	if (bytes[0] < 0xc2 || bytes[0] > 0xf4 || bytes[1] < least || bytes[1] > most)
		return 0;
	for (i = 2; i < length; i++)
		if (bytes[i] < 0x80 || bytes[i] > 0xbf)
			return 0;
	return length;
}

void rf_print_json_string(FILE *file, const char *text)
{
	size_t length;

	fputc('"', file);
	for (; *text; text += length ? length : 1) {
		length = rf_utf8_length(text);
		if (!length)
			fputs("\\ufffd", file);
		else if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if (length == 1 && (*text < 0x20 || *text == 0x7f || *text == '<'))
			fprintf(file, "\\u%04x", *text);
		else
			fwrite(text, 1, length, file);
	}
	fputc('"', file);
}

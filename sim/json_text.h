/* SPDX-License-Identifier: Apache-2.0 */
/* Text as a string of JSON. */
#ifndef RF_JSON_TEXT_H
#define RF_JSON_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * With its quotes. Bytes that are no UTF-8 become U+FFFD. "<" is escaped, so that the string can
 * stand between the tags of an HTML page.
 */
void rf_print_json_string(FILE *file, const char *text);
/* Bytes of the first character, 1 to 4; 0 if it is no UTF-8. */
size_t rf_utf8_length(const char *text);

#endif

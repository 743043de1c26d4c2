// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int rf_parse_number(const char *text, const char *option, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 0);
	if (*text && !*end)
		return 0;
	fprintf(stderr, "ringfence: %s: '%s' is not a number\n", option, text);
	return -EINVAL;
}

static int take_option(const struct rf_option *option, const char *argument)
{
	char name[32];

	snprintf(name, sizeof(name), "--%s", option->name);
	if (option->number)
		return rf_parse_number(argument, name, option->number);
	if (option->text)
		*option->text = argument;
	else
		*option->flag = true;
	return 0;
}

/* What getopt_long() returns for --help; others return their place in the table. */
#define HELP 'h'

static int parse_options(int argc, char **argv, const char *usage, const struct rf_option *options,
			 const struct option *names)
{
	int index = 0, found;

	while ((found = getopt_long(argc, argv, "h", names, &index)) != -1) {
		if (found == HELP) {
			fputs(usage, stdout);
			exit(0);
		}
		if (found || take_option(&options[index], optarg))
			return -EINVAL;
	}
	if (optind == argc)
		return 0;
	fprintf(stderr, "ringfence: unexpected argument '%s'\n", argv[optind]);
	return -EINVAL;
}

int rf_parse_arguments(int argc, char **argv, const char *usage, const struct rf_option *options)
{
	struct option *names;
	size_t count, i;
	int error;

	for (count = 0; options[count].name; count++)
		;
	names = calloc(count + 2, sizeof(*names)); /* and --help, and the end */
	if (!names)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		names[i].name = options[i].name;
		names[i].has_arg = options[i].flag ? no_argument : required_argument;
	}
	names[count] = (struct option){ "help", no_argument, NULL, HELP };
	error = parse_options(argc, argv, usage, options, names);
	free(names);
	if (error)
		fputs(usage, stderr);
	return error;
}

void rf_print_json_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '"' || byte == '\\')
			fprintf(file, "\\%c", byte);
		else if (byte < 0x20)
			fprintf(file, "\\u%04x", byte);
		else
			fputc(byte, file);
	}
	fputc('"', file);
}

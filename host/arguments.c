// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "number.h"
#include "output.h"

int rf_parse_number(const char *text, const char *option, uint64_t *number)
{
	int error = rf_number(text, number);

	if (error)
		fprintf(stderr, "ringfence: %s: '%s' %s\n", option, text,
			error == -ERANGE ? "does not fit 64 bits" : "is not a number");
	return error ? -EINVAL : 0;
}

static int take_number(const struct rf_option *option, const char *name, const char *text)
{
	uint64_t number, most = option->most ? option->most : UINT64_MAX;

	if (rf_parse_number(text, name, &number))
		return -EINVAL;
	if (number < option->least || number > most) {
		fprintf(stderr, "ringfence: %s: '%s' is not from %" PRIu64 " to %" PRIu64 "\n",
			name, text, option->least, most);
		return -EINVAL;
	}
	*option->number = number;
	return 0;
}

static int take_option(const struct rf_option *option, const char *argument)
{
	char name[32];

	snprintf(name, sizeof(name), "--%s", option->name);
	if (option->number)
		return take_number(option, name, argument);
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
			exit(rf_output_end(0));
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

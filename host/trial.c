// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "trial.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_NANOSECONDS 1000000

extern char **environ;

char **rf_trial_command(int *argc, char **argv)
{
	int i;

	for (i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		*argc = i;
		argv[i] = NULL;
		return argv[i + 1] ? &argv[i + 1] : NULL;
	}
	return NULL;
}

/* The last line of @file that is not empty, without control characters. */
static void last_line(FILE *file, char *line, size_t bytes)
{
	char *read = NULL;
	size_t size = 0;
	ssize_t length;
	char *from;

	*line = 0;
	rewind(file);
	while ((length = getline(&read, &size, file)) >= 0) {
		read[strcspn(read, "\n")] = 0;
		if (*read)
			snprintf(line, bytes, "%s", read);
	}
	free(read);
	for (from = line; *from; from++)
		if ((unsigned char)*from < ' ')
			*from = ' ';
}

/* The status of waitpid(), or -1: the time was over, and it was killed. */
static int await(pid_t process, uint64_t seconds)
{
	const struct timespec pause = { .tv_nsec = POLL_NANOSECONDS };
	struct timespec now, begin;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (;;) {
		if (waitpid(process, &status, WNOHANG) == process)
			return status;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if ((uint64_t)(now.tv_sec - begin.tv_sec) >= seconds)
			break;
		nanosleep(&pause, NULL);
	}
	kill(process, SIGKILL);
	waitpid(process, &status, 0);
	return -1;
}

static void tell(int status, uint64_t seconds, FILE *output, char outcome[RF_TRIAL_OUTCOME])
{
	int used;

	if (status == -1) {
		snprintf(outcome, RF_TRIAL_OUTCOME, "no end in %llu s",
			 (unsigned long long)seconds);
	} else if (WIFSIGNALED(status)) {
		snprintf(outcome, RF_TRIAL_OUTCOME, "signal %d: %s", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	} else if (!WEXITSTATUS(status)) {
		strcpy(outcome, RF_TRIAL_OK);
	} else {
		used = snprintf(outcome, RF_TRIAL_OUTCOME, "status %d: ", WEXITSTATUS(status));
		last_line(output, outcome + used, (size_t)(RF_TRIAL_OUTCOME - used));
	}
}

/* This process's variables, with another RINGFENCE_DEVICE; only the array is to be freed. */
static char **environment_with(char *device)
{
	size_t count, kept = 0, i;
	char **result;

	for (count = 0; environ[count]; count++)
		;
	result = calloc(count + 2, sizeof(*result));
	for (i = 0; result && i < count; i++)
		if (strncmp(environ[i], "RINGFENCE_DEVICE=", 17))
			result[kept++] = environ[i];
	if (result)
		result[kept] = device;
	return result;
}

static int start(char **command, char *variable, int output, pid_t *process)
{
	char **environment = environment_with(variable);
	posix_spawn_file_actions_t actions;
	int error;

	if (!environment)
		return ENOMEM;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	error = posix_spawnp(process, command[0], &actions, NULL, command, environment);
	posix_spawn_file_actions_destroy(&actions);
	free(environment);
	return error;
}

int rf_trial_run(char **command, const char *device, uint64_t seconds,
		 char outcome[RF_TRIAL_OUTCOME])
{
	FILE *output = tmpfile();
	char *variable = NULL;
	pid_t process;
	int error = output ? 0 : errno;

	if (!error && asprintf(&variable, "RINGFENCE_DEVICE=%s", device) < 0)
		error = ENOMEM;
	if (!error)
		error = start(command, variable, fileno(output), &process);
	if (error)
		fprintf(stderr, "ringfence: cannot run %s: %s\n", command[0], strerror(error));
	else
		tell(await(process, seconds), seconds, output, outcome);
	free(variable);
	if (output)
		fclose(output);
	return -error;
}

/* So that a shell takes it as it is. */
static void print_quoted(const char *text)
{
	if (*text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"0123456789/.,:=@%+-_")]) {
		fputs(text, stdout);
		return;
	}
	putchar('\'');
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	}
	putchar('\'');
}

void rf_trial_print(char **command, const char *device)
{
	printf("RINGFENCE_DEVICE=");
	print_quoted(device);
	for (; *command; command++) {
		putchar(' ');
		print_quoted(*command);
	}
	printf("\n");
}

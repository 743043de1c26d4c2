// SPDX-License-Identifier: Apache-2.0
/*
 * rf-vfio-user with several devices: a client at each socket, as one QEMU has them. The server is
 * started anew for each test, with --strict: no device may access memory that is not its client's.
 * Arguments: its path, and which tests.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ringfence_hw.h"
#include "vfio_user_client.h"

#define DEVICES 3

/**
 * struct machine - a server and the clients of its devices
 * @devices: each with its socket and its client
 * @count: of @devices
 * @pid: of the server
 * @output: what it prints
 */
struct machine {
	struct server devices[DEVICES];
	unsigned int count;
	char folder[32];
	pid_t pid;
	int output;
};

static const char *program;

/* --- a server for each test ------------------------------------------------------------------ */

static void run_server(const struct machine *machine, const char *device, const char *option)
{
	/* also if a test fails and ends none */
	const int error = prctl(PR_SET_PDEATHSIG, SIGKILL);
	const char *arguments[6 + DEVICES] = { program, "--strict", option, "--device", device };
	unsigned int i;

	for (i = 0; i < machine->count; i++)
		arguments[5 + i] = machine->devices[i].path;
	arguments[5 + i] = NULL;
	if (!error)
		execv(program, (char **)arguments);
	_exit(127);
}

/* Until the server has told of each socket. */
static void await_sockets(struct machine *machine)
{
	unsigned int lines = 0;
	char byte;

	while (lines < machine->count && read(machine->output, &byte, 1) == 1)
		lines += byte == '\n';
	assert_int_equal(lines, machine->count);
}

static struct machine *start_machine(const char *device, unsigned int count, const char *option)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	int output[2];
	unsigned int i;

	strcpy(machine->folder, "/tmp/rf-vfio-user.XXXXXX");
	assert_non_null(mkdtemp(machine->folder));
	machine->count = count;
	for (i = 0; i < count; i++) {
		snprintf(machine->devices[i].path, sizeof(machine->devices[i].path), "%s/socket%u",
			 machine->folder, i);
		machine->devices[i].client = -1;
	}
	assert_int_equal(pipe(output), 0);
	machine->pid = fork();
	if (!machine->pid) {
		dup2(output[1], STDOUT_FILENO);
		run_server(machine, device, option);
	}
	close(output[1]);
	machine->output = output[0];
	await_sockets(machine);
	return machine;
}

static void leave(struct server *device)
{
	close(device->client);
	device->client = -1;
}

static void come(struct server *device)
{
	device->client = connect_client(device->path);
	assert_true(device->client >= 0);
	greet(device);
	enable(device);
}

static struct machine *start(const char *device, unsigned int count)
{
	struct machine *machine = start_machine(device, count, "--strict");
	unsigned int i;

	for (i = 0; i < count; i++)
		come(&machine->devices[i]);
	return machine;
}

static void free_machine(struct machine *machine, int status)
{
	unsigned int i;

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	for (i = 0; i < machine->count; i++) {
		assert_int_equal(access(machine->devices[i].path, F_OK), -1);
		if (machine->devices[i].client >= 0)
			close(machine->devices[i].client);
	}
	rmdir(machine->folder);
	close(machine->output);
	free(machine);
}

/* The server ends well when it is told to: no rule broken, the sockets gone. */
static void end(struct machine *machine)
{
	kill(machine->pid, SIGTERM);
	free_machine(machine, wait_for_end(machine->pid));
}

/* --- work ---------------------------------------------------------------------------------- */

/* Memory of a client, with a queue that copies within @fence and signals there, again and again. */
struct work {
	int memory, fence;
	uint8_t bytes[COPY_BYTES];
	uint64_t submitted;
};

static void prepare(struct work *work, struct server *device, uint8_t byte)
{
	work->memory = memfd_create("memory", MFD_CLOEXEC);
	work->fence = memfd_create("fence", MFD_CLOEXEC);
	work->submitted = 0;
	fill_memory(work->memory);
	memset(work->bytes, byte, sizeof(work->bytes));
	assert_int_equal(ftruncate(work->fence, FENCE_BYTES), 0);
	assert_int_equal(pwrite(work->fence, work->bytes, sizeof(work->bytes), 0x1000), COPY_BYTES);
	assert_int_equal(map_file(device, MAP_ADDRESS, MAP_BYTES, 0, 3, &work->memory, 1), 0);
	assert_int_equal(map_file(device, FENCE_ADDRESS, FENCE_BYTES, 0, 3, &work->fence, 1), 0);
}

/* The same commands, but for the value that they signal: the number of the submission. */
static void submit_again(struct work *work, struct server *device)
{
	const off_t place = COMMANDS_PAGE + 64 * (off_t)work->submitted;
	struct rf_ring_entry entry = { .address = VIRTUAL(MAP_ADDRESS + (uint64_t)place),
				       .size = 64 };
	const off_t slot = RING_PAGE + (off_t)(work->submitted++ * sizeof(entry));
	uint64_t commands[8];

	assert_int_equal(pread(work->memory, commands, 64, COMMANDS_PAGE), 64);
	commands[6] = work->submitted;
	assert_int_equal(pwrite(work->memory, commands, 64, place), 64);
	assert_int_equal(pwrite(work->memory, &entry, sizeof(entry), slot), sizeof(entry));
	register_write(device, RF_DOORBELL_BASE, work->submitted);
}

static void submit(struct work *work, struct server *device)
{
	if (work->submitted) {
		submit_again(work, device);
	} else {
		start_queue(device);
		work->submitted = 1;
	}
}

/* Until all that was submitted is done. */
static void finish(struct work *work, struct server *device)
{
	uint8_t copied[COPY_BYTES];
	unsigned int waited;
	uint64_t value = 0;

	for (waited = 0; value != work->submitted && waited < PATIENCE; waited++) {
		assert_int_equal(register_read(device, RF_REG_SLOT_STATUS(0)) &
					 RF_SLOT_STATUS_ERROR_MASK,
				 0);
		assert_int_equal(pread(work->fence, &value, sizeof(value), 0), sizeof(value));
		usleep(1000);
	}
	assert_int_equal(value, work->submitted);
	assert_int_equal(pread(work->fence, copied, sizeof(copied), 0x2000), COPY_BYTES);
	assert_memory_equal(copied, work->bytes, COPY_BYTES);
}

static void do_work(struct work *work, struct server *device)
{
	submit(work, device);
	finish(work, device);
}

static void forget(struct work *work)
{
	close(work->memory);
	close(work->fence);
}

/* Its vector 0 becomes this eventfd. */
static int hear(struct server *device)
{
	int event = eventfd(0, EFD_CLOEXEC);

	enable_msix(device);
	listen_to(device, 0, event);
	return event;
}

static void raise_interrupt(struct server *device)
{
	register_write(device, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	register_read(device, RF_REG_DEVICE_SCRATCH);
}

/* --- tests ---------------------------------------------------------------------------------- */

static void check_that_each_is_its_own(const char *string, unsigned int count)
{
	struct machine *machine = start(string, count);
	int events[DEVICES];
	unsigned int i, k;

	for (i = 0; i < count; i++) {
		events[i] = hear(&machine->devices[i]);
		register_write(&machine->devices[i], RF_REG_DEVICE_SCRATCH, 100 + i);
	}
	for (i = 0; i < count; i++) {
		assert_int_equal(register_read(&machine->devices[i], RF_REG_DEVICE_SCRATCH),
				 100 + i);
		raise_interrupt(&machine->devices[i]);
		assert_true(signalled(events[i], PATIENCE));
		for (k = 0; k < count; k++)
			assert_false(signalled(events[k], 0));
	}
	for (i = 0; i < count; i++)
		close(events[i]);
	end(machine);
}

static void registers_and_interrupts_are_of_each(void **state)
{
	(void)state;
	check_that_each_is_its_own("sim:devices=2", 2);
	check_that_each_is_its_own("sim:seed=7,random,devices=3", 3);
}

/* Cycles that run for one device are cycles of the other, from the first one on. */
static void the_clock_is_one(void **state)
{
	struct machine *machine = start("sim:devices=2", 2);
	struct server *first = &machine->devices[0], *second = &machine->devices[1];
	uint64_t before, between, after;
	unsigned int i;

	(void)state;
	for (i = 0; i < 100; i++)
		register_read(first, RF_REG_DEVICE_SCRATCH);
	before = register_read(first, RF_REG_DEVICE_TIMESTAMP);
	between = register_read(second, RF_REG_DEVICE_TIMESTAMP);
	after = register_read(first, RF_REG_DEVICE_TIMESTAMP);
	assert_in_range(between, before + 1, after - 1);
	end(machine);
}

/* Both work at the same time, at the same addresses of different memory. */
static void memory_is_that_of_the_client(void **state)
{
	struct machine *machine = start("sim:seed=3,random,devices=2", 2);
	struct server *first = &machine->devices[0], *second = &machine->devices[1];
	struct work of_first, of_second;

	(void)state;
	prepare(&of_first, first, 0x11);
	prepare(&of_second, second, 0x22);
	submit(&of_first, first);
	submit(&of_second, second);
	finish(&of_second, second);
	finish(&of_first, first);
	forget(&of_first);
	forget(&of_second);
	end(machine);
}

/* What one client has mapped is not there for the device of the other. */
static void memory_of_another_client_is_not_reached(void **state)
{
	struct machine *machine = start("sim:devices=2", 2);
	struct work work;
	int status;

	(void)state;
	prepare(&work, &machine->devices[0], 0x33);
	start_queue(&machine->devices[1]);
	assert_int_not_equal(outcome(&machine->devices[1], work.fence), 0);
	do_work(&work, &machine->devices[0]);
	forget(&work);
	/* which --strict reports */
	kill(machine->pid, SIGTERM);
	status = wait_for_end(machine->pid);
	assert_int_equal(WEXITSTATUS(status), 1);
	free_machine(machine, 0);
}

static void check_that_it_is_new(struct server *device, int old_event)
{
	uint64_t found = ~0ull;
	struct work work;

	assert_int_equal(register_read(device, RF_REG_DEVICE_SCRATCH), 0);
	assert_int_equal(region_read(device, 2, 0x1000, &found, sizeof(found)), 0);
	assert_int_equal(found, 0);
	enable_msix(device);
	raise_interrupt(device);
	assert_false(signalled(old_event, 0));
	prepare(&work, device, 0x44);
	do_work(&work, device);
	forget(&work);
}

/* A device that comes back is new, and the other one has not noticed. */
static void one_goes_and_comes_back(void **state)
{
	const uint64_t secret = 0x5ec2e7;
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct machine *machine = start("sim:seed=5,random,devices=2", 2);
		struct server *stays = &machine->devices[!i], *goes = &machine->devices[i];
		int heard = hear(stays), old = hear(goes);
		struct work work;
		uint64_t time;

		prepare(&work, stays, 0x55);
		do_work(&work, stays);
		register_write(stays, RF_REG_DEVICE_SCRATCH, 5);
		register_write(goes, RF_REG_DEVICE_SCRATCH, 9);
		assert_int_equal(region_write(goes, 2, 0x1000, &secret, sizeof(secret)), 0);
		time = register_read(stays, RF_REG_DEVICE_TIMESTAMP);
		leave(goes);
		do_work(&work, stays);
		come(goes);
		check_that_it_is_new(goes, old);
		assert_int_equal(register_read(stays, RF_REG_DEVICE_SCRATCH), 5);
		assert_true(register_read(stays, RF_REG_DEVICE_TIMESTAMP) > time);
		raise_interrupt(stays);
		assert_true(signalled(heard, PATIENCE));
		do_work(&work, stays);
		forget(&work);
		close(heard);
		close(old);
		end(machine);
	}
}

/* It has reads under way: what comes for them is nobody's, and its memory is not touched any more. */
static void one_goes_in_the_middle_of_its_work(void **state)
{
	struct machine *machine = start("sim:devices=2,read-latency=3000", 2);
	struct server *stays = &machine->devices[0], *goes = &machine->devices[1];
	struct work goes_on, work;
	unsigned int i;

	(void)state;
	prepare(&goes_on, stays, 0x66);
	for (i = 0; i < 5; i++) {
		prepare(&work, goes, 0x77);
		submit(&work, goes);
		leave(goes);
		forget(&work);
		do_work(&goes_on, stays);
		come(goes);
	}
	prepare(&work, goes, 0x88);
	do_work(&work, goes);
	forget(&work);
	forget(&goes_on);
	end(machine);
}

static void the_world_is_new_when_all_have_gone(void **state)
{
	struct machine *machine = start("sim:devices=2", 2);
	struct server *first = &machine->devices[0], *second = &machine->devices[1];
	struct work work;
	uint64_t time;

	(void)state;
	prepare(&work, first, 0x99);
	register_write(first, RF_REG_DEVICE_SCRATCH, 1);
	register_write(second, RF_REG_DEVICE_SCRATCH, 2);
	do_work(&work, first);
	time = register_read(second, RF_REG_DEVICE_TIMESTAMP);
	leave(first);
	leave(second);
	come(second);
	come(first);
	assert_int_equal(register_read(first, RF_REG_DEVICE_SCRATCH), 0);
	assert_int_equal(register_read(second, RF_REG_DEVICE_SCRATCH), 0);
	assert_true(register_read(first, RF_REG_DEVICE_TIMESTAMP) < time);
	forget(&work);
	end(machine);
}

/* As the device string has it: the first device loses its first MSI, the second one none. */
static void faults_are_of_the_first(void **state)
{
	struct machine *machine = start("sim:devices=2,fault=lose-msi@1", 2);
	struct server *first = &machine->devices[0], *second = &machine->devices[1];
	int of_first = hear(first), of_second = hear(second);

	(void)state;
	raise_interrupt(second);
	assert_true(signalled(of_second, PATIENCE));
	raise_interrupt(first);
	assert_false(signalled(of_first, 0));
	raise_interrupt(first);
	assert_true(signalled(of_first, PATIENCE));
	close(of_first);
	close(of_second);
	end(machine);
}

/* Each device has a link of its own, with errors on it; one that comes back has trained a new one. */
static void each_is_behind_a_link(void **state)
{
	struct machine *machine = start("sim:link=gen1x1,link-errors=2000,devices=2", 2);
	struct server *stays = &machine->devices[0], *goes = &machine->devices[1];
	int heard = hear(stays), old = hear(goes);
	struct work of_first, of_second;

	(void)state;
	prepare(&of_first, stays, 0xcc);
	prepare(&of_second, goes, 0xdd);
	submit(&of_first, stays);
	submit(&of_second, goes);
	finish(&of_second, goes);
	finish(&of_first, stays);
	raise_interrupt(stays);
	assert_true(signalled(heard, PATIENCE));
	assert_false(signalled(old, 0));
	leave(goes);
	do_work(&of_first, stays);
	come(goes);
	check_that_it_is_new(goes, old);
	do_work(&of_first, stays);
	forget(&of_first);
	forget(&of_second);
	close(heard);
	close(old);
	end(machine);
}

/* With --once: not after the first client, but after the last. */
static void once_ends_with_the_last(void **state)
{
	struct machine *machine = start_machine("sim:devices=2", 2, "--once");
	struct server *first = &machine->devices[0], *second = &machine->devices[1];
	struct work of_first, of_second;

	(void)state;
	come(first);
	come(second);
	prepare(&of_second, second, 0xaa);
	leave(first);
	do_work(&of_second, second);
	come(first);
	prepare(&of_first, first, 0xbb);
	leave(second);
	do_work(&of_first, first);
	leave(first);
	forget(&of_first);
	forget(&of_second);
	free_machine(machine, wait_for_end(machine->pid));
}

/* Refused with status 2 and a line that has @said, before there is a socket. */
static void check_refusal(const char *device, unsigned int sockets, const char *said)
{
	struct machine machine = { .count = sockets };
	char line[300] = "";
	int errors[2], status;
	unsigned int i;

	strcpy(machine.folder, "/tmp/rf-vfio-user.XXXXXX");
	assert_non_null(mkdtemp(machine.folder));
	for (i = 0; i < sockets; i++)
		snprintf(machine.devices[i].path, sizeof(machine.devices[i].path), "%s/%u",
			 machine.folder, i);
	assert_int_equal(pipe(errors), 0);
	machine.pid = fork();
	if (!machine.pid) {
		dup2(errors[1], STDERR_FILENO);
		run_server(&machine, device, "--once");
	}
	close(errors[1]);
	assert_true(read(errors[0], line, sizeof(line) - 1) > 0);
	close(errors[0]);
	status = wait_for_end(machine.pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	if (!strstr(line, said))
		fail_msg("%s", line);
	assert_int_equal(rmdir(machine.folder), 0);
}

static void each_device_has_a_socket(void **state)
{
	(void)state;
	check_refusal("sim:devices=2", 1, "sim:devices=2 is 2 devices: one SOCKET for each");
	check_refusal("sim:devices=2", 3, "not 3");
	check_refusal("sim:devices=3", 2, "is 3 devices");
	check_refusal("sim:", 2, "sim: is 1 device:");
	check_refusal("sim:", 0, "not 0");
	check_refusal("sim:devices=2,device=1", 2, "'device=1': a server has all devices");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_and_interrupts_are_of_each),
		cmocka_unit_test(the_clock_is_one),
		cmocka_unit_test(memory_is_that_of_the_client),
		cmocka_unit_test(memory_of_another_client_is_not_reached),
		cmocka_unit_test(one_goes_and_comes_back),
		cmocka_unit_test(one_goes_in_the_middle_of_its_work),
		cmocka_unit_test(the_world_is_new_when_all_have_gone),
		cmocka_unit_test(faults_are_of_the_first),
		cmocka_unit_test(each_is_behind_a_link),
		cmocka_unit_test(once_ends_with_the_last),
		cmocka_unit_test(each_device_has_a_socket),
	};

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: %s RF-VFIO-USER [FILTER]\n", argv[0]);
		return 2;
	}
	program = argv[1];
	signal(SIGPIPE, SIG_IGN);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (argc == 3)
		cmocka_set_test_filter(argv[2]);
	return cmocka_run_group_tests_name("vfio_user_devices", tests, NULL, NULL);
}

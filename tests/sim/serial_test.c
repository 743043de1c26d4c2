// SPDX-License-Identifier: Apache-2.0
/*
 * A board at the end of a serial line: the Verilated rf_board on a pseudo-terminal, and
 * the root complex and host memory of the library serving it. On a good line and on one
 * that loses, breaks and invents bytes; at the smallest divider and at that of a board.
 *
 * Arguments: build/rf-serial-board build/rf-serial-board-1mbaud
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../time_scale.h"
#include "rfsim.h"
#include "ringfence_hw.h"
#include "serial_link.h"

/* In host memory, which the device sees as one page of 1 GiB. */
#define BUS 0x100000000ull
#define VA 0x40000000ull
#define ROOT 0x0000
#define RING 0x1000
#define COMMANDS 0x2000
#define FENCE 0x3000
#define MONITORED 0x3008
#define INTERRUPTS 0x4000
#define SOURCE 0x5000
#define TARGET 0x8000
#define HOST_BYTES 0x10000

#define INTERRUPT_ENTRIES_LOG2 7

static const char *board_program, *real_board_program;

struct bench {
	pid_t board;
	int output; /* what the board says at its end */
	unsigned int lost, flipped; /* bytes, as it said */
	char directory[32], line[64];
	struct rfsim_world *world;
	struct rfsim_device *device;
	uint64_t *memory;
	uint64_t entries, command_words;
	unsigned int interrupts;
	struct timespec start;
};

/* --- the board ------------------------------------------------------------- */

/* Its link is there, and a tty is behind it. */
static bool board_is_there(const struct bench *bench)
{
	int file = open(bench->line, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (file >= 0)
		close(file);
	return file >= 0;
}

static void board_start_at(struct bench *bench, const char *program, const char *faults,
			   const char *directory)
{
	int ends[2];
	unsigned int i;

	strcpy(bench->directory, directory);
	snprintf(bench->line, sizeof(bench->line), "%s/line", bench->directory);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	bench->board = fork();
	if (!bench->board) {
		dup2(ends[1], STDOUT_FILENO);
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* a test that fails leaves none */
		execl(program, program, "--drop", faults, "--flip", faults, "--garbage", faults,
		      bench->line, NULL);
		_exit(127);
	}
	close(ends[1]);
	bench->output = ends[0];
	for (i = 0; !board_is_there(bench) && i < time_limit(1000); i++)
		usleep(10000);
	assert_true(board_is_there(bench));
}

static void board_start(struct bench *bench, const char *program, const char *faults)
{
	char directory[] = "/tmp/rf-serial-XXXXXX";

	assert_non_null(mkdtemp(directory));
	board_start_at(bench, program, faults, directory);
}

/* Bytes that the line lost, broke or invented. */
static unsigned int board_end(struct bench *bench)
{
	unsigned int garbage;
	char said[200] = "";

	kill(bench->board, SIGTERM);
	assert_int_equal(waitpid(bench->board, NULL, 0), bench->board);
	assert_true(read(bench->output, said, sizeof(said) - 1) > 0);
	assert_int_equal(sscanf(said, "%u bytes lost, %u flipped, garbage before %u", &bench->lost,
				&bench->flipped, &garbage),
			 3);
	close(bench->output);
	rmdir(bench->directory);
	return bench->lost + bench->flipped + garbage;
}

/* --- the host ---------------------------------------------------------------- */

static void on_interrupt(void *context, struct rfsim_device *device, uint32_t data)
{
	(void)device;
	assert_int_equal(data, 0);
	((struct bench *)context)->interrupts++;
}

static void write_register(struct bench *bench, uint64_t offset, uint64_t value)
{
	assert_int_equal(rfsim_bar_write(bench->device, 0, offset, &value, 8), 0);
}

static uint64_t read_register(struct bench *bench, uint64_t offset)
{
	uint64_t value;

	assert_int_equal(rfsim_bar_read(bench->device, 0, offset, &value, 8), 0);
	return value;
}

static uint64_t leaf(uint64_t physical)
{
	return physical >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT | RF_PAGE_TABLE_ENTRY_VALID_MASK |
	       RF_PAGE_TABLE_ENTRY_READ_MASK | RF_PAGE_TABLE_ENTRY_WRITE_MASK |
	       RF_PAGE_TABLE_ENTRY_ACCESSED_MASK | RF_PAGE_TABLE_ENTRY_DIRTY_MASK;
}

/* The link, enumeration, a queue in slot 0, the interrupt ring. */
static void bench_open(struct bench *bench)
{
	struct rfsim_bar bar;
	unsigned int vmid;
	uint32_t id;

	clock_gettime(CLOCK_MONOTONIC, &bench->start);
	assert_int_equal(rfsim_world_create(NULL, &bench->world), 0);
	bench->memory = aligned_alloc(4096, HOST_BYTES);
	memset(bench->memory, 0, HOST_BYTES);
	assert_int_equal(rfsim_memory_register_at(bench->world, bench->memory, HOST_BYTES, BUS), 0);
	assert_int_equal(rfsim_device_open_serial(bench->world, bench->line, &bench->device), 0);
	rfsim_interrupt_callback(bench->device, on_interrupt, bench);
	assert_int_equal(rfsim_enumerate(bench->device), 0);
	assert_int_equal(rfsim_config_read(bench->device, 0, 4, &id), 0);
	assert_int_equal(id, RF_DEVICE_ID << 16 | RF_VENDOR_ID);
	assert_int_equal(rfsim_bar(bench->device, 2, &bar), 0);
	assert_int_equal(bar.bytes, 1 << 16);
	assert_int_equal(rfsim_msix_enable(bench->device), RF_MSIX_VECTORS);

	/* A line as slow as this delays completions as no PCIe link does. */
	write_register(bench, RF_REG_DEVICE_COMPLETION_TIMEOUT, 0x7fffffff);
	bench->memory[(ROOT + 8 * (VA >> 30)) / 8] = leaf(BUS);
	for (vmid = 0; vmid < 2; vmid++)
		write_register(bench, RF_REG_TRANSLATION_ROOT(vmid),
			       (BUS + ROOT) | RF_TRANSLATION_ROOT_VALID_MASK);
	write_register(bench, RF_REG_INTERRUPT_RING_BASE, VA + INTERRUPTS);
	write_register(bench, RF_REG_INTERRUPT_CONTROL,
		       RF_INTERRUPT_CONTROL_ENABLE_MASK |
			       INTERRUPT_ENTRIES_LOG2 << RF_INTERRUPT_CONTROL_ENTRIES_LOG2_SHIFT);
	write_register(bench, RF_REG_SLOT_RING_BASE(0), VA + RING);
	write_register(bench, RF_REG_SLOT_CONFIG(0),
		       4 | 1ull << RF_SLOT_CONFIG_VMID_SHIFT |
			       (uint64_t)RF_NODE_COPY << RF_SLOT_CONFIG_NODE_SHIFT);
	write_register(bench, RF_REG_SLOT_POINTERS(0), 0);
	write_register(bench, RF_REG_DOORBELL_BIND(0),
		       RF_DOORBELL_BIND_BOUND_MASK | RF_DOORBELL_BIND_RESIDENT_MASK);
	write_register(bench, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_ENABLE_MASK);
}

static void bench_close(struct bench *bench)
{
	const char *verdict = rfsim_world_check(bench->world);
	struct timespec now;

	if (verdict)
		fail_msg("%s", verdict);
	clock_gettime(CLOCK_MONOTONIC, &now);
	print_message("# %.1f s\n", now.tv_sec - bench->start.tv_sec +
					    (now.tv_nsec - bench->start.tv_nsec) / 1e9);
	rfsim_world_destroy(bench->world);
	free(bench->memory);
	bench->entries = bench->command_words = bench->interrupts = 0;
}

static void submit(struct bench *bench, const uint64_t *words, unsigned int count)
{
	uint64_t at = COMMANDS / 8 + bench->command_words;
	struct rf_ring_entry *entry =
		(struct rf_ring_entry *)(bench->memory + RING / 8) + bench->entries % 16;

	memcpy(bench->memory + at, words, 8 * count);
	*entry = (struct rf_ring_entry){ .address = VA + 8 * at, .size = 8 * count };
	bench->command_words += count;
	bench->entries++;
	write_register(bench, RF_DOORBELL_BASE, bench->entries);
}

struct fence_wait {
	struct bench *bench;
	unsigned int interrupts;
};

static bool interrupted(void *context)
{
	struct fence_wait *wait = context;

	return wait->bench->interrupts == wait->interrupts;
}

/* Memory is not read before the interrupt. */
static void wait_for_fence(struct bench *bench, uint64_t value)
{
	struct fence_wait wait = { bench, value };
	struct rf_interrupt_record *record =
		(struct rf_interrupt_record *)(bench->memory + INTERRUPTS / 8) + value - 1;

	if (rfsim_wait(bench->world, interrupted, &wait, 4000000, time_limit(60000)))
		fail_msg("no interrupt; slot status 0x%llx",
			 (unsigned long long)read_register(bench, RF_REG_SLOT_STATUS(0)));
	assert_int_equal(bench->memory[FENCE / 8], value);
	assert_int_equal(record->kind, RF_RECORD_KIND_FENCE_SIGNALED);
	assert_int_equal(record->address, VA + FENCE);
	assert_int_equal(record->value, value);
	write_register(bench, RF_REG_INTERRUPT_CONSUMER, value);
}

#define SIGNAL(value) \
	RF_OPCODE_SIGNAL | 4 << RF_PACKET_HEADER_WORDS_SHIFT, VA + FENCE, value, VA + MONITORED

static void first_fence(struct bench *bench)
{
	const uint64_t commands[] = { SIGNAL(1) };

	submit(bench, commands, 4);
	wait_for_fence(bench, 1);
}

static void copy(struct bench *bench, uint64_t value, uint64_t bytes)
{
	const uint64_t commands[] = {
		RF_OPCODE_COPY | 4 << RF_PACKET_HEADER_WORDS_SHIFT,
		VA + TARGET + 5,
		VA + SOURCE + 3,
		bytes,
		SIGNAL(value),
	};
	uint8_t *source = (uint8_t *)(bench->memory + SOURCE / 8) + 3;
	uint8_t *target = (uint8_t *)(bench->memory + TARGET / 8) + 5;
	uint64_t i;

	for (i = 0; i < bytes; i++)
		source[i] = rand();
	submit(bench, commands, 8);
	wait_for_fence(bench, value);
	assert_memory_equal(target, source, bytes);
	assert_int_equal(target[-1] | target[bytes], 0);
}

/* --- tests --------------------------------------------------------------------- */

static void enumeration_fence_and_copy(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	board_start(&bench, board_program, "0");
	bench_open(&bench);
	first_fence(&bench);
	copy(&bench, 2, 2000);
	bench_close(&bench);
	assert_int_equal(board_end(&bench), 0);
}

/* Every opening of the line resets the device. */
static void the_next_host_finds_a_device_that_was_reset(void **state)
{
	struct bench bench = { 0 };
	unsigned int i;

	(void)state;
	board_start(&bench, board_program, "0");
	for (i = 0; i < 3; i++) {
		bench_open(&bench);
		assert_int_equal(read_register(&bench, RF_REG_DEVICE_SCRATCH), 0);
		write_register(&bench, RF_REG_DEVICE_SCRATCH, 0x1234);
		assert_int_equal(read_register(&bench, RF_REG_DEVICE_SCRATCH), 0x1234);
		first_fence(&bench);
		bench_close(&bench);
	}
	board_end(&bench);
}

static void bytes_lost_flipped_and_invented(void **state)
{
	struct bench bench = { 0 };
	uint64_t value;

	(void)state;
	board_start(&bench, board_program, "1000");
	bench_open(&bench);
	first_fence(&bench);
	for (value = 2; value < 6; value++)
		copy(&bench, value, 1000);
	bench_close(&bench);
	assert_in_range(board_end(&bench), 10, 100000);
}

static void idle_is_known(void **state)
{
	struct bench bench = { 0 };
	struct fence_wait never = { &bench, 99 };

	(void)state;
	board_start(&bench, board_program, "0");
	bench_open(&bench);
	first_fence(&bench);
	/* Returns at once when idle, or else after four minutes. */
	assert_int_equal(rfsim_wait(bench.world, interrupted, &never, UINT64_MAX, 0), -ETIMEDOUT);
	assert_true(rfsim_idle(bench.world));
	bench_close(&bench);
	board_end(&bench);
}

static void without_a_board_the_link_is_down(void **state)
{
	struct bench bench = { 0 };
	struct rfsim_device *device;
	uint64_t value = 0;

	(void)state;
	board_start(&bench, board_program, "0");
	bench_open(&bench);
	first_fence(&bench);
	board_end(&bench);
	assert_int_equal(rfsim_bar_read(bench.device, 0, RF_REG_DEVICE_SCRATCH, &value, 8),
			 -ENOLINK);
	assert_true(value == UINT64_MAX);
	assert_int_equal(rfsim_device_open_serial(bench.world, bench.line, &device), -ENOENT);
	assert_int_equal(rfsim_device_open_serial(bench.world, "/dev/null", &device), -ENOTTY);
	assert_int_equal(rfsim_trace(bench.device, "/tmp/none"), -EOPNOTSUPP);
	bench_close(&bench);
}

/* The second host is refused before it has sent or taken a byte. */
static void a_line_has_one_host(void **state)
{
	struct bench bench = { 0 };
	struct rfsim_device *second;
	struct rfsim_world *world;
	unsigned int i;

	(void)state;
	board_start(&bench, board_program, "0");
	bench_open(&bench);
	assert_int_equal(rfsim_world_create(NULL, &world), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(rfsim_device_open_serial(world, bench.line, &second), -EBUSY);
	first_fence(&bench);
	copy(&bench, 2, 200);
	bench_close(&bench);
	assert_int_equal(board_end(&bench), 0);
	rfsim_world_destroy(world);
}

/* Also one that does not ask us: screen, picocom and the like. */
static void a_line_that_another_program_has_is_busy(void **state)
{
	struct bench bench = { 0 };
	struct rfsim_device *device;
	struct rfsim_world *world;
	int file;

	(void)state;
	board_start(&bench, board_program, "0");
	assert_int_equal(rfsim_world_create(NULL, &world), 0);
	file = open(bench.line, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_int_equal(flock(file, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(rfsim_device_open_serial(world, bench.line, &device), -EBUSY);
	assert_int_equal(flock(file, LOCK_UN), 0);
	assert_int_equal(ioctl(file, TIOCEXCL), 0);
	assert_int_equal(rfsim_device_open_serial(world, bench.line, &device), -EBUSY);
	assert_int_equal(ioctl(file, TIOCNXCL), 0);
	close(file);
	rfsim_world_destroy(world);
	bench_open(&bench);
	first_fence(&bench);
	bench_close(&bench);
	board_end(&bench);
}

/* The status of a board that is asked to have a link which it must not take. */
static int refused_board(const char *link)
{
	unsigned int waited;
	pid_t board = fork();
	int status;

	if (!board) {
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(board_program, board_program, link, NULL);
		_exit(127);
	}
	for (waited = 0; waited < time_limit(1000); waited++) {
		if (waitpid(board, &status, WNOHANG) == board)
			return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		usleep(10000);
	}
	kill(board, SIGTERM);
	waitpid(board, &status, 0);
	return -1;
}

static void a_line_has_one_board(void **state)
{
	struct bench bench = { 0 };
	char other[64], before[64] = "", after[64] = "";
	struct stat status;

	(void)state;
	board_start(&bench, board_program, "0");
	assert_true(readlink(bench.line, before, sizeof(before) - 1) > 0);
	assert_int_equal(refused_board(bench.line), 1);
	assert_true(readlink(bench.line, after, sizeof(after) - 1) > 0);
	assert_string_equal(before, after);
	/* nothing that is no link of a board is replaced */
	snprintf(other, sizeof(other), "%s/other", bench.directory);
	close(open(other, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	assert_int_equal(refused_board(other), 1);
	assert_int_equal(lstat(other, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	unlink(other);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_int_equal(refused_board(other), 1);
	assert_int_equal(lstat(other, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	unlink(other);
	assert_int_equal(symlink("/dev/null", other), 0);
	assert_int_equal(refused_board(other), 1);
	assert_int_equal(lstat(other, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	unlink(other);
	bench_open(&bench);
	first_fence(&bench);
	bench_close(&bench);
	board_end(&bench);
}

/* A link that a killed board left is replaced. */
static void the_link_of_a_killed_board_is_taken(void **state)
{
	struct bench bench = { 0 }, killed = { 0 };

	(void)state;
	board_start(&killed, board_program, "0");
	kill(killed.board, SIGKILL);
	assert_int_equal(waitpid(killed.board, NULL, 0), killed.board);
	close(killed.output);
	board_start_at(&bench, board_program, "0", killed.directory);
	bench_open(&bench);
	first_fence(&bench);
	bench_close(&bench);
	board_end(&bench);
}

static void enumeration_and_fence_at_the_real_divider(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	board_start(&bench, real_board_program, "0");
	bench_open(&bench);
	first_fence(&bench);
	bench_close(&bench);
	board_end(&bench);
}

/* --- minutes each: a bit takes 125 cycles ---------------------------------------- */

static void enumeration_fence_and_copy_at_the_real_divider(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	board_start(&bench, real_board_program, "0");
	bench_open(&bench);
	first_fence(&bench);
	copy(&bench, 2, 600);
	bench_close(&bench);
	assert_int_equal(board_end(&bench), 0);
}

static void bytes_lost_and_flipped_at_the_real_divider(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	board_start(&bench, real_board_program, "3000");
	bench_open(&bench);
	first_fence(&bench);
	copy(&bench, 2, 600);
	bench_close(&bench);
	board_end(&bench);
	assert_in_range(bench.lost, 3, 100000);
	assert_in_range(bench.flipped, 3, 100000);
}

int main(int argc, char **argv)
{
#define TEST(function)                                          \
	{                                                       \
		"serial." #function, function, NULL, NULL, NULL \
	}
	const struct CMUnitTest tests[] = {
		TEST(enumeration_fence_and_copy),
		TEST(the_next_host_finds_a_device_that_was_reset),
		TEST(bytes_lost_flipped_and_invented),
		TEST(idle_is_known),
		TEST(without_a_board_the_link_is_down),
		TEST(a_line_has_one_host),
		TEST(a_line_that_another_program_has_is_busy),
		TEST(a_line_has_one_board),
		TEST(the_link_of_a_killed_board_is_taken),
		TEST(enumeration_and_fence_at_the_real_divider),
	};
	const struct CMUnitTest long_tests[] = {
		TEST(enumeration_fence_and_copy_at_the_real_divider),
		TEST(bytes_lost_and_flipped_at_the_real_divider),
	};

	if (argc != 3 && (argc != 4 || strcmp(argv[3], "long")))
		return 2;
	board_program = argv[1];
	real_board_program = argv[2];
	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (getenv("RF_TEST"))
		cmocka_set_test_filter(getenv("RF_TEST"));
	if (argc == 4)
		return cmocka_run_group_tests_name("serial", long_tests, NULL, NULL);
	return cmocka_run_group_tests_name("serial", tests, NULL, NULL);
}

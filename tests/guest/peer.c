// SPDX-License-Identifier: Apache-2.0
/*
 * Two render nodes of the driver that share fences by file descriptor: one check for each name, run
 * as an unprivileged process in the guest. PEER_A and PEER_B are the nodes. Exit status 0, or 1 and
 * a line that says what was wrong.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "../time_scale.h"
#include "program.h"
#include "umd.h"

enum { A, B };

/* Until what was submitted has surely begun to wait, and longer than an interrupt takes */
#define MOMENT_US 30000

/* A device, and what this process has there */
struct side {
	struct rf_device *device;
	struct rf_queue *queue;
	struct rf_commands *commands;
};

static int try_open(struct rf_device **device, int which)
{
	char name[64];

	snprintf(name, sizeof(name), "drm:%s", getenv(which == A ? "PEER_A" : "PEER_B"));
	return rf_device_open(name, device);
}

static struct side queue_of(struct rf_device *device, uint32_t flags)
{
	struct side side = { .device = device };

	CHECK(!rf_queue_create(device, RF_ENGINE_COPY, flags & RF_QUEUE_KERNEL ? 0 : 16, flags,
			       &side.queue),
	      "queue");
	CHECK(!rf_commands_create(side.queue, 4096, RF_MEMORY_SYSTEM, &side.commands), "commands");
	return side;
}

static struct side open_side(int which, uint32_t flags)
{
	struct rf_device *device;

	CHECK(!try_open(&device, which), "open: %s", rf_device_open_error());
	return queue_of(device, flags);
}

static void close_side(struct side *side)
{
	rf_commands_destroy(side->commands);
	rf_queue_destroy(side->queue);
	rf_device_close(side->device);
}

static struct rf_fence *make(const struct side *side, uint32_t type, uint32_t flags)
{
	struct rf_fence *fence;
	int error = rf_fence_create(side->device, type, RF_FENCE_CROSS_ADAPTER | flags, 0, &fence);

	CHECK(!error, "fence: %s", strerror(-error));
	return fence;
}

/* A descriptor, opened on a device and closed */
static struct rf_fence *open_fd(const struct side *side, int fd, uint32_t flags)
{
	struct rf_fence *fence = NULL;
	int error = rf_fence_from_fd(side->device, fd, flags, &fence);

	CHECK(!error, "open: %s", strerror(-error));
	close(fd);
	return fence;
}

static int refused(const struct side *side, int fd, uint32_t flags)
{
	struct rf_fence *fence;

	return rf_fence_from_fd(side->device, fd, flags, &fence);
}

static int engine_signals(struct side *side, struct rf_fence *fence, uint64_t value)
{
	rf_commands_reset(side->commands);
	rf_command_signal(side->commands, fence, value);
	return rf_queue_submit(side->queue, side->commands);
}

static void engine_waits(struct side *side, struct rf_fence *fence, uint64_t value)
{
	rf_commands_reset(side->commands);
	rf_command_wait(side->commands, fence, value);
	CHECK(!rf_queue_submit(side->queue, side->commands), "submit");
}

static void check_done(struct side *side)
{
	int error = rf_queue_wait(side->queue, TIMEOUT);

	CHECK(!error, "the queue does not end: %s", strerror(-error));
}

static void check_work(struct side *side, struct rf_fence *fence, uint64_t value)
{
	int error;

	CHECK(!engine_signals(side, fence, value), "submit");
	error = rf_fence_wait(fence, value, TIMEOUT);
	CHECK(!error, "wait for %" PRIu64 ": %s", value, strerror(-error));
	check_done(side);
}

/* --- one waits, the other signals ----------------------------------------------------------- */

/* Who signals, and who waits, as the fence is open there */
enum role { ENGINE, KERNEL_QUEUE, CPU, EVENTFD };

struct waiter {
	enum role role;
	struct side side;
	struct rf_fence *fence;
	uint64_t value;
	pthread_t thread;
	int eventfd;
	int result;
};

static void *cpu_waits(void *argument)
{
	struct waiter *waiter = argument;

	waiter->result = rf_fence_wait(waiter->fence, waiter->value, TIMEOUT);
	return NULL;
}

static void begin_wait(struct waiter *waiter)
{
	switch (waiter->role) {
	case ENGINE:
		engine_waits(&waiter->side, waiter->fence, waiter->value);
		break;
	case KERNEL_QUEUE:
		CHECK(!rf_queue_wait_for(waiter->side.queue, &waiter->fence, &waiter->value, 1),
		      "wait of a queue");
		rf_commands_reset(waiter->side.commands);
		rf_command_nop(waiter->side.commands, 1);
		CHECK(!rf_queue_submit(waiter->side.queue, waiter->side.commands), "submit");
		break;
	case CPU:
		CHECK(!pthread_create(&waiter->thread, NULL, cpu_waits, waiter), "thread");
		break;
	case EVENTFD:
		waiter->eventfd = eventfd(0, EFD_CLOEXEC);
		CHECK(!rf_fence_eventfd(waiter->fence, waiter->value, waiter->eventfd), "eventfd");
		break;
	}
	usleep(MOMENT_US);
}

static bool is_waiting(struct waiter *waiter)
{
	struct pollfd told = { .fd = waiter->eventfd, .events = POLLIN };

	if (waiter->role == EVENTFD)
		return !poll(&told, 1, 0);
	return waiter->role == CPU || rf_queue_wait(waiter->side.queue, 0) == -ETIMEDOUT;
}

static void end_wait(struct waiter *waiter)
{
	struct pollfd told = { .fd = waiter->eventfd, .events = POLLIN };

	switch (waiter->role) {
	case ENGINE:
	case KERNEL_QUEUE:
		check_done(&waiter->side);
		break;
	case CPU:
		pthread_join(waiter->thread, NULL);
		CHECK(!waiter->result, "the wait ends with %s", strerror(-waiter->result));
		break;
	case EVENTFD:
		CHECK(poll(&told, 1, (int)time_limit(20000)) == 1, "the eventfd is not told");
		close(waiter->eventfd);
		break;
	}
	CHECK(rf_fence_value(waiter->fence) == waiter->value, "the value is %" PRIu64,
	      rf_fence_value(waiter->fence));
}

static void signal_as(enum role role, struct side *side, struct rf_fence *fence, uint64_t value)
{
	if (role == ENGINE)
		CHECK(!engine_signals(side, fence, value), "submit");
	else if (role == KERNEL_QUEUE)
		CHECK(!rf_queue_signal(side->queue, &fence, &value, 1), "signal of a queue");
	else
		CHECK(!rf_fence_signal(fence, value), "signal");
}

/* A fence made by one, of each type that the one can make, several times. */
static void release_on(int signaller, enum role signals, enum role waits, uint32_t maker_type,
		       bool maker_waits)
{
	struct side side = open_side(signaller, signals == KERNEL_QUEUE ? RF_QUEUE_KERNEL : 0);
	struct waiter waiter = {
		.role = waits,
		.side = open_side(!signaller, waits == KERNEL_QUEUE ? RF_QUEUE_KERNEL : 0),
	};
	struct rf_fence *made = make(maker_waits ? &waiter.side : &side, maker_type, 0);
	struct rf_fence *opened = open_fd(maker_waits ? &side : &waiter.side, share(made, 0), 0);
	int round;

	waiter.fence = maker_waits ? made : opened;
	for (round = 0; round < 3; round++) {
		waiter.value += 10;
		begin_wait(&waiter);
		CHECK(is_waiting(&waiter), "%d waits for %d and does not", waits, signals);
		signal_as(signals, &side, maker_waits ? opened : made, waiter.value);
		end_wait(&waiter);
	}
	rf_fence_destroy(made);
	rf_fence_destroy(opened);
	close_side(&side);
	close_side(&waiter.side);
}

static void release(enum role signals, enum role waits)
{
	int signaller;

	for (signaller = A; signaller <= B; signaller++)
		release_on(signaller, signals, waits, RF_FENCE_DEFAULT, signaller == B);
}

static void engine_releases_engine(void)
{
	release(ENGINE, ENGINE);
}

static void cpu_releases_engine(void)
{
	release(CPU, ENGINE);
}

static void engine_releases_cpu(void)
{
	release(ENGINE, CPU);
	release(ENGINE, EVENTFD);
}

static void cpu_releases_cpu(void)
{
	release(CPU, CPU);
	release(CPU, EVENTFD);
}

static void kernel_queues(void)
{
	release(KERNEL_QUEUE, ENGINE);
	release(KERNEL_QUEUE, CPU);
	release(ENGINE, KERNEL_QUEUE);
	release(CPU, KERNEL_QUEUE);
	release(KERNEL_QUEUE, KERNEL_QUEUE);
}

/* The waiting side has it as a monitored fence, which engines of that device do not reach. */
static void monitored_waits(void)
{
	release_on(A, ENGINE, KERNEL_QUEUE, RF_FENCE_MONITORED, true);
	release_on(B, CPU, KERNEL_QUEUE, RF_FENCE_MONITORED, true);
	release_on(A, ENGINE, CPU, RF_FENCE_MONITORED, true);
	release_on(B, CPU, CPU, RF_FENCE_MONITORED, true);
}

/* The signalling side */
static void monitored_signals(void)
{
	release_on(A, KERNEL_QUEUE, ENGINE, RF_FENCE_MONITORED, false);
	release_on(B, CPU, ENGINE, RF_FENCE_MONITORED, false);
	release_on(A, KERNEL_QUEUE, CPU, RF_FENCE_MONITORED, false);
	release_on(B, CPU, CPU, RF_FENCE_MONITORED, false);
}

/* What is made as a monitored fence is a native one where there are native ones. */
static void native_there(void)
{
	struct side side = open_side(A, 0), other = open_side(B, 0);
	struct rf_fence *made = make(&side, RF_FENCE_MONITORED, 0);
	struct rf_fence *opened = open_fd(&other, share(made, 0), 0);

	CHECK(engine_signals(&side, made, 1) == -EOPNOTSUPP, "an engine signals a monitored fence");
	check_work(&other, opened, 2);
	CHECK(rf_fence_value(made) == 2, "the value is %" PRIu64, rf_fence_value(made));
	close_side(&side);
	close_side(&other);
}

#define SIGNALS 10

/* Nobody waits but a queue of the other device, when the signal comes. */
static void ten_signals(void)
{
	struct side side = open_side(A, 0), other = open_side(B, 0);
	struct rf_fence *made = make(&side, RF_FENCE_DEFAULT, 0);
	struct rf_fence *opened = open_fd(&other, share(made, 0), 0);
	uint64_t value;

	for (value = 1; value <= SIGNALS; value++) {
		engine_waits(&other, opened, value);
		usleep(MOMENT_US);
		CHECK(!engine_signals(&side, made, value), "submit");
		check_done(&other);
		check_done(&side);
	}
	close_side(&side);
	close_side(&other);
}

/* --- a conversation -------------------------------------------------------------------------- */

#define ROUNDS 16

/* @first: it signals @own first, and then waits for the answer. */
static void record_rounds(struct side *side, struct rf_fence *own, struct rf_fence *others,
			  bool first)
{
	uint64_t round;

	rf_commands_reset(side->commands);
	for (round = 1; round <= ROUNDS; round++) {
		if (first)
			rf_command_signal(side->commands, own, round);
		rf_command_wait(side->commands, others, round);
		if (!first)
			rf_command_signal(side->commands, own, round);
	}
}

/* All is submitted before the first signal. */
static void hand_over(void)
{
	struct side side = open_side(A, 0), other = open_side(B, 0);
	struct rf_fence *ask = make(&side, RF_FENCE_DEFAULT, 0);
	struct rf_fence *answer = make(&other, RF_FENCE_DEFAULT, 0);
	struct rf_fence *asked = open_fd(&other, share(ask, 0), 0);
	struct rf_fence *answered = open_fd(&side, share(answer, 0), 0);

	record_rounds(&other, answer, asked, false);
	CHECK(!rf_queue_submit(other.queue, other.commands), "submit");
	record_rounds(&side, ask, answered, true);
	CHECK(!rf_queue_submit(side.queue, side.commands), "submit");
	check_done(&side);
	check_done(&other);
	CHECK(rf_fence_value(asked) == ROUNDS && rf_fence_value(answered) == ROUNDS,
	      "%" PRIu64 " questions, %" PRIu64 " answers", rf_fence_value(asked),
	      rf_fence_value(answered));
	close_side(&side);
	close_side(&other);
}

/* The same by a process that has device @which only. What it passes on may only be waited for. */
static void converse(int socket, int which)
{
	struct side side = open_side(which, 0);
	struct rf_fence *own = make(&side, RF_FENCE_DEFAULT, 0), *others;

	send_fd(socket, share(own, RF_FENCE_NO_SIGNAL));
	others = open_fd(&side, receive_fd(socket), 0);
	CHECK(rf_fence_signal(others, 99) == -EACCES, "it may signal");
	record_rounds(&side, own, others, which == A);
	CHECK(!rf_queue_submit(side.queue, side.commands), "submit");
	check_done(&side);
	CHECK(!rf_fence_wait(others, ROUNDS, TIMEOUT), "the last round");
	CHECK(rf_fence_value(own) == ROUNDS, "%" PRIu64 " rounds", rf_fence_value(own));
	close_side(&side);
}

static void processes(void)
{
	int sockets[2], status;
	pid_t child;

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), "socketpair");
	child = fork();
	if (!child) {
		converse(sockets[1], B);
		exit(0);
	}
	converse(sockets[0], A);
	CHECK(waitpid(child, &status, 0) == child && !status, "the other process: 0x%x", status);
}

/* --- rights ------------------------------------------------------------------------------------ */

static void rights(void)
{
	struct side side = open_side(A, 0), other = open_side(B, 0);
	struct rf_fence *made = make(&side, RF_FENCE_DEFAULT, 0);
	struct rf_fence *signals = open_fd(&other, share(made, RF_FENCE_NO_WAIT), 0);
	struct rf_fence *all, *given_up;
	struct rf_fence forged; /* with rights that its handle has not */
	int fd = share(made, 0);
	uint32_t error;
	uint64_t address;

	CHECK(rf_fence_wait(signals, 1, TIMEOUT) == -EACCES, "it may wait");
	CHECK(!rf_fence_signal(signals, 1), "it may not signal");
	CHECK(refused(&other, fd, RF_FENCE_NO_SIGNAL | RF_FENCE_NO_WAIT) == -EINVAL,
	      "it is opened for nothing");
	all = open_fd(&other, share(made, 0), 0);
	check_work(&other, all, 2);
	rf_fence_destroy(all);
	rf_fence_destroy(signals);

	/* no handle of more rights is open on this device: the page is read only for its engines */
	given_up = open_fd(&other, fd, RF_FENCE_NO_SIGNAL);
	CHECK(rf_fence_signal(given_up, 3) == -EACCES, "it may signal");
	CHECK(engine_signals(&other, given_up, 3) == -EACCES, "the library records it");
	forged = *given_up;
	forged.flags = 0;
	error = (uint32_t)-engine_signals(&other, &forged, 3);
	CHECK(!error || error == EIO, "submit: %u", error);
	CHECK(rf_queue_wait(other.queue, TIMEOUT) == -EIO, "its engine may signal");
	CHECK(rf_queue_status(other.queue, &error, &address) == -EIO &&
		      error == RF_QUEUE_ERROR_TRANSLATION,
	      "error %u", error);
	CHECK(rf_fence_value(made) == 2, "the value is %" PRIu64, rf_fence_value(made));
	check_work(&side, made, 4);
	close_side(&side);
	close_side(&other);
}

static void rules(void)
{
	struct side side = open_side(A, 0), other = open_side(B, 0);
	int foreign = eventfd(0, EFD_CLOEXEC);
	struct rf_fence *plain, *made, *opened;
	uint64_t token;
	int fd;

	CHECK(rf_fence_create(side.device, RF_FENCE_INTRA_GPU, RF_FENCE_CROSS_ADAPTER, 0, &made) ==
		      -EINVAL,
	      "a fence of engines only is for several devices");
	/* what was made for one device is refused on the other, and stays what it is */
	CHECK(!rf_fence_create(side.device, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 0, &plain), "fence");
	fd = share(plain, 0);
	CHECK(refused(&other, fd, 0) == -EINVAL, "a fence of one device is opened on another");
	CHECK(!rf_fence_share(plain, &token) &&
		      rf_fence_open(other.device, token, 0, &opened) == -ENOENT,
	      "and by its token");
	opened = open_fd(&side, fd, 0);
	CHECK(!rf_fence_signal(opened, 5) && rf_fence_value(plain) == 5, "it is another fence");
	CHECK(refused(&other, foreign, 0) == -EINVAL, "an eventfd is opened");
	CHECK(refused(&other, rf_device_fd(side.device), 0) == -EINVAL, "a render node is opened");
	CHECK(refused(&other, -1, 0) == -EBADF, "nothing is opened");
	/* a descriptor that was made on the other device is as good */
	made = make(&side, RF_FENCE_DEFAULT, 0);
	CHECK(!rf_fence_share(made, &token), "token");
	CHECK(!rf_fence_open(other.device, token, 0, &opened), "open by the token");
	rf_fence_destroy(opened);
	opened = open_fd(&other, share(made, 0), 0);
	rf_fence_destroy(made);
	made = open_fd(&side, share(opened, 0), 0);
	check_work(&other, opened, 7);
	CHECK(rf_fence_value(made) == 7, "the value is %" PRIu64, rf_fence_value(made));
	/* all handles go; the descriptor keeps the value, and it is found on the other device */
	fd = share(made, 0);
	close_side(&other);
	rf_fence_destroy(made);
	other = open_side(B, 0);
	opened = open_fd(&other, fd, 0);
	CHECK(rf_fence_value(opened) == 7, "the value is %" PRIu64, rf_fence_value(opened));
	close_side(&side);
	check_work(&other, opened, 8);
	close_side(&other);
	close(foreign);
}

/* --- the end of a process ------------------------------------------------------------------------ */

/* Waits with everything it has for what will not come. */
static void wait_for_ever(int socket)
{
	struct side side = open_side(B, 0), kernel = queue_of(side.device, RF_QUEUE_KERNEL);
	struct rf_fence *own = make(&side, RF_FENCE_DEFAULT, 0);
	struct waiter waiter = { .role = KERNEL_QUEUE, .side = kernel, .value = 100 };

	send_fd(socket, share(own, 0));
	waiter.fence = open_fd(&kernel, receive_fd(socket), 0);
	engine_waits(&side, open_fd(&side, receive_fd(socket), 0), 100);
	begin_wait(&waiter);
	CHECK(write(socket, "w", 1) == 1, "write");
	rf_fence_wait(waiter.fence, 100, 3600 * SECOND);
	exit(1);
}

/* One of two processes is killed; what it had open on the other device is as before. */
static void killed(void)
{
	struct side side = open_side(A, 0);
	struct rf_fence *made = make(&side, RF_FENCE_DEFAULT, 0), *others;
	int sockets[2], status;
	char byte;
	pid_t child;

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), "socketpair");
	child = fork();
	if (!child)
		wait_for_ever(sockets[1]);
	send_fd(sockets[0], share(made, 0));
	send_fd(sockets[0], share(made, 0));
	others = open_fd(&side, receive_fd(sockets[0]), 0);
	CHECK(read(sockets[0], &byte, 1) == 1, "the other process has ended");
	/* a descriptor is on its way, and another one is received by nobody */
	send_fd(sockets[0], share(made, 0));
	engine_waits(&side, others, 9);
	CHECK(!kill(child, SIGKILL) && waitpid(child, &status, 0) == child, "kill");
	close(sockets[0]);
	close(sockets[1]);
	CHECK(!rf_fence_signal(others, 9), "signal");
	check_done(&side);
	check_work(&side, made, 200);
	close_side(&side);
}

/* Shares and waits until it is killed. */
static void stay(void)
{
	struct side side = open_side(A, 0), other = open_side(B, 0);
	struct rf_fence *made = make(&side, RF_FENCE_DEFAULT, 0);
	int fd = share(made, 0);

	engine_waits(&other, open_fd(&other, dup(fd), 0), 1);
	puts("waiting");
	fflush(stdout);
	pause();
}

/* --- the end of a device -------------------------------------------------------------------------- */

static void tell(const char *word)
{
	puts(word);
	fflush(stdout);
}

static void await(const char *file)
{
	while (access(file, F_OK))
		usleep(10000);
}

static struct waiter *start_cpu_wait(const struct side *side, struct rf_fence *fence,
				     uint64_t value)
{
	struct waiter *waiter = calloc(1, sizeof(*waiter));

	*waiter = (struct waiter){ .role = CPU, .side = *side, .fence = fence, .value = value };
	begin_wait(waiter);
	return waiter;
}

/*
 * Device A goes while B waits. A wait goes on if a process of B may signal its fence, and ends with
 * -ENODEV if none may, until one opens it again.
 */
static void removal(void)
{
	struct side gone = open_side(A, 0), side = open_side(B, 0);
	struct side busy = queue_of(side.device, 0);
	struct rf_fence *both = make(&gone, RF_FENCE_DEFAULT, 0);
	struct rf_fence *from_gone = make(&gone, RF_FENCE_DEFAULT, 0);
	int fd_of_gone = share(both, 0), fd_to_wait, error;
	struct rf_fence *on_side = open_fd(&side, dup(fd_of_gone), 0);
	struct rf_fence *to_wait = open_fd(&side, share(from_gone, RF_FENCE_NO_SIGNAL), 0);
	struct waiter *goes_on, *fails, *of_gone;
	int fd_of_side = share(on_side, 0);
	struct rf_fence *again;

	engine_waits(&busy, on_side, 5);
	engine_waits(&side, to_wait, 5);
	goes_on = start_cpu_wait(&side, on_side, 5);
	fails = start_cpu_wait(&side, to_wait, 5);
	of_gone = start_cpu_wait(&gone, from_gone, 5);
	fd_to_wait = share(to_wait, 0);
	tell("waiting");
	await("/tmp/go");

	pthread_join(of_gone->thread, NULL);
	CHECK(of_gone->result == -ENODEV, "a wait on the device that goes ends with %s",
	      strerror(-of_gone->result));
	pthread_join(fails->thread, NULL);
	CHECK(fails->result == -ENODEV, "a wait that only that device could end ends with %s",
	      strerror(-fails->result));
	CHECK(rf_fence_wait(to_wait, 5, TIMEOUT) == -ENODEV, "one that begins later waits");
	error = engine_signals(&gone, from_gone, 5);
	CHECK(error == 0 || error == -ENODEV || error == -EIO, "submit: %s", strerror(-error));
	/* descriptors end with the device that they were made on */
	CHECK(refused(&side, fd_of_gone, 0) == -ENODEV, "a descriptor of that device is opened");
	again = open_fd(&side, fd_of_side, 0);
	CHECK(rf_queue_wait(busy.queue, 0) == -ETIMEDOUT, "a queue does not wait any more");
	CHECK(!rf_fence_signal(again, 5), "signal");
	end_wait(goes_on);
	check_done(&busy);
	check_work(&busy, on_side, 6);
	/* a queue that waits for what nobody can signal is in the way of none */
	CHECK(rf_queue_wait(side.queue, 0) == -ETIMEDOUT, "a queue does not wait any more");
	open_fd(&side, fd_to_wait, 0);
	close(fd_of_gone);
	rf_device_close(gone.device);
	rf_device_close(side.device);
}

/* --- sleep -------------------------------------------------------------------------------------------- */

/* The queue of B waits in the kernel, or on the device, when the test goes on, and then A signals. */
static void signal_later(uint32_t flags)
{
	struct side side = open_side(A, 0);
	struct waiter waiter = {
		.role = flags & RF_QUEUE_KERNEL ? KERNEL_QUEUE : ENGINE,
		.side = open_side(B, flags),
		.value = 5,
	};
	struct rf_fence *made = make(&side, RF_FENCE_DEFAULT, 0);

	waiter.fence = open_fd(&waiter.side, share(made, 0), 0);
	begin_wait(&waiter);
	tell("waiting");
	await("/tmp/go");
	CHECK(is_waiting(&waiter), "the queue has not waited");
	CHECK(!engine_signals(&side, made, 5), "submit");
	end_wait(&waiter);
	check_work(&waiter.side, waiter.fence, 6);
	close_side(&side);
	close_side(&waiter.side);
}

static void kernel_queue_waits(void)
{
	signal_later(RF_QUEUE_KERNEL);
}

static void queue_waits(void)
{
	signal_later(0);
}

/* CPUs wait on B, which sleeps. @with_queue: it has a queue, which could wait as well. */
static void sleep_through_signal(bool with_queue)
{
	struct side side = open_side(A, 0), sleeper = { 0 };
	struct rf_fence *made = make(&side, RF_FENCE_DEFAULT, 0), *opened;
	struct waiter *waiter;

	CHECK(!try_open(&sleeper.device, B), "open: %s", rf_device_open_error());
	if (with_queue)
		sleeper = queue_of(sleeper.device, 0);
	opened = open_fd(&sleeper, share(made, 0), 0);
	waiter = start_cpu_wait(&sleeper, opened, 5);
	tell("waiting");
	await("/tmp/go");
	CHECK(!engine_signals(&side, made, 5), "submit");
	end_wait(waiter);
	tell("ended");
	await("/tmp/end");
	if (with_queue)
		check_work(&sleeper, opened, 6);
	rf_device_close(sleeper.device);
	close_side(&side);
}

static void cpu_waits_on_sleeper(void)
{
	sleep_through_signal(false);
}

static void sleeper_has_queue(void)
{
	sleep_through_signal(true);
}

/* --- while devices come and go ----------------------------------------------------------------------- */

static bool is_over(void)
{
	return !access("/tmp/stop", F_OK);
}

/* What a device that goes may do to a call */
static bool is_of_the_end(int error)
{
	return error == -ENODEV || error == -EIO || error == -ENOENT || error == -EINVAL ||
	       error == -ECANCELED;
}

/* Devices open at the moment; the test binds them again soon. */
static bool try_open_both(struct rf_device *devices[2])
{
	if (try_open(&devices[A], A))
		return false;
	if (!try_open(&devices[B], B))
		return true;
	rf_device_close(devices[A]);
	return false;
}

static int try_round(struct rf_device *devices[2], int maker)
{
	struct rf_fence *made, *opened;
	struct rf_commands *commands;
	struct rf_queue *queue;
	int error, fd;

	error = rf_fence_create(devices[maker], RF_FENCE_DEFAULT, RF_FENCE_CROSS_ADAPTER, 0, &made);
	if (error)
		return error;
	error = rf_fence_to_fd(made, 0, &fd);
	if (error)
		return error;
	error = rf_fence_from_fd(devices[!maker], fd, 0, &opened);
	close(fd);
	if (!error)
		error = rf_queue_create(devices[maker], RF_ENGINE_COPY, 16, 0, &queue);
	if (!error)
		error = rf_commands_create(queue, 4096, RF_MEMORY_SYSTEM, &commands);
	if (error)
		return error;
	rf_command_signal(commands, made, 1);
	rf_command_wait(commands, made, 2);
	error = rf_queue_submit(queue, commands);
	if (!error)
		error = rf_fence_wait(opened, 1, TIMEOUT);
	if (!error)
		error = rf_fence_signal(opened, 2);
	if (!error)
		error = rf_queue_wait(queue, TIMEOUT);
	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
	rf_fence_destroy(made);
	rf_fence_destroy(opened);
	return error;
}

/* Until the test says so. Turns that went well are counted; what the others leave goes with the device. */
static void loops_of(int maker)
{
	int turns = open("/tmp/turns", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	struct rf_device *devices[2];
	bool is_open = false;
	int error;

	while (!is_over()) {
		if (!is_open && !try_open_both(devices)) {
			usleep(10000);
			continue;
		}
		is_open = true;
		error = try_round(devices, maker);
		CHECK(!error || is_of_the_end(error), "a round: %s", strerror(-error));
		if (!error) {
			CHECK(write(turns, "t", 1) == 1, "write");
			continue;
		}
		rf_device_close(devices[A]);
		rf_device_close(devices[B]);
		is_open = false;
	}
}

static void loops(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		loops_of(B);
		exit(0);
	}
	tell("waiting");
	loops_of(A);
	CHECK(waitpid(child, &status, 0) == child && !status, "the other process: 0x%x", status);
}

/* -------------------------------------------------------------------------------------------- */

static const struct check checks[] = {
	{ "hand-over", hand_over },
	{ "processes", processes },
	{ "engine-releases-engine", engine_releases_engine },
	{ "cpu-releases-engine", cpu_releases_engine },
	{ "engine-releases-cpu", engine_releases_cpu },
	{ "cpu-releases-cpu", cpu_releases_cpu },
	{ "kernel-queues", kernel_queues },
	{ "monitored-waits", monitored_waits },
	{ "monitored-signals", monitored_signals },
	{ "native-there", native_there },
	{ "ten-signals", ten_signals },
	{ "rights", rights },
	{ "rules", rules },
	{ "killed", killed },
	{ "stay", stay },
	{ "removal", removal },
	{ "kernel-queue-waits", kernel_queue_waits },
	{ "queue-waits", queue_waits },
	{ "cpu-waits-on-sleeper", cpu_waits_on_sleeper },
	{ "sleeper-has-queue", sleeper_has_queue },
	{ "loops", loops },
};

int main(int argc, char **argv)
{
	return run_check(argc, argv, checks, sizeof(checks) / sizeof(checks[0]));
}

// SPDX-License-Identifier: Apache-2.0
/*
 * A device at the other end of a serial line, as the root port sees one: beats of the
 * streams to TLPs of the link layer and back. The reads and the posted TLPs of the
 * device share the line in the order in which the device sent them, and are shown one
 * at a time.
 */
#define _GNU_SOURCE /* ppoll */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "device_model.h"
#include "serial_link.h"

/* How long a cycle lasts in which nothing comes. */
#define CYCLE_NANOSECONDS 100000
/* How often a reset is sent, how often at most. */
#define RESET_MILLISECONDS 250
#define RESET_TRIES 40

struct serial_device {
	struct device_model model;
	int file;
	bool ended;
	struct serial_link link;
	uint8_t line[SERIAL_LINE_BYTES]; /* the frame that is being sent */
	size_t line_bytes, line_sent;

	struct device_inputs inputs; /* of this cycle, as they were when it settled */
	struct device_outputs outputs;
	struct serial_tlp out; /* what has come of a TLP to the board */
	unsigned int position; /* words of the TLP from the board that were taken */
};

static struct serial_device *serial_device(struct device_model *model)
{
	return (struct serial_device *)model;
}

/* --- the line ----------------------------------------------------------------- */

/* Nothing to be had just now is no error; the end of the line is. */
static size_t moved(struct serial_device *device, ssize_t bytes)
{
	if (bytes > 0)
		return bytes;
	if (!bytes || (errno != EAGAIN && errno != EINTR))
		device->ended = true;
	return 0;
}

/* Read and write what can be at once; whether that was anything. */
static bool line_move(struct serial_device *device)
{
	uint8_t heard[4096];
	size_t bytes = moved(device, read(device->file, heard, sizeof(heard)));
	bool any = bytes;

	serial_link_hear(&device->link, heard, bytes);
	if (device->line_sent == device->line_bytes) {
		device->line_sent = 0;
		device->line_bytes = serial_link_say(&device->link, device->line);
	}
	if (device->line_bytes) {
		bytes = moved(device, write(device->file, device->line + device->line_sent,
					    device->line_bytes - device->line_sent));
		device->line_sent += bytes;
		any |= bytes;
	}
	return any;
}

static void line_wait(struct serial_device *device, long nanoseconds)
{
	bool more = device->line_sent < device->line_bytes;
	struct pollfd line = { device->file, more ? POLLIN | POLLOUT : POLLIN, 0 };
	struct timespec time = { 0, nanoseconds };

	ppoll(&line, 1, &time, NULL);
}

/* --- a cycle -------------------------------------------------------------------- */

/* A link layer carries no TLP that is bad or longer than both sides agreed. */
static bool is_carried(const struct device_inputs *inputs, unsigned int words)
{
	return !inputs->error && words <= SERIAL_PAYLOAD_WORDS;
}

static void send_beat(struct serial_device *device)
{
	const struct device_inputs *inputs = &device->inputs;
	struct serial_tlp *out = &device->out;
	unsigned int words = (inputs->strb & 1) + (inputs->strb >> 1 & 1);
	unsigned int i;

	if (inputs->sop) {
		memcpy(out->header, inputs->header, sizeof(out->header));
		out->words = 0;
	}
	for (i = 0; i < words; i++, out->words++) {
		if (out->words < SERIAL_PAYLOAD_WORDS)
			out->payload[out->words] = inputs->data >> 32 * i;
	}
	if (inputs->eop && is_carried(inputs, out->words))
		serial_link_send(&device->link, out);
}

static void show_beat(struct serial_device *device, const struct serial_tlp *tlp,
		      struct device_outputs *outputs)
{
	unsigned int left = tlp->words - device->position;
	struct device_beat *beat = &outputs->posted;

	if (tlp_is_memory_read(tlp->header)) {
		outputs->read_valid = true;
		memcpy(outputs->read_header, tlp->header, sizeof(outputs->read_header));
		return;
	}
	beat->valid = true;
	beat->sop = !device->position;
	beat->eop = left <= 2;
	beat->strb = left >= 2 ? 3 : left;
	memcpy(beat->header, tlp->header, sizeof(beat->header));
	if (left)
		beat->data = tlp->payload[device->position];
	if (left >= 2)
		beat->data |= (uint64_t)tlp->payload[device->position + 1] << 32;
}

static void serial_settle(struct device_model *model, const struct device_inputs *inputs,
			  struct device_outputs *outputs)
{
	struct serial_device *device = serial_device(model);
	const struct serial_tlp *tlp;
	bool any = line_move(device);

	if (!any && !serial_link_received(&device->link) &&
	    !(inputs->valid && serial_link_ready(&device->link)) && !device->ended) {
		line_wait(device, CYCLE_NANOSECONDS);
		line_move(device);
	}
	tlp = serial_link_received(&device->link);
	memset(outputs, 0, sizeof(*outputs));
	if (tlp)
		show_beat(device, tlp, outputs);
	outputs->receive_ready = serial_link_ready(&device->link);
	outputs->idle = device->link.idle && serial_link_empty(&device->link);
	outputs->gone = device->ended || device->link.foreign;
	device->inputs = *inputs;
	device->outputs = *outputs;
}

static void serial_clock(struct device_model *model)
{
	struct serial_device *device = serial_device(model);
	const struct device_inputs *inputs = &device->inputs;
	const struct device_outputs *outputs = &device->outputs;
	bool posted = outputs->posted.valid && inputs->posted_ready;

	if (inputs->valid && outputs->receive_ready)
		send_beat(device);
	if (posted)
		device->position += 2;
	if ((posted && outputs->posted.eop) || (outputs->read_valid && inputs->read_ready)) {
		serial_link_release(&device->link);
		device->position = 0;
	}
}

/* --- creation -------------------------------------------------------------------- */

static void serial_destroy(struct device_model *model)
{
	/* a child of fork() may have the file still */
	flock(serial_device(model)->file, LOCK_UN);
	close(serial_device(model)->file);
	free(model);
}

static int serial_trace_open(struct device_model *model, const char *path)
{
	(void)model;
	(void)path;
	return -EOPNOTSUPP;
}

static int serial_trace_close(struct device_model *model)
{
	(void)model;
	return 0;
}

static const struct device_ops serial_ops = {
	.destroy = serial_destroy,
	.settle = serial_settle,
	.clock = serial_clock,
	.trace_open = serial_trace_open,
	.trace_close = serial_trace_close,
};

/*
 * A line has one user: a second one would take bytes, and reset the device. flock() ends with the
 * process that holds it, however that ends; TIOCEXCL would stay on a line that the board's end keeps
 * open. TIOCEXCL or a lock set by another process is respected, also by root.
 */
static int line_claim(int file)
{
	int exclusive;

	if (ioctl(file, TIOCGEXCL, &exclusive)) /* it is no tty */
		return -errno;
	if (exclusive)
		return -EBUSY;
	if (flock(file, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	return 0;
}

static int line_open(const char *path)
{
	struct termios settings;
	int file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	int error;

	if (file < 0)
		return -errno;
	error = line_claim(file);
	if (error) {
		close(file);
		return error;
	}
	if (tcgetattr(file, &settings))
		goto fail;
	cfmakeraw(&settings);
	settings.c_cflag |= CLOCAL | CREAD;
	settings.c_cflag &= ~CRTSCTS;
	if (cfsetspeed(&settings, B1000000) || tcsetattr(file, TCSANOW, &settings) ||
	    tcflush(file, TCIOFLUSH))
		goto fail;
	return file;

fail:
	error = -errno;
	close(file);
	return error;
}

/* Until the board answers with this number. */
static int link_reset(struct serial_device *device, uint8_t number)
{
	unsigned int tries, waits;

	serial_link_reset(&device->link, number);
	for (tries = 0; tries < RESET_TRIES; tries++) {
		device->link.reset_due = true;
		for (waits = 0; waits < RESET_MILLISECONDS; waits++) {
			line_move(device);
			if (device->ended)
				return -EIO;
			if (device->link.answered)
				return 0;
			line_wait(device, 1000000);
		}
	}
	return -ETIMEDOUT;
}

int serial_open(const char *path, struct device_model **model)
{
	struct serial_device *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return -ENOMEM;
	device->model.ops = &serial_ops;
	device->file = line_open(path);
	if (device->file < 0) {
		error = device->file;
		free(device);
		return error;
	}
	/* Whichever number the board has, one of the two is another, and resets it. */
	error = link_reset(device, 1);
	if (!error)
		error = link_reset(device, 2);
	if (error) {
		serial_destroy(&device->model);
		return error;
	}
	*model = &device->model;
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
/* The registers of a link console: see link_line.h. */
#include "link_line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define READ 0x40
#define WRITE 0x50
#define ANSWERS 0x80 /* of an answer's first byte */
#define FLAG 0x7e
#define ESCAPE 0x7d
#define CONTENT_BYTES (3 + 4 * 255)
#define TRIES 3
#define ANSWER_MILLISECONDS 1000

static uint32_t crc32(const uint8_t *bytes, size_t count)
{
	uint32_t crc = ~0u;
	unsigned int bit;

	for (; count; count--, bytes++) {
		crc ^= *bytes;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

/* --- the line --------------------------------------------------------------------------- */

int rf_link_line_open(struct rf_link_line *line, const char *path)
{
	struct termios settings;
	int exclusive, error;

	line->foreign = false;
	line->file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (line->file < 0)
		return -errno;
	if (ioctl(line->file, TIOCGEXCL, &exclusive))
		goto fail;
	if (exclusive || flock(line->file, LOCK_EX | LOCK_NB)) {
		errno = EBUSY;
		goto fail;
	}
	if (tcgetattr(line->file, &settings))
		goto fail;
	cfmakeraw(&settings);
	settings.c_cflag |= CLOCAL | CREAD;
	settings.c_cflag &= ~CRTSCTS;
	if (cfsetspeed(&settings, B1000000) || tcsetattr(line->file, TCSANOW, &settings) ||
	    tcflush(line->file, TCIOFLUSH))
		goto fail;
	return 0;

fail:
	error = -errno;
	close(line->file);
	return error;
}

void rf_link_line_close(struct rf_link_line *line)
{
	close(line->file);
}

static long milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until @events or @deadline; 0, -ETIMEDOUT or -EIO. */
static int line_wait(struct rf_link_line *line, short events, long deadline)
{
	struct pollfd file = { line->file, events, 0 };
	long left = deadline - milliseconds();

	if (left <= 0 || !poll(&file, 1, (int)left))
		return -ETIMEDOUT;
	return file.revents & (POLLERR | POLLHUP | POLLNVAL) ? -EIO : 0;
}

static int line_send(struct rf_link_line *line, const uint8_t *content, size_t count, long deadline)
{
	uint8_t bytes[2 * (16 + 4) + 2];
	uint32_t crc = crc32(content, count);
	size_t used = 0, sent = 0, i;
	uint8_t byte;
	ssize_t moved;
	int error;

	bytes[used++] = FLAG;
	for (i = 0; i < count + 4; i++) {
		byte = i < count ? content[i] : (uint8_t)(crc >> 8 * (i - count));
		if (byte == FLAG || byte == ESCAPE) {
			bytes[used++] = ESCAPE;
			byte ^= 0x20;
		}
		bytes[used++] = byte;
	}
	bytes[used++] = FLAG;
	while (sent < used) {
		error = line_wait(line, POLLOUT, deadline);
		if (error)
			return error;
		moved = write(line->file, bytes + sent, used - sent);
		if (moved < 0 && errno != EAGAIN && errno != EINTR)
			return -EIO;
		if (moved > 0)
			sent += moved;
	}
	return 0;
}

/* A frame as it comes */
struct frame {
	uint8_t content[CONTENT_BYTES + 4];
	size_t count;
	bool escaped, bad;
};

/* Whether a whole, good frame of @count bytes without its CRC is there. */
static bool frame_byte(struct frame *frame, uint8_t byte, size_t count)
{
	uint32_t crc;
	bool good;
	size_t i;

	if (byte != FLAG) {
		if (!frame->escaped && byte == ESCAPE) {
			frame->escaped = true;
			return false;
		}
		if (frame->count == sizeof(frame->content))
			frame->bad = true;
		else
			frame->content[frame->count++] = frame->escaped ? byte ^ 0x20 : byte;
		frame->escaped = false;
		return false;
	}
	good = frame->count == count + 4 && !frame->bad && !frame->escaped;
	crc = good ? crc32(frame->content, count) : 0;
	for (i = 0; good && i < 4; i++)
		good = frame->content[count + i] == (uint8_t)(crc >> 8 * i);
	frame->count = 0;
	frame->escaped = frame->bad = false;
	return good;
}

/* One request and its answer, whose first three bytes repeat the request's. */
static int line_try(struct rf_link_line *line, const uint8_t *request, size_t bytes,
		    uint8_t *answer, size_t answer_bytes)
{
	long deadline = milliseconds() + ANSWER_MILLISECONDS;
	int error = line_send(line, request, bytes, deadline);
	struct frame frame = {};
	uint8_t heard[512];
	ssize_t count, i;

	while (!error) {
		error = line_wait(line, POLLIN, deadline);
		if (error)
			break;
		count = read(line->file, heard, sizeof(heard));
		if (!count || (count < 0 && errno != EAGAIN && errno != EINTR))
			return -EIO;
		for (i = 0; i < count; i++) {
			if (!frame_byte(&frame, heard[i], answer_bytes))
				continue;
			if (frame.content[0] == (request[0] | ANSWERS) &&
			    !memcmp(frame.content + 1, request + 1, 2)) {
				memcpy(answer, frame.content, answer_bytes);
				return 0;
			}
		}
		line->foreign |= count > 0;
	}
	return error;
}

static int line_ask(struct rf_link_line *line, const uint8_t *request, size_t bytes,
		    uint8_t *answer, size_t answer_bytes)
{
	unsigned int tries;
	int error = -ETIMEDOUT;

	for (tries = 0; error == -ETIMEDOUT && tries < TRIES; tries++)
		error = line_try(line, request, bytes, answer, answer_bytes);
	return error;
}

int rf_link_line_read(struct rf_link_line *line, unsigned int address, unsigned int count,
		      uint32_t *values)
{
	const uint8_t request[] = { READ, (uint8_t)address, (uint8_t)(address >> 8),
				    (uint8_t)count };
	uint8_t answer[CONTENT_BYTES];
	const uint8_t *byte;
	unsigned int i;
	int error = line_ask(line, request, sizeof(request), answer, 3 + 4 * count);

	for (i = 0; !error && i < count; i++) {
		byte = answer + 3 + 4 * i;
		values[i] = byte[0] | byte[1] << 8 | byte[2] << 16 | (uint32_t)byte[3] << 24;
	}
	return error;
}

int rf_link_line_write(struct rf_link_line *line, unsigned int address, uint32_t value)
{
	const uint8_t request[] = { WRITE,
				    (uint8_t)address,
				    (uint8_t)(address >> 8),
				    (uint8_t)value,
				    (uint8_t)(value >> 8),
				    (uint8_t)(value >> 16),
				    (uint8_t)(value >> 24) };
	uint8_t answer[4];

	return line_ask(line, request, sizeof(request), answer, sizeof(answer));
}

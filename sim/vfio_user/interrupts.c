// SPDX-License-Identifier: Apache-2.0
#include "interrupts.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void vfio_user_interrupts_open(struct vfio_user_interrupts *interrupts, unsigned int vectors)
{
	unsigned int i;

	interrupts->vectors = vectors;
	for (i = 0; i < VFIO_USER_VECTORS_MAX; i++)
		interrupts->msix[i] = (struct vfio_user_vector){ .eventfd = -1 };
	interrupts->error = (struct vfio_user_vector){ .eventfd = -1 };
}

static void set_eventfd(struct vfio_user_vector *vector, int eventfd)
{
	if (vector->eventfd >= 0)
		close(vector->eventfd);
	vector->eventfd = eventfd;
}

void vfio_user_interrupts_close(struct vfio_user_interrupts *interrupts)
{
	unsigned int i;

	for (i = 0; i < interrupts->vectors; i++)
		set_eventfd(&interrupts->msix[i], -1);
	set_eventfd(&interrupts->error, -1);
}

void vfio_user_interrupts_reset(struct vfio_user_interrupts *interrupts)
{
	unsigned int i;

	for (i = 0; i < interrupts->vectors; i++)
		interrupts->msix[i].pending = false;
	interrupts->error.pending = false;
}

/* --- delivery ---------------------------------------------------------------------------- */

bool vfio_user_is_heard(const struct vfio_user_vector *vector)
{
	return vector->eventfd >= 0 && !vector->masked;
}

/*
 * A write to a full eventfd could block, since the client chooses its flags; a full one already
 * signals an interrupt, so the write is left out.
 */
static void signal_eventfd(int eventfd)
{
	struct pollfd full = { eventfd, POLLOUT, 0 };
	const uint64_t one = 1;

	if (poll(&full, 1, 0) == 1 && write(eventfd, &one, sizeof(one)) < 0)
		return;
}

static void raise_vector(struct vfio_user_vector *vector)
{
	vector->pending = !vfio_user_is_heard(vector);
	if (!vector->pending)
		signal_eventfd(vector->eventfd);
}

/* After a change: what pended may be delivered now. */
static void catch_up(struct vfio_user_vector *vector)
{
	if (vector->pending)
		raise_vector(vector);
}

void vfio_user_interrupt(struct vfio_user_interrupts *interrupts, unsigned int vector)
{
	if (vector < interrupts->vectors)
		raise_vector(&interrupts->msix[vector]);
}

/* --- commands ------------------------------------------------------------------------------ */

static unsigned int count_of(const struct vfio_user_interrupts *interrupts, uint32_t interrupt)
{
	if (interrupt == VFIO_USER_INTERRUPT_MSIX)
		return interrupts->vectors;
	return interrupt == VFIO_USER_INTERRUPT_ERROR;
}

int vfio_user_interrupt_info(const struct vfio_user_interrupts *interrupts,
			     const struct vfio_user_message *message,
			     struct vfio_user_interrupt_info *info)
{
	if (message->bytes < sizeof(*info))
		return EINVAL;
	memcpy(info, message->payload, sizeof(*info));
	if (info->argsz < sizeof(*info) || info->interrupt >= VFIO_USER_INTERRUPTS)
		return EINVAL;
	info->argsz = sizeof(*info);
	info->flags = VFIO_USER_INTERRUPT_EVENTFD;
	if (info->interrupt == VFIO_USER_INTERRUPT_MSIX)
		info->flags |= VFIO_USER_INTERRUPT_MASKABLE | VFIO_USER_INTERRUPT_NORESIZE;
	info->count = count_of(interrupts, info->interrupt);
	return 0;
}

#define SET_DATA (VFIO_USER_SET_NONE | VFIO_USER_SET_BOOL | VFIO_USER_SET_EVENTFD)
#define SET_ACTIONS (VFIO_USER_SET_MASK | VFIO_USER_SET_UNMASK | VFIO_USER_SET_TRIGGER)

static bool is_one_of(uint32_t flags, uint32_t all)
{
	return __builtin_popcount(flags & all) == 1;
}

/* Any other file may block, end the process by SIGPIPE, or be written to. */
static bool is_eventfd(int fd)
{
	char path[32], name[32] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, name, sizeof(name) - 1) > 0 && !strcmp(name, "anon_inode:[eventfd]");
}

static bool are_eventfds(const struct vfio_user_message *message)
{
	unsigned int i;

	for (i = 0; i < message->fd_count; i++)
		if (!is_eventfd(message->fds[i]))
			return false;
	return true;
}

/* What comes with it: as many bytes or eventfds as vectors, or none, which takes eventfds away. */
static bool has_right_data(const struct vfio_user_set_interrupts *set,
			   const struct vfio_user_message *message)
{
	if (message->too_many_fds)
		return false;
	if (set->flags & VFIO_USER_SET_EVENTFD)
		return !message->fd_count ||
		       (message->fd_count == set->count && are_eventfds(message));
	if (message->fd_count)
		return false;
	return !(set->flags & VFIO_USER_SET_BOOL) || (message->bytes - sizeof(*set) == set->count &&
						      set->argsz - sizeof(*set) >= set->count);
}

static bool is_acceptable(const struct vfio_user_interrupts *interrupts,
			  const struct vfio_user_message *message)
{
	const struct vfio_user_set_interrupts *set = (const void *)message->payload;
	unsigned int count;

	if (message->bytes < sizeof(*set) || set->argsz < sizeof(*set))
		return false;
	if (!is_one_of(set->flags, SET_DATA) || !is_one_of(set->flags, SET_ACTIONS) ||
	    (set->flags & ~(SET_DATA | SET_ACTIONS)))
		return false;
	count = count_of(interrupts, set->interrupt);
	if (set->start >= count || set->count > count - set->start)
		return false;
	if (!(set->flags & VFIO_USER_SET_TRIGGER) &&
	    (set->interrupt != VFIO_USER_INTERRUPT_MSIX || (set->flags & VFIO_USER_SET_EVENTFD)))
		return false;
	/* "trigger none of it, from 0" disables all */
	if (!set->count &&
	    (set->start || set->flags != (VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER)))
		return false;
	return has_right_data(set, message);
}

static void disable_all(struct vfio_user_vector *vectors, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		set_eventfd(&vectors[i], -1);
		vectors[i] = (struct vfio_user_vector){ .eventfd = -1 };
	}
}

static void mask(struct vfio_user_vector *vector, bool masked)
{
	vector->masked = masked;
	catch_up(vector);
}

int vfio_user_set_interrupts(struct vfio_user_interrupts *interrupts,
			     struct vfio_user_message *message)
{
	const struct vfio_user_set_interrupts *set = (const void *)message->payload;
	const uint8_t *chosen = message->payload + sizeof(*set);
	struct vfio_user_vector *vectors = interrupts->msix;
	unsigned int i;

	if (!is_acceptable(interrupts, message))
		return EINVAL;
	if (set->interrupt == VFIO_USER_INTERRUPT_ERROR)
		vectors = &interrupts->error;
	if (!set->count)
		disable_all(vectors, count_of(interrupts, set->interrupt));
	for (i = 0; i < set->count; i++) {
		struct vfio_user_vector *vector = &vectors[set->start + i];

		if (set->flags & VFIO_USER_SET_EVENTFD) {
			set_eventfd(vector, message->fd_count ? message->fds[i] : -1);
			if (message->fd_count)
				message->fds[i] = -1;
			catch_up(vector);
		} else if ((set->flags & VFIO_USER_SET_BOOL) && !chosen[i]) {
			continue;
		} else if (!(set->flags & VFIO_USER_SET_TRIGGER)) {
			mask(vector, set->flags & VFIO_USER_SET_MASK);
		} else if (vector->eventfd >= 0) {
			raise_vector(vector); /* as if the device had */
		}
	}
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
/*
 * The carrier over a render node of the kernel. "drm:" is the first that the driver
 * serves, "drm:/dev/dri/renderD128" a certain one.
 *
 * libdrm finds the device. Requests use ioctl() and not drmIoctl(), which would repeat a request
 * that fails with EAGAIN; here EAGAIN means that a queue is full.
 *
 * Fences share pages, so that a mapping is counted and not made twice.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include "carrier.h"
#include "drm/ringfence_drm.h"
#include "ringfence_hw.h"

#define DRIVER "ringfence"
#define MAJOR 1
#define DEVICES_MAX 64

struct mapping {
	struct mapping *next;
	uint64_t offset;
	uint64_t bytes;
	unsigned int users;
	void *pointer;
};

struct drm_carrier {
	struct rf_carrier base;
	int fd;
	pthread_mutex_t lock; /* guards mappings */
	struct mapping *mappings;
};

struct drm_doorbell {
	struct rf_carrier_doorbell base;
	volatile uint64_t *page;
};

static struct drm_carrier *to_drm(struct rf_carrier *carrier)
{
	return (struct drm_carrier *)carrier;
}

/* --- requests ---------------------------------------------------------------------------- */

#define CODE(name) [DRM_RINGFENCE_##name] = DRM_IOCTL_RINGFENCE_##name

static int drm_request(struct rf_carrier *carrier, unsigned int request, void *arguments)
{
	static const unsigned long codes[] = {
		CODE(QUERY),
		CODE(MEMORY_CREATE),
		CODE(MEMORY_DESTROY),
		CODE(FENCE_CREATE),
		CODE(FENCE_OPEN),
		CODE(FENCE_DESTROY),
		CODE(FENCE_SIGNAL),
		CODE(FENCE_WAIT),
		CODE(EVENT_CREATE),
		CODE(EVENT_DESTROY),
		CODE(EVENT_WAIT),
		CODE(QUEUE_CREATE),
		CODE(QUEUE_DESTROY),
		CODE(QUEUE_STATUS),
		CODE(QUEUE_NOTIFY),
		CODE(DOORBELL_CREATE),
		CODE(DOORBELL_CONNECT),
		CODE(DOORBELL_DESTROY),
		CODE(QUEUE_SUBMIT),
		CODE(QUEUE_WAIT),
		CODE(QUEUE_SIGNAL),
		CODE(QUEUE_RESUME),
		CODE(FENCE_EXPORT),
		CODE(FENCE_IMPORT),
		CODE(CONTEXT_CREATE),
		CODE(CONTEXT_DESTROY),
		CODE(QUEUE_RENDER),
		CODE(FENCE_EVENTFD),
		CODE(FENCE_TO_FD),
		CODE(FENCE_FROM_FD),
		CODE(LINK),
	};

	if (request >= sizeof(codes) / sizeof(codes[0]) || !codes[request])
		return -ENOTTY;
	return ioctl(to_drm(carrier)->fd, codes[request], arguments) ? -errno : 0;
}

/* --- mappings ---------------------------------------------------------------------------- */

static uint64_t whole_pages(uint64_t bytes)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

static struct mapping *mapping_create(struct drm_carrier *carrier, uint64_t offset, uint64_t bytes,
				      bool writable)
{
	struct mapping *mapping = malloc(sizeof(*mapping));

	if (!mapping) {
		errno = ENOMEM;
		return NULL;
	}
	mapping->offset = offset;
	mapping->bytes = whole_pages(bytes);
	mapping->users = 0;
	mapping->pointer = mmap(NULL, mapping->bytes, PROT_READ | (writable ? PROT_WRITE : 0),
				MAP_SHARED, carrier->fd, (off_t)offset);
	if (mapping->pointer == MAP_FAILED) {
		free(mapping);
		return NULL;
	}
	mapping->next = carrier->mappings;
	carrier->mappings = mapping;
	return mapping;
}

static int drm_map(struct rf_carrier *base, uint64_t offset, uint64_t bytes, bool writable,
		   void **pointer)
{
	struct drm_carrier *carrier = to_drm(base);
	struct mapping *mapping;
	int error = 0;

	pthread_mutex_lock(&carrier->lock);
	for (mapping = carrier->mappings; mapping; mapping = mapping->next)
		if (mapping->offset == offset)
			break;
	if (!mapping)
		mapping = mapping_create(carrier, offset, bytes, writable);
	if (mapping) {
		mapping->users++;
		*pointer = mapping->pointer;
	} else {
		error = -errno;
	}
	pthread_mutex_unlock(&carrier->lock);
	return error;
}

static void drm_unmap(struct rf_carrier *base, void *pointer)
{
	struct drm_carrier *carrier = to_drm(base);
	struct mapping **link = &carrier->mappings;
	struct mapping *mapping;

	pthread_mutex_lock(&carrier->lock);
	while ((*link)->pointer != pointer)
		link = &(*link)->next;
	mapping = *link;
	if (!--mapping->users) {
		*link = mapping->next;
		munmap(mapping->pointer, mapping->bytes);
		free(mapping);
	}
	pthread_mutex_unlock(&carrier->lock);
}

static void drm_ring(struct rf_carrier_doorbell *doorbell, uint64_t value)
{
	*((struct drm_doorbell *)doorbell)->page = value;
}

static int drm_doorbell_map(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes,
			    struct rf_carrier_doorbell **result)
{
	struct drm_doorbell *doorbell = malloc(sizeof(*doorbell));
	void *page;
	int error;

	if (!doorbell)
		return -ENOMEM;
	error = drm_map(carrier, offset, bytes, true, &page);
	if (error) {
		free(doorbell);
		return error;
	}
	doorbell->base.ring = drm_ring;
	doorbell->page = page;
	*result = &doorbell->base;
	return 0;
}

static void drm_doorbell_unmap(struct rf_carrier *carrier, struct rf_carrier_doorbell *doorbell)
{
	drm_unmap(carrier, (void *)((struct drm_doorbell *)doorbell)->page);
	free(doorbell);
}

/* --- opening ----------------------------------------------------------------------------- */

static void drm_close(struct rf_carrier *base)
{
	struct drm_carrier *carrier = to_drm(base);
	struct mapping *mapping;

	while ((mapping = carrier->mappings)) {
		carrier->mappings = mapping->next;
		munmap(mapping->pointer, mapping->bytes);
		free(mapping);
	}
	close(carrier->fd);
	pthread_mutex_destroy(&carrier->lock);
	free(carrier);
}

/*
 * The open file lives as long as the parent has it. Mappings stay until the child ends or calls
 * exec(): some were not inherited, and the child may have mapped something else at their address.
 */
static void drm_abandon(struct rf_carrier *base)
{
	struct drm_carrier *carrier = to_drm(base);
	struct mapping *mapping;

	while ((mapping = carrier->mappings)) {
		carrier->mappings = mapping->next;
		free(mapping);
	}
	close(carrier->fd);
	free(carrier);
}

static int drm_fd(struct rf_carrier *carrier)
{
	return to_drm(carrier)->fd;
}

static const struct rf_carrier_ops drm_ops = {
	.close = drm_close,
	.abandon = drm_abandon,
	.fd = drm_fd,
	.request = drm_request,
	.map = drm_map,
	.unmap = drm_unmap,
	.doorbell_map = drm_doorbell_map,
	.doorbell_unmap = drm_doorbell_unmap,
};

/* The file, if our driver serves it, else a negative errno. */
static int open_node(const char *path)
{
	drmVersionPtr version;
	int error = -ENODEV;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	version = drmGetVersion(fd);
	if (version && !strcmp(version->name, DRIVER) && version->version_major == MAJOR)
		error = 0;
	drmFreeVersion(version);
	if (error)
		close(fd);
	return error ? error : fd;
}

static bool is_ours(drmDevicePtr device)
{
	return device->bustype == DRM_BUS_PCI &&
	       device->deviceinfo.pci->vendor_id == RF_VENDOR_ID &&
	       device->deviceinfo.pci->device_id == RF_DEVICE_ID &&
	       (device->available_nodes & (1 << DRM_NODE_RENDER));
}

/* The first render node of ours that opens, or why one does not. */
static int open_first(void)
{
	drmDevicePtr devices[DEVICES_MAX];
	int count = drmGetDevices2(0, devices, DEVICES_MAX);
	int fd = -ENODEV;
	int i;

	for (i = 0; i < count && fd < 0; i++)
		if (is_ours(devices[i]))
			fd = open_node(devices[i]->nodes[DRM_NODE_RENDER]);
	if (count > 0)
		drmFreeDevices(devices, count);
	return fd;
}

int rf_carrier_open_drm(const char *name, struct rf_carrier **result)
{
	struct drm_carrier *carrier;
	int fd = *name ? open_node(name) : open_first();

	if (fd < 0)
		return fd;
	carrier = calloc(1, sizeof(*carrier));
	if (!carrier) {
		close(fd);
		return -ENOMEM;
	}
	carrier->base.ops = &drm_ops;
	carrier->fd = fd;
	pthread_mutex_init(&carrier->lock, NULL);
	*result = &carrier->base;
	return 0;
}

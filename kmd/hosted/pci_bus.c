// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A bare PCIe function as a struct rf_bus: libpciaccess finds it and maps its BARs, the
 * kernel (sysfs) switches it on and resets it.
 *
 * A process has no safe way to give the device bus addresses of its memory, so there is no DMA: bus
 * mastering stays off, and everything lies in local memory. Without bus mastering there is no MSI-X
 * either. The device counts the interrupts that it would have raised; a thread that waits polls
 * that count, and so does a background thread at a lower rate, for work of the driver that no
 * thread waits for.
 *
 * Locking: the mutex guards handlers and the state of delivery; a handler is called
 * without it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pciaccess.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "rf_bus.h"
#include "rf_pci_bus.h"
#include "ringfence_hw.h"

#define BARS 6
#define PATH_BYTES 64
/* ns between two polls by a waiting thread, and by the background thread */
#define WAIT_PERIOD 20000u
#define THREAD_PERIOD 1000000u

struct handler {
	rf_bus_interrupt_fn function;
	void *argument;
};

struct pci_bus {
	struct rf_bus bus;
	char path[PATH_BYTES]; /* in sysfs */
	int lock; /* open file, locked against other processes; or -1 */
	bool enabled;
	struct pci_device *pci;
	volatile u8 *bars[BARS]; /* NULL: none */
	void *local_view; /* BAR 2, read only */
	pthread_mutex_t mutex;
	pthread_cond_t idle;
	struct handler handlers[RF_MSIX_VECTORS];
	unsigned int held;
	bool calling; /* a handler is under way */
	u64 seen; /* interrupts of the device that were delivered */
	pthread_t thread; /* that looks */
	bool started;
	bool stop; /* atomic */
};

static struct pci_bus *hosted_to_pci_bus(struct rf_bus *bus)
{
	return container_of(bus, struct pci_bus, bus);
}

/* --- accesses ------------------------------------------------------------------------ */

static u32 hosted_pci_read32(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return *(volatile u32 *)(hosted_to_pci_bus(bus)->bars[bar] + offset);
}

static u64 hosted_pci_read64(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return *(volatile u64 *)(hosted_to_pci_bus(bus)->bars[bar] + offset);
}

static void hosted_pci_write32(struct rf_bus *bus, unsigned int bar, u64 offset, u32 value)
{
	*(volatile u32 *)(hosted_to_pci_bus(bus)->bars[bar] + offset) = value;
}

static void hosted_pci_write64(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	*(volatile u64 *)(hosted_to_pci_bus(bus)->bars[bar] + offset) = value;
}

/* Words where that is possible: memcpy() may go by bytes. */
static void hosted_pci_read_bytes(struct rf_bus *bus, unsigned int bar, u64 offset, void *data,
				  size_t bytes)
{
	const volatile u8 *from = hosted_to_pci_bus(bus)->bars[bar] + offset;
	u8 *to = data;

	for (; bytes && (uintptr_t)from % 8; bytes--)
		*to++ = *from++;
	for (; bytes >= 8; bytes -= 8, from += 8, to += 8) {
		u64 word = *(const volatile u64 *)from;

		memcpy(to, &word, 8);
	}
	while (bytes--)
		*to++ = *from++;
}

static void hosted_pci_write_bytes(struct rf_bus *bus, unsigned int bar, u64 offset,
				   const void *data, size_t bytes)
{
	volatile u8 *to = hosted_to_pci_bus(bus)->bars[bar] + offset;
	const u8 *from = data;

	for (; bytes && (uintptr_t)to % 8; bytes--)
		*to++ = *from++;
	for (; bytes >= 8; bytes -= 8, from += 8, to += 8) {
		u64 word;

		memcpy(&word, from, 8);
		*(volatile u64 *)to = word;
	}
	while (bytes--)
		*to++ = *from++;
}

static u64 hosted_pci_bar_bytes(struct rf_bus *bus, unsigned int bar)
{
	return bar < BARS && hosted_to_pci_bus(bus)->bars[bar]
		       ? hosted_to_pci_bus(bus)->pci->regions[bar].size
		       : 0;
}

static int hosted_pci_map_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 *bus_address)
{
	(void)bus;
	(void)cpu;
	(void)bytes;
	(void)bus_address;
	return -EOPNOTSUPP;
}

/* There is nothing to undo. */
static void hosted_pci_unmap_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 bus_address)
{
	(void)bus;
	(void)cpu;
	(void)bytes;
	(void)bus_address;
}

static void *hosted_pci_local_memory(struct rf_bus *bus, bool writable)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);

	return writable ? (void *)pci->bars[RF_BAR_LOCAL_MEMORY] : pci->local_view;
}

/* --- interrupts ------------------------------------------------------------------------ */

/* All handlers, once. mutex held; dropped around them. */
static void hosted_pci_call_handlers(struct pci_bus *pci)
{
	u32 vector;

	for (vector = 0; vector < ARRAY_SIZE(pci->handlers); vector++) {
		struct handler handler = pci->handlers[vector];

		if (!handler.function)
			continue;
		pthread_mutex_unlock(&pci->mutex);
		handler.function(handler.argument, vector);
		pthread_mutex_lock(&pci->mutex);
	}
}

/* Deliver the interrupts raised since the last poll. Not from a handler. */
static void hosted_pci_poll(struct pci_bus *pci)
{
	u64 raised;

	pthread_mutex_lock(&pci->mutex);
	while (pci->calling)
		pthread_cond_wait(&pci->idle, &pci->mutex);
	if (pci->held) {
		pthread_mutex_unlock(&pci->mutex);
		return;
	}
	pci->calling = true;
	raised = hosted_pci_read64(&pci->bus, RF_BAR_REGISTERS,
				   RF_REG_COUNTER_VALUE(RF_COUNTER_INTERRUPTS_RAISED));
	if (raised == U64_MAX) /* a lost device, which the handlers find out */
		pci->seen = raised - 1;
	for (; pci->seen < raised; pci->seen++)
		hosted_pci_call_handlers(pci);
	pci->calling = false;
	pthread_cond_broadcast(&pci->idle);
	pthread_mutex_unlock(&pci->mutex);
}

static void hosted_pci_sleep(u64 nanoseconds)
{
	const struct timespec time = { .tv_nsec = (long)nanoseconds };

	nanosleep(&time, NULL);
}

static void *hosted_pci_poll_thread(void *argument)
{
	struct pci_bus *pci = argument;

	while (!__atomic_load_n(&pci->stop, __ATOMIC_RELAXED)) {
		hosted_pci_poll(pci);
		hosted_pci_sleep(THREAD_PERIOD);
	}
	return NULL;
}

static unsigned int hosted_pci_vectors(struct rf_bus *bus)
{
	(void)bus;
	return RF_MSIX_VECTORS;
}

static int hosted_pci_request_interrupt(struct rf_bus *bus, unsigned int vector,
					rf_bus_interrupt_fn function, void *argument)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);

	if (vector >= ARRAY_SIZE(pci->handlers))
		return -EINVAL;
	pthread_mutex_lock(&pci->mutex);
	pci->handlers[vector] = (struct handler){ function, argument };
	pthread_mutex_unlock(&pci->mutex);
	return 0;
}

static void hosted_pci_synchronize_interrupt(struct rf_bus *bus, unsigned int vector)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);

	(void)vector;
	pthread_mutex_lock(&pci->mutex);
	while (pci->calling)
		pthread_cond_wait(&pci->idle, &pci->mutex);
	pthread_mutex_unlock(&pci->mutex);
}

static void hosted_pci_free_interrupt(struct rf_bus *bus, unsigned int vector)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);

	pthread_mutex_lock(&pci->mutex);
	pci->handlers[vector] = (struct handler){ 0 };
	pthread_mutex_unlock(&pci->mutex);
	hosted_pci_synchronize_interrupt(bus, vector);
}

static void hosted_pci_hold_interrupts(struct rf_bus *bus)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);

	pthread_mutex_lock(&pci->mutex);
	pci->held++;
	pthread_mutex_unlock(&pci->mutex);
}

static void hosted_pci_release_interrupts(struct rf_bus *bus)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);

	pthread_mutex_lock(&pci->mutex);
	pci->held--;
	pthread_mutex_unlock(&pci->mutex);
}

static int hosted_pci_wait(struct rf_bus *bus, bool (*done)(void *argument), void *argument,
			   u64 deadline)
{
	for (;;) {
		if (done(argument))
			return 0;
		hosted_pci_poll(hosted_to_pci_bus(bus));
		if (done(argument))
			return 0;
		if (deadline != RF_TIME_NEVER && rf_time() >= deadline)
			return -ETIMEDOUT;
		hosted_pci_sleep(WAIT_PERIOD);
	}
}

/* Nothing to do: a waiting thread polls. */
static void hosted_pci_wake(struct rf_bus *bus)
{
	(void)bus;
}

/* --- the function ------------------------------------------------------------------------ */

static int hosted_pci_write_attribute(const struct pci_bus *pci, const char *name, const char *text)
{
	char path[PATH_BYTES + 16];
	int file, error = 0;

	snprintf(path, sizeof(path), "%s/%s", pci->path, name);
	file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return -errno;
	if (write(file, text, strlen(text)) < 0)
		error = -errno;
	close(file);
	return error;
}

/*
 * The kernel saves and restores the configuration space. Polling is held off meanwhile, since
 * reads of the device return all ones.
 */
static int hosted_pci_reset_function(struct rf_bus *bus)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);
	int ret;

	hosted_pci_hold_interrupts(bus);
	hosted_pci_synchronize_interrupt(bus, 0);
	ret = hosted_pci_write_attribute(pci, "reset", "1");
	pthread_mutex_lock(&pci->mutex);
	pci->seen = 0;
	pthread_mutex_unlock(&pci->mutex);
	hosted_pci_release_interrupts(bus);
	return ret ? -EIO : 0;
}

static const struct rf_bus_ops pci_bus_ops = {
	.read32 = hosted_pci_read32,
	.read64 = hosted_pci_read64,
	.write32 = hosted_pci_write32,
	.write64 = hosted_pci_write64,
	.read_bytes = hosted_pci_read_bytes,
	.write_bytes = hosted_pci_write_bytes,
	.bar_bytes = hosted_pci_bar_bytes,
	.map_memory = hosted_pci_map_memory,
	.unmap_memory = hosted_pci_unmap_memory,
	.local_memory = hosted_pci_local_memory,
	.vectors = hosted_pci_vectors,
	.request_interrupt = hosted_pci_request_interrupt,
	.free_interrupt = hosted_pci_free_interrupt,
	.synchronize_interrupt = hosted_pci_synchronize_interrupt,
	.reset_function = hosted_pci_reset_function,
	.hold_interrupts = hosted_pci_hold_interrupts,
	.release_interrupts = hosted_pci_release_interrupts,
	.wait = hosted_pci_wait,
	.wake = hosted_pci_wake,
};

static int system_error;

static void hosted_pci_init_system(void)
{
	system_error = pci_system_init();
}

static int hosted_pci_find(struct pci_bus *pci, const char *slot)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	unsigned int domain, bus, device, function;
	int length = 0;

	if (sscanf(slot, "%4x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, &length) != 4 ||
	    length != 12 || slot[length])
		return -EINVAL;
	pthread_once(&once, hosted_pci_init_system);
	if (system_error)
		return -system_error;
	pci->pci = pci_device_find_by_slot(domain, bus, device, function);
	if (!pci->pci || pci_device_probe(pci->pci))
		return -ENOENT;
	if (pci->pci->vendor_id != RF_VENDOR_ID || pci->pci->device_id != RF_DEVICE_ID)
		return -ENODEV;
	if (pci_device_has_kernel_driver(pci->pci))
		return -EBUSY;
	snprintf(pci->path, sizeof(pci->path), "/sys/bus/pci/devices/%s", slot);
	return 0;
}

/* Exclude other processes. */
static int hosted_pci_lock(struct pci_bus *pci)
{
	char path[PATH_BYTES + 16];

	snprintf(path, sizeof(path), "%s/config", pci->path);
	pci->lock = open(path, O_RDONLY | O_CLOEXEC);
	if (pci->lock < 0)
		return -errno;
	return flock(pci->lock, LOCK_EX | LOCK_NB) ? -errno : 0;
}

static int hosted_pci_map_bar(struct pci_bus *pci, unsigned int bar)
{
	const struct pci_mem_region *region = &pci->pci->regions[bar];
	void *pointer;
	int error;

	if (!region->size)
		return 0;
	error = pci_device_map_range(pci->pci, region->base_addr, region->size,
				     PCI_DEV_MAP_FLAG_WRITABLE, &pointer);
	if (error)
		return -error;
	pci->bars[bar] = pointer;
	return 0;
}

/* libpciaccess maps a range once. */
static int hosted_pci_map_local_view(struct pci_bus *pci)
{
	char path[PATH_BYTES + 16];
	void *view;
	int file;

	if (!pci->bars[RF_BAR_LOCAL_MEMORY])
		return 0;
	snprintf(path, sizeof(path), "%s/resource%d", pci->path, RF_BAR_LOCAL_MEMORY);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -errno;
	view = mmap(NULL, pci->pci->regions[RF_BAR_LOCAL_MEMORY].size, PROT_READ, MAP_SHARED, file,
		    0);
	close(file);
	if (view == MAP_FAILED)
		return -errno;
	pci->local_view = view;
	return 0;
}

static int hosted_pci_start(struct pci_bus *pci, const char *slot, bool reset)
{
	unsigned int bar;
	int ret = hosted_pci_find(pci, slot);

	if (!ret)
		ret = hosted_pci_lock(pci);
	if (!ret)
		ret = hosted_pci_write_attribute(pci, "enable", "1");
	pci->enabled = !ret;
	if (!ret && reset)
		ret = hosted_pci_reset_function(&pci->bus);
	for (bar = 0; bar < BARS && !ret; bar++)
		ret = hosted_pci_map_bar(pci, bar);
	if (!ret)
		ret = hosted_pci_map_local_view(pci);
	if (ret)
		return ret;
	if (!pci->bars[RF_BAR_REGISTERS] ||
	    hosted_pci_read64(&pci->bus, RF_BAR_REGISTERS, 0) == U64_MAX)
		return -EIO;
	if (pthread_create(&pci->thread, NULL, hosted_pci_poll_thread, pci))
		return -ENOMEM;
	pci->started = true;
	return 0;
}

static int hosted_pci_create(const char *slot, bool reset, struct rf_bus **result)
{
	struct pci_bus *pci = calloc(1, sizeof(*pci));
	int ret;

	if (!pci)
		return -ENOMEM;
	pci->bus.ops = &pci_bus_ops;
	pci->lock = -1;
	pthread_mutex_init(&pci->mutex, NULL);
	pthread_cond_init(&pci->idle, NULL);
	ret = hosted_pci_start(pci, slot, reset);
	if (ret) {
		rf_pci_bus_destroy(&pci->bus);
		return ret;
	}
	*result = &pci->bus;
	return 0;
}

int rf_pci_bus_create(const char *slot, struct rf_bus **bus)
{
	return hosted_pci_create(slot, true, bus);
}

int rf_pci_bus_attach(const char *slot, struct rf_bus **bus)
{
	return hosted_pci_create(slot, false, bus);
}

void rf_pci_bus_destroy(struct rf_bus *bus)
{
	struct pci_bus *pci = hosted_to_pci_bus(bus);
	unsigned int bar;

	if (pci->started) {
		__atomic_store_n(&pci->stop, true, __ATOMIC_RELAXED);
		pthread_join(pci->thread, NULL);
	}
	if (pci->local_view)
		munmap(pci->local_view, pci->pci->regions[RF_BAR_LOCAL_MEMORY].size);
	for (bar = 0; bar < BARS; bar++)
		if (pci->bars[bar])
			pci_device_unmap_range(pci->pci, (void *)pci->bars[bar],
					       pci->pci->regions[bar].size);
	if (pci->enabled)
		hosted_pci_write_attribute(pci, "enable", "0");
	if (pci->lock >= 0) {
		flock(pci->lock, LOCK_UN); /* a child of fork() may have the file still */
		close(pci->lock);
	}
	pthread_cond_destroy(&pci->idle);
	pthread_mutex_destroy(&pci->mutex);
	free(pci);
}

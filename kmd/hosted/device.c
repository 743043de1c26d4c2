// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Devices, files and requests of the hosted shell, and interrupts: the bus calls service and
 * deferred part on the thread that runs the clock, at a time when no thread holds a spinlock; work
 * at PASSIVE is run at the end of a request, when the thread holds no lock of the core.
 */
#include <stdlib.h>

#include "hosted.h"

/* The core does not report which adapter; work on an adapter that has none does nothing. */
static void hosted_want_work(struct rf_hosted *hosted)
{
	struct rf_hosted_device *device;

	pthread_mutex_lock(&hosted->mutex);
	rf_list_for_each(device, &hosted->devices, link)
		__atomic_store_n(&device->work, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&hosted->mutex);
}

/* @os is embedded in a struct rf_hosted: only its core calls rf_shell_go_on(). */
void hosted_go_on(struct rf_os *os)
{
	struct rf_hosted *hosted = container_of(os, struct rf_hosted, os);
	bool work;

	while (__atomic_load_n(&os->unsettled, __ATOMIC_RELAXED) &&
	       __atomic_exchange_n(&os->unsettled, 0, __ATOMIC_ACQ_REL)) {
		kmd_sync_domain_go_on(hosted->domain, &work);
		if (work)
			hosted_want_work(hosted);
	}
}

static void hosted_handle_interrupt(void *argument, unsigned int vector)
{
	struct rf_hosted_device *device = argument;

	if (kmd_adapter_interrupt(device->adapter, vector) && kmd_adapter_dpc(device->adapter))
		__atomic_store_n(&device->work, true, __ATOMIC_RELEASE);
	hosted_go_on(&device->hosted->os);
}

void rf_shell_wake(struct rf_bus *bus)
{
	struct rf_hosted_device *device = bus->shell;

	kmd_adapter_wake(device->adapter);
}

static bool hosted_take_work(struct rf_hosted_device *device)
{
	return __atomic_load_n(&device->work, __ATOMIC_RELAXED) &&
	       __atomic_exchange_n(&device->work, false, __ATOMIC_ACQ_REL);
}

static void hosted_do_work(struct rf_hosted_device *device)
{
	hosted_go_on(&device->hosted->os);
	if (hosted_take_work(device))
		kmd_adapter_work(device->adapter);
	hosted_go_on(&device->hosted->os);
	hosted_work_for_all(device->hosted);
}

/* --- work for several devices -------------------------------------------------------------- */

/*
 * What a request does on one device can leave work on another: a signal wakes it from D3. If there
 * is one device only, its work is done by its requests.
 */
bool hosted_has_work_for_all(struct rf_hosted *hosted)
{
	struct rf_hosted_device *device;
	bool any = false;

	if (__atomic_load_n(&hosted->device_count, __ATOMIC_RELAXED) < 2)
		return false;
	pthread_mutex_lock(&hosted->mutex);
	rf_list_for_each(device, &hosted->devices, link)
		any |= __atomic_load_n(&device->work, __ATOMIC_RELAXED) &&
		       !__atomic_load_n(&device->leaving, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&hosted->mutex);
	return any;
}

/* A device with work, which is taken, or NULL. life held. */
static struct rf_hosted_device *hosted_find_work(struct rf_hosted *hosted)
{
	struct rf_hosted_device *device, *found = NULL;

	pthread_mutex_lock(&hosted->mutex);
	rf_list_for_each(device, &hosted->devices, link)
		if (!found && !device->leaving && hosted_take_work(device))
			found = device;
	pthread_mutex_unlock(&hosted->mutex);
	return found;
}

void hosted_work_for_all(struct rf_hosted *hosted)
{
	struct rf_hosted_device *device;

	if (!hosted_has_work_for_all(hosted))
		return;
	pthread_rwlock_rdlock(&hosted->life);
	while ((device = hosted_find_work(hosted))) {
		kmd_adapter_work(device->adapter);
		hosted_go_on(&hosted->os);
	}
	pthread_rwlock_unlock(&hosted->life);
}

/* --- world and devices ------------------------------------------------------------------- */

int rf_hosted_create(struct rf_hosted **result)
{
	struct rf_hosted *hosted = calloc(1, sizeof(*hosted));
	int ret;

	if (!hosted)
		return -ENOMEM;
	pthread_mutex_init(&hosted->mutex, NULL);
	pthread_rwlock_init(&hosted->life, NULL);
	rf_list_init(&hosted->devices);
	ret = kmd_sync_domain_create(&hosted->os, &hosted->domain);
	if (ret) {
		pthread_rwlock_destroy(&hosted->life);
		pthread_mutex_destroy(&hosted->mutex);
		free(hosted);
		return ret;
	}
	*result = hosted;
	return 0;
}

void rf_hosted_destroy(struct rf_hosted *hosted)
{
	kmd_sync_domain_destroy(hosted->domain);
	pthread_rwlock_destroy(&hosted->life);
	pthread_mutex_destroy(&hosted->mutex);
	free(hosted);
}

static void hosted_link_device(struct rf_hosted_device *device)
{
	struct rf_hosted *hosted = device->hosted;

	pthread_mutex_lock(&hosted->mutex);
	rf_list_insert(&device->link, &hosted->devices);
	__atomic_fetch_add(&hosted->device_count, 1, __ATOMIC_RELAXED);
	if (!hosted->os.bus)
		hosted->os.bus = device->bus;
	pthread_mutex_unlock(&hosted->mutex);
}

static void hosted_unlink_device(struct rf_hosted_device *device)
{
	struct rf_hosted *hosted = device->hosted;

	pthread_mutex_lock(&hosted->mutex);
	rf_list_remove(&device->link);
	__atomic_fetch_sub(&hosted->device_count, 1, __ATOMIC_RELAXED);
	if (hosted->os.bus == device->bus)
		hosted->os.bus =
			rf_list_empty(&hosted->devices)
				? NULL
				: rf_list_first(&hosted->devices, struct rf_hosted_device, link)
					  ->bus;
	pthread_mutex_unlock(&hosted->mutex);
}

static void hosted_free_interrupts(struct rf_hosted_device *device, u32 count)
{
	while (count)
		device->bus->ops->free_interrupt(device->bus, --count);
}

static int hosted_request_interrupts(struct rf_hosted_device *device)
{
	u32 count = kmd_adapter_vectors(device->adapter);
	u32 i;
	int ret;

	if (count > device->bus->ops->vectors(device->bus))
		return -ENODEV;
	for (i = 0; i < count; i++) {
		ret = device->bus->ops->request_interrupt(device->bus, i, hosted_handle_interrupt,
							  device);
		if (ret) {
			hosted_free_interrupts(device, i);
			return ret;
		}
	}
	return 0;
}

int rf_hosted_add_device(struct rf_hosted *hosted, struct rf_bus *bus, const struct rf_ddi *ddi,
			 struct rf_hosted_device **result)
{
	struct rf_hosted_device *device = calloc(1, sizeof(*device));
	int ret;

	if (!device)
		return -ENOMEM;
	device->hosted = hosted;
	device->bus = bus;
	bus->os = &hosted->os;
	bus->shell = device;
	ret = hosted_local_memory_init(&device->local,
				       bus->ops->bar_bytes(bus, RF_BAR_LOCAL_MEMORY));
	if (ret)
		goto destroy_local;
	hosted_link_device(device);
	ret = kmd_adapter_create(hosted->domain, bus, ddi, NULL, &device->adapter);
	if (ret)
		goto unlink;
	ret = hosted_request_interrupts(device);
	if (ret)
		goto destroy_adapter;
	*result = device;
	return 0;

destroy_adapter:
	kmd_adapter_destroy(device->adapter);
unlink:
	hosted_unlink_device(device);
destroy_local:
	hosted_local_memory_destroy(&device->local);
	free(device);
	return ret;
}

void rf_hosted_remove_device(struct rf_hosted_device *device)
{
	rf_hosted_watchdog(device, 0);
	pthread_rwlock_wrlock(&device->hosted->life);
	__atomic_store_n(&device->leaving, true, __ATOMIC_RELAXED);
	pthread_rwlock_unlock(&device->hosted->life);
	hosted_free_interrupts(device, kmd_adapter_vectors(device->adapter));
	kmd_adapter_destroy(device->adapter);
	hosted_unlink_device(device);
	hosted_local_memory_destroy(&device->local);
	free(device);
}

/* --- files and requests ------------------------------------------------------------------ */

int rf_hosted_open(struct rf_hosted_device *device, struct rf_file **result)
{
	return rf_hosted_open_as(device, 0, true, result);
}

int rf_hosted_open_as(struct rf_hosted_device *device, uint64_t user, bool privileged,
		      struct rf_file **result)
{
	struct rf_file *file = calloc(1, sizeof(*file));
	int ret;

	if (!file)
		return -ENOMEM;
	hosted_file_init(file, device);
	file->user = user;
	file->privileged = privileged;
	ret = kmd_file_open(device->adapter, file, &file->file);
	if (ret) {
		hosted_file_destroy(file);
		free(file);
		return ret;
	}
	*result = file;
	return 0;
}

void rf_hosted_close(struct rf_file *file)
{
	struct rf_hosted_device *device = file->device;

	kmd_file_close(file->file);
	hosted_file_destroy(file);
	free(file);
	hosted_do_work(device);
}

int rf_hosted_request(struct rf_file *file, unsigned int request, void *arguments)
{
	int ret = kmd_request(file->file, request, arguments);

	if (!ret)
		hosted_trace_request(file->device, request, arguments);
	hosted_do_work(file->device);
	return ret;
}

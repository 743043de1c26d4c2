// SPDX-License-Identifier: Apache-2.0
/* Errors in words: of functions, of opening a device by name, and of the device's queues. */
#include "problem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ringfence.h"
#include "ringfence_hw.h"

/* --- errors of functions ------------------------------------------------------------------ */

/* What an errno means here, where strerror() would mislead. */
static const struct {
	int error;
	const char *text;
} errors[] = {
	{ EIO, "the device or the queue is lost, or stopped by an error" },
	{ ENODEV, "there is no such device, or it is the parent's since fork()" },
	{ EINVAL, "an argument is not allowed" },
	{ EACCES, "the fence's handle, or this process, has no right to do that" },
	{ EAGAIN, "the ring is full, or another process has the device" },
	{ EBUSY, "it is in use: commands in flight, or no address space is left" },
	{ ECANCELED, "the fence was destroyed during the wait" },
	{ ETIMEDOUT, "the time is over" },
	{ ETIME, "the wait was given up by rf_device_debug_waits()" },
	{ ENOSPC, "a limit of the device's handle is reached, or its commands' buffer is full" },
	{ EDQUOT, "a limit of the user is reached" },
	{ EMFILE, "the user has too many handles of devices" },
	{ EOPNOTSUPP, "this kind of device, queue or fence cannot do that" },
	{ ERANGE, "outside of the memory, or of 64 bits" },
	{ ENOMEM, "no memory" },
};

const char *rf_error_string(int error)
{
	size_t i;

	if (error < 0)
		error = -error;
	if (!error)
		return "no error";
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].error == error)
			return errors[i].text;
	return strerror(error);
}

/* --- errors of queues ------------------------------------------------------------------- */

const char *rf_queue_error_string(uint32_t error)
{
	switch (error) {
	case RF_QUEUE_ERROR_NONE:
		return "no error";
	case RF_QUEUE_ERROR_OPCODE:
		return "a packet with an unknown opcode";
	case RF_QUEUE_ERROR_LENGTH:
		return "a packet with a wrong length";
	case RF_QUEUE_ERROR_FLAGS:
		return "a packet with a flag that it does not have";
	case RF_QUEUE_ERROR_ALIGNMENT:
		return "an address or a size that is not aligned";
	case RF_QUEUE_ERROR_RING_ENTRY:
		return "a malformed ring entry";
	case RF_QUEUE_ERROR_LOG_INDEX:
		return "a log index beyond the end of the log";
	case RF_QUEUE_ERROR_TRANSLATION:
		return "an address that is not mapped, or not for this access";
	case RF_QUEUE_ERROR_UNSUPPORTED_REQUEST:
		return "a read was answered with Unsupported Request";
	case RF_QUEUE_ERROR_COMPLETER_ABORT:
		return "a read was answered with Completer Abort";
	case RF_QUEUE_ERROR_POISONED:
		return "a read was answered with poisoned data";
	case RF_QUEUE_ERROR_COMPLETION_TIMEOUT:
		return "a read was not answered";
	case RF_QUEUE_ERROR_BUS_MASTER_DISABLED:
		return "an access to host memory while bus mastering is off";
	case RF_QUEUE_ERROR_ENGINE:
		return "the engine reported an error";
	case RF_QUEUE_ERROR_OPERAND:
		return "an operand that the engine does not take";
	case RF_QUEUE_ERROR_ENGINE_RESET:
		return "the engine hung and was reset";
	}
	return "an unknown error";
}

/* --- errors of opening --------------------------------------------------------------------- */

struct reason {
	const char *prefix;
	int error;
	const char *text;
};

/* The first that fits. */
static const struct reason reasons[] = {
	{ "drm:", ENODEV,
	  "the driver serves no such render node; as root: modprobe ringfence; sim: is the "
	  "simulated device" },
	{ "drm:", ENOENT, "there is no such file; drm: is the first node of the driver" },
	{ "drm:", EACCES, "no permission; render nodes are for the group render" },
	{ "pci:", EINVAL, "the name is as in pci:0000:00:04.0" },
	{ "pci:", ENOENT,
	  "there is no such function; lspci -D -d 1e5f: shows those that there are" },
	{ "pci:", ENODEV, "the function is another device; lspci -D -d 1e5f: shows ours" },
	{ "pci:", EBUSY,
	  "a kernel driver has it; as root: echo FUNCTION >/sys/bus/pci/devices/FUNCTION/driver/unbind" },
	{ "pci:", EAGAIN, "another process has it" },
	{ "pci:", EACCES, "no permission; a bare function is for root" },
	{ "pci:", EPERM, "no permission; a bare function is for root" },
	{ "pci:", EIO, "it does not answer; is its link up?" },
	{ "serial:", ENOENT, "there is no such file; the name is as in serial:/dev/ttyUSB0" },
	{ "serial:", ENOTTY, "the file is no serial line" },
	{ "serial:", EACCES, "no permission; serial lines are for the group dialout" },
	{ "serial:", EBUSY, "another process has it" },
	{ "serial:", ETIMEDOUT, "no board answers at 1 Mbaud" },
};

const char *rf_open_reason(const char *name, int error)
{
	static const char *const kinds[] = { "sim:", "drm:", "pci:", "serial:", "miniport:" };
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strncmp(reasons[i].prefix, name, strlen(reasons[i].prefix)) &&
		    reasons[i].error == -error)
			return reasons[i].text;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(kinds[i], name, strlen(kinds[i])))
			return strerror(-error);
	return "a device is sim:, drm:, pci:, serial: or miniport:, see docs/device-string.md";
}

static _Thread_local char problem[RF_OPEN_PROBLEM];

void rf_open_failed(const char *name, const char *reason)
{
	snprintf(problem, sizeof(problem), "cannot open %.100s: %s", name, reason);
}

void rf_open_succeeded(void)
{
	problem[0] = 0;
}

const char *rf_device_open_error(void)
{
	return problem;
}

// SPDX-License-Identifier: Apache-2.0
/*
 * The diagnosis of a dump. The dump is joined here: the driver's part names processes, queues and
 * fences, the device's part has slots and addresses. A slot belongs to the queue with the same
 * address of the progress fence; a slot waits for the fence that its process sees at that address.
 */
#include "diagnosis.h"

#include <ctype.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "quantity.h"
#include "ringfence.h"

#define WIDTH 96u
#define NAME_BYTES 96

struct diagnosis {
	FILE *output;
	struct json_object *all; /* the dumps of all devices, a list; NULL: one device */
	size_t number; /* of this device in it */
	struct json_object *kernel, *device;
	struct json_object *queues, *fences, *processes, *nodes; /* of the driver, lists */
	struct json_object *slots, *engines; /* of the device, lists */
	uint64_t hz, now;
	unsigned int findings;
};

/* --- the dump ----------------------------------------------------------------------------- */

static struct json_object *at(struct json_object *object, const char *path)
{
	struct json_object *found = NULL;

	return object && !json_pointer_get(object, path, &found) ? found : NULL;
}

static uint64_t number(struct json_object *object, const char *path)
{
	struct json_object *found = at(object, path);

	return found ? json_object_get_uint64(found) : 0;
}

static bool is(struct json_object *object, const char *path, const char *word)
{
	struct json_object *found = at(object, path);

	return found && !strcmp(json_object_get_string(found), word);
}

/* 0 for what is no list */
static size_t count(struct json_object *list)
{
	return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

/* NULL beyond the end */
static struct json_object *element_of(struct json_object *list, size_t i)
{
	return i < count(list) ? json_object_array_get_idx(list, i) : NULL;
}

#define for_each_element(element, i, list) \
	for ((i) = 0; (i) < count(list) && ((element) = element_of(list, i), true); (i)++)

/* The element of a list of which a member has that value, or NULL. */
static struct json_object *find(struct json_object *list, const char *path, uint64_t value)
{
	struct json_object *element;
	size_t i;

	for_each_element(element, i, list)
		if (number(element, path) == value)
			return element;
	return NULL;
}

/* --- sentences ---------------------------------------------------------------------------- */

/* Words into lines; the first line of a finding begins with "- ". */
static void print_paragraph(struct diagnosis *diagnosis, const char *first, const char *text)
{
	unsigned int column = (unsigned int)fprintf(diagnosis->output, "  %s", first);
	bool start = true;

	while (*text) {
		unsigned int length = (unsigned int)strcspn(text, " ");

		if (!start && column + 1 + length > WIDTH)
			column = (unsigned int)fprintf(diagnosis->output, "\n    ") - 1;
		else if (!start)
			column += (unsigned int)fprintf(diagnosis->output, " ");
		column += (unsigned int)fprintf(diagnosis->output, "%.*s", (int)length, text);
		text += length + (text[length] == ' ');
		start = false;
	}
	fputc('\n', diagnosis->output);
}

/* @next: what to do, or NULL; @what is made of the format */
__attribute__((format(printf, 3, 4))) static void say(struct diagnosis *diagnosis, const char *next,
						      const char *what, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, what);
	vsnprintf(text, sizeof(text), what, arguments);
	va_end(arguments);
	text[0] = (char)toupper((unsigned char)text[0]);
	print_paragraph(diagnosis, "- ", text);
	if (next) {
		snprintf(text, sizeof(text), "Next: %s", next);
		print_paragraph(diagnosis, "  ", text);
	}
	diagnosis->findings++;
}

/* --- names -------------------------------------------------------------------------------- */

static const char *node_name(uint64_t node)
{
	static const char *const names[] = { "node 0 (compute)", "node 1 (copy)",
					     "node 2 (paging)" };

	return node < sizeof(names) / sizeof(names[0]) ? names[node] : "an unknown node";
}

static const char *process_name(struct diagnosis *diagnosis, uint64_t process, char *name)
{
	uint64_t pid = number(find(diagnosis->processes, "/process", process), "/pid");

	if (pid)
		snprintf(name, NAME_BYTES, "process %" PRIu64 " (pid %" PRIu64 ")", process, pid);
	else
		snprintf(name, NAME_BYTES, "process %" PRIu64, process);
	return name;
}

static const char *queue_name(struct diagnosis *diagnosis, struct json_object *queue, char *name)
{
	char process[NAME_BYTES];

	snprintf(name, NAME_BYTES, "queue %" PRIu64 " of %.60s", number(queue, "/handle"),
		 process_name(diagnosis, number(queue, "/process"), process));
	return name;
}

static struct json_object *slot_queue(struct diagnosis *diagnosis, struct json_object *slot)
{
	uint64_t address = number(slot, "/progress_address");

	return address ? find(diagnosis->queues, "/progress_address", address) : NULL;
}

static struct json_object *queue_slot(struct diagnosis *diagnosis, struct json_object *queue)
{
	uint64_t address = number(queue, "/progress_address");
	struct json_object *slot;
	size_t i;

	for_each_element(slot, i, diagnosis->slots)
		if (address && number(slot, "/progress_address") == address &&
		    !is(slot, "/status/state", "disabled"))
			return slot;
	return NULL;
}

static const char *slot_name(struct diagnosis *diagnosis, size_t slot_number, char *name)
{
	struct json_object *slot = element_of(diagnosis->slots, slot_number);
	struct json_object *queue = slot_queue(diagnosis, slot);

	if (queue)
		return queue_name(diagnosis, queue, name);
	snprintf(name, NAME_BYTES, "the queue in slot %zu (handle %" PRIu64 ", VMID %" PRIu64 ")",
		 slot_number, number(slot, "/config/handle"), number(slot, "/config/vmid"));
	return name;
}

/* --- the device and processes as a whole ---------------------------------------------------- */

static bool is_gone(struct diagnosis *diagnosis)
{
	return diagnosis->now == UINT64_MAX;
}

static void diagnose_device(struct diagnosis *diagnosis)
{
	if (is_gone(diagnosis))
		say(diagnosis,
		    "look whether the function is there (lspci) and decodes memory (setpci -s "
		    "FUNCTION COMMAND); the driver resets a device that does not respond at two checks "
		    "in a row. The device's numbers below mean nothing.",
		    "The device does not respond: its registers read all ones.");
	if (number(diagnosis->kernel, "/fatal"))
		say(diagnosis,
		    "read the kernel log for the reason, then remove the function and scan the bus "
		    "again, or load the driver again.",
		    "The driver no longer uses the device: it is lost for good. Every wait ends with "
		    "ENODEV.");
}

static void diagnose_processes(struct diagnosis *diagnosis)
{
	struct json_object *process;
	char name[NAME_BYTES];
	size_t i;

	for_each_element(process, i, diagnosis->processes)
		if (number(process, "/lost"))
			say(diagnosis,
			    "the process closes the device, opens it again, and makes its queues again.",
			    "The device of %s is lost: work of it hung an engine, or the whole device "
			    "was reset. Its waits end with EIO.",
			    process_name(diagnosis, number(process, "/process"), name));
}

/* --- nodes ---------------------------------------------------------------------------------- */

static const char *stall_text(struct json_object *node, char *text)
{
	uint64_t ns = number(node, "/stalled_ns");
	char time[RF_QUANTITY_BYTES];

	if (!number(node, "/stalled"))
		snprintf(text, NAME_BYTES, "%s", "");
	else if (ns)
		snprintf(text, NAME_BYTES, " It has made no progress for %s.",
			 rf_time_text(time, sizeof(time), (double)ns));
	else
		snprintf(text, NAME_BYTES, " It had made no progress at the last check.");
	return text;
}

static void next_of_engine(struct diagnosis *diagnosis, struct json_object *engine,
			   struct json_object *node, char *next, size_t bytes)
{
	uint64_t delay = number(diagnosis->kernel, "/tdr_delay");
	char time[RF_QUANTITY_BYTES];

	rf_time_text(time, sizeof(time), (double)delay);
	if (number(engine, "/engine/hold"))
		snprintf(next, bytes,
			 "NODE.ENGINE.hold is set, as tests of recovery do: the engine "
			 "accepts no request until it is reset.");
	else if (number(node, "/preempting"))
		snprintf(next, bytes,
			 "nothing: it was asked to give its work back, and is reset if it does not "
			 "within %s.",
			 time);
	else if (delay)
		snprintf(
			next, bytes,
			"dump again: if node/alive is the same, the engine hangs. The driver asks it "
			"to give its work back after %s, and resets it after as long again.",
			time);
	else
		snprintf(next, bytes,
			 "dump again: if node/alive is the same, the engine hangs. No "
			 "driver watches it.");
}

static void diagnose_engine(struct diagnosis *diagnosis, size_t i, struct json_object *engine,
			    struct json_object *node)
{
	uint64_t operations = number(engine, "/engine/operations");
	char name[NAME_BYTES], stall[NAME_BYTES], next[256];

	next_of_engine(diagnosis, engine, node, next, sizeof(next));
	say(diagnosis, next,
	    "The engine of %s works for %s: %" PRIu64 " operation%s, %" PRIu64 " reads and %" PRIu64
	    " writes in flight.%s",
	    node_name(i), slot_name(diagnosis, number(engine, "/status/slot"), name), operations,
	    operations == 1 ? "" : "s", number(engine, "/engine/reads"),
	    number(engine, "/engine/writes"), stall_text(node, stall));
}

static void diagnose_node(struct diagnosis *diagnosis, size_t i, struct json_object *engine)
{
	struct json_object *node = element_of(diagnosis->nodes, i);
	char name[NAME_BYTES], stall[NAME_BYTES];

	if (number(engine, "/engine/reset"))
		say(diagnosis, NULL, "The engine of %s is %s.", node_name(i),
		    number(engine, "/engine/in_reset")
			    ? "in reset"
			    : "about to be reset: accesses that it began are being completed");
	else if (number(engine, "/engine/operations"))
		diagnose_engine(diagnosis, i, engine, node);
	else if (number(engine, "/status/busy"))
		say(diagnosis,
		    "dump again: if node/retired is the same, look at counter/completion_timeouts "
		    "and at the command buffer (slot/buffer_address).",
		    "%s serves %s: its engine has nothing to do, so it reads or executes commands.%s",
		    node_name(i), slot_name(diagnosis, number(engine, "/status/slot"), name),
		    stall_text(node, stall));
}

static void diagnose_nodes(struct diagnosis *diagnosis)
{
	struct json_object *engine;
	size_t i;

	for_each_element(engine, i, diagnosis->engines)
		diagnose_node(diagnosis, i, engine);
}

/* --- waits of queues -------------------------------------------------------------------------- */

/* The fence that a process sees at an address: of the driver's list, or NULL */
static struct json_object *fence_at(struct diagnosis *diagnosis, uint64_t process, uint64_t address)
{
	struct json_object *local, *of = find(diagnosis->processes, "/process", process);

	local = find(at(of, "/fences"), "/current_address", address);
	return local ? find(diagnosis->fences, "/handle", number(local, "/fence")) : NULL;
}

/* The queue whose progress a fence is, or NULL */
static struct json_object *progress_queue(struct diagnosis *diagnosis, struct json_object *fence)
{
	struct json_object *process, *local, *queue;
	size_t i, j, k;

	for_each_element(process, i, diagnosis->processes)
		for_each_element(local, j, at(process, "/fences"))
			if (number(local, "/queue") &&
			    number(local, "/fence") == number(fence, "/handle"))
				for_each_element(queue, k, diagnosis->queues)
					if (number(queue, "/handle") == number(local, "/queue") &&
					    number(queue, "/process") ==
						    number(process, "/process"))
						return queue;
	return NULL;
}

static bool has_work(struct json_object *queue)
{
	return number(queue, "/queued") != number(queue, "/completed") || number(queue, "/packets");
}

/* Another queue with work that does not wait for a fence itself, or NULL */
static struct json_object *possible_signaller(struct diagnosis *diagnosis,
					      struct json_object *waiting)
{
	struct json_object *queue;
	size_t i;

	for_each_element(queue, i, diagnosis->queues)
		if (queue != waiting && has_work(queue) && !number(queue, "/error") &&
		    !number(queue, "/asleep") &&
		    !is(queue_slot(diagnosis, queue), "/status/state", "waiting"))
			return queue;
	return NULL;
}

static void open_dump(struct diagnosis *diagnosis, struct json_object *dump);

/* The same on other devices: where, or false */
static bool possible_signaller_elsewhere(struct diagnosis *diagnosis, size_t *device, char *name)
{
	struct json_object *dump, *queue;
	size_t i;

	for_each_element(dump, i, diagnosis->all) {
		struct diagnosis other = { 0 };

		if (i == diagnosis->number)
			continue;
		open_dump(&other, dump);
		queue = possible_signaller(&other, NULL);
		if (!queue)
			continue;
		*device = i;
		queue_name(&other, queue, name);
		return true;
	}
	return false;
}

static void next_of_wait(struct diagnosis *diagnosis, struct json_object *waiting,
			 struct json_object *fence, uint64_t value, char *next, size_t bytes)
{
	struct json_object *other = possible_signaller(diagnosis, waiting);
	bool shared = number(fence, "/cross_adapter");
	char name[NAME_BYTES];
	size_t device;

	if (fence && number(fence, "/value") >= value)
		snprintf(next, bytes,
			 "dump again: the value is reached. If the queue still waits, "
			 "its wake-up was lost; the driver tells it to read the fence "
			 "again.");
	else if (!diagnosis->kernel)
		snprintf(next, bytes,
			 "read the value at that address, and find what should "
			 "signal it.");
	else if (other)
		snprintf(next, bytes,
			 "%s has work that is not finished: if that work signals the "
			 "fence, look there first.",
			 queue_name(diagnosis, other, name));
	else if (shared && possible_signaller_elsewhere(diagnosis, &device, name))
		snprintf(next, bytes,
			 "the fence is of several devices. On device %zu, %s has work that is not "
			 "finished: if that work signals the fence, look there first.",
			 device, name);
	else if (shared && !diagnosis->all)
		snprintf(next, bytes,
			 "the fence is of several devices, and no other queue of this one has work "
			 "that could signal it: see a dump of the others.");
	else
		snprintf(next, bytes,
			 "no other queue has work that could signal it: a program must "
			 "signal the fence (rf_fence_signal()), or submit work that "
			 "does.");
}

static void since_text(struct diagnosis *diagnosis, struct json_object *slot, char *text,
		       size_t bytes)
{
	uint64_t observed = number(slot, "/wait_observed");
	char cycles[2 * RF_QUANTITY_BYTES];

	if (observed && observed <= diagnosis->now)
		snprintf(text, bytes, " It has waited for %s.",
			 rf_cycles_text(cycles, sizeof(cycles), diagnosis->now - observed,
					diagnosis->hz));
	else
		snprintf(text, bytes, "%s", "");
}

static void diagnose_waiting_slot(struct diagnosis *diagnosis, size_t i, struct json_object *slot)
{
	uint64_t address = number(slot, "/wait_address"), value = number(slot, "/wait_value");
	struct json_object *queue = slot_queue(diagnosis, slot), *fence;
	char name[NAME_BYTES], since[NAME_BYTES + RF_QUANTITY_BYTES], next[256];

	fence = fence_at(diagnosis, number(queue, "/process"), address);
	next_of_wait(diagnosis, queue, fence, value, next, sizeof(next));
	since_text(diagnosis, slot, since, sizeof(since));
	slot_name(diagnosis, i, name);
	if (fence)
		say(diagnosis, next,
		    "%s on %s waits for value %" PRIu64 " of fence %" PRIu64
		    ", which has value %" PRIu64 ".%s",
		    name, node_name(number(slot, "/config/node")), value, number(fence, "/handle"),
		    number(fence, "/value"), since);
	else
		say(diagnosis, next,
		    "%s on %s waits for value %" PRIu64 " at address 0x%" PRIx64
		    ", where the dump has no fence.%s",
		    name, node_name(number(slot, "/config/node")), value, address, since);
}

static void diagnose_bare_slot(struct diagnosis *diagnosis, size_t i, struct json_object *slot)
{
	struct json_object *error = at(slot, "/status/error");
	char name[NAME_BYTES];

	if (is(slot, "/status/state", "error"))
		say(diagnosis,
		    "the queue stays in error until it is destroyed; the packet is at slot/pointers "
		    "and slot/packet_words.",
		    "%s stopped with the error %s at 0x%" PRIx64 ".", slot_name(diagnosis, i, name),
		    error ? json_object_get_string(error) : "unknown",
		    number(slot, "/error_address"));
	else if (is(slot, "/status/state", "stopped_host"))
		say(diagnosis, "the driver resumes the slot with SLOT_CONTROL.resume.",
		    "%s stopped at a request to the host.", slot_name(diagnosis, i, name));
}

static void diagnose_slots(struct diagnosis *diagnosis)
{
	struct json_object *slot;
	size_t i;

	for_each_element(slot, i, diagnosis->slots)
		if (is(slot, "/status/state", "waiting"))
			diagnose_waiting_slot(diagnosis, i, slot);
		else if (!slot_queue(diagnosis, slot))
			diagnose_bare_slot(diagnosis, i, slot);
}

/* --- queues that the device does not execute --------------------------------------------------- */

/* A queue in a slot of the same node with a higher priority, or NULL */
static struct json_object *higher_queue(struct diagnosis *diagnosis, struct json_object *queue)
{
	struct json_object *other;
	size_t i;

	for_each_element(other, i, diagnosis->queues)
		if (other != queue && number(other, "/node") == number(queue, "/node") &&
		    !is(other, "/residence", "out") && has_work(other) &&
		    number(other, "/priority") > number(queue, "/priority"))
			return other;
	return NULL;
}

static void diagnose_queue_behind(struct diagnosis *diagnosis, struct json_object *queue,
				  const char *name, const char *where)
{
	struct json_object *higher = higher_queue(diagnosis, queue);
	char other[NAME_BYTES];

	if (higher)
		say(diagnosis,
		    "nothing, if that is meant: it runs when the other has nothing to do. Else create "
		    "both with the same priority.",
		    "%s (priority %" PRIu64 ") has work and is ready %s; %s (priority %" PRIu64
		    ") goes before it on %s.",
		    name, number(queue, "/priority"), where, queue_name(diagnosis, higher, other),
		    number(higher, "/priority"), node_name(number(queue, "/node")));
	else
		say(diagnosis,
		    "nothing, unless a second dump shows the same: then look at what holds the node.",
		    "%s has work and is ready %s: it waits for its turn on %s.", name, where,
		    node_name(number(queue, "/node")));
}

static void diagnose_queue_doorbell(struct diagnosis *diagnosis, struct json_object *queue,
				    const char *name)
{
	if (is(queue, "/doorbell", "aborted"))
		say(diagnosis,
		    "the process destroys the queue; after ABORT it is never served again.",
		    "The doorbell of %s is aborted.", name);
	else
		say(diagnosis,
		    "the process connects the doorbell and rings again: rf_queue_submit() does so. If "
		    "the program stores to the doorbell itself, it must look at the status word after "
		    "each store.",
		    "%s has work in its ring (%" PRIu64 " of %" PRIu64
		    " done) that the device does not know of: its doorbell is not connected (%s).",
		    name, number(queue, "/completed"), number(queue, "/queued"),
		    at(queue, "/doorbell") ? json_object_get_string(at(queue, "/doorbell"))
					   : "none");
}

static void diagnose_idle_slot(struct diagnosis *diagnosis, struct json_object *queue,
			       const char *name)
{
	if (number(queue, "/packets"))
		say(diagnosis, "look at the fences that its packets wait for.",
		    "%s has %" PRIu64
		    " packets, none of them on the device: the kernel holds them until the fences "
		    "that they wait for are signalled.",
		    name, number(queue, "/packets"));
	else
		say(diagnosis,
		    "dump again; if nothing changed, the doorbell was not rung or the ring was lost. "
		    "The driver looks for lost rings; the program may ring again.",
		    "%s is in a slot and idle, although %" PRIu64 " of its %" PRIu64
		    " submissions are not completed.",
		    name, number(queue, "/queued") - number(queue, "/completed"),
		    number(queue, "/queued"));
}

static void diagnose_absent_queue(struct diagnosis *diagnosis, struct json_object *queue,
				  const char *name)
{
	if (is(queue, "/residence", "leaving"))
		say(diagnosis, "dump again: it has left when its engine has ended what it began.",
		    "%s is being preempted: it leaves its slot on %s.", name,
		    node_name(number(queue, "/node")));
	else if (number(queue, "/asleep"))
		say(diagnosis, "find what should signal that fence.",
		    "%s is preempted: it waited for a fence. It comes back to %s when the value is "
		    "reached.",
		    name, node_name(number(queue, "/node")));
	else if (number(queue, "/user_mode") && !is(queue, "/doorbell", "connected"))
		diagnose_queue_doorbell(diagnosis, queue, name);
	else
		diagnose_queue_behind(diagnosis, queue, name, "outside of a slot");
}

static void diagnose_queue(struct diagnosis *diagnosis, struct json_object *queue)
{
	struct json_object *slot = queue_slot(diagnosis, queue);
	char name[NAME_BYTES];

	queue_name(diagnosis, queue, name);
	if (number(queue, "/error"))
		say(diagnosis, "the process destroys the queue and makes another.",
		    "%s is lost: %s, at 0x%" PRIx64 ".", name,
		    rf_queue_error_string((uint32_t)number(queue, "/error")),
		    number(queue, "/error_address"));
	else if (number(queue, "/trapped"))
		say(diagnosis, "the process resumes it (rf_queue_resume()).",
		    "%s stopped at a TRAP with code %" PRIu64 ".", name,
		    number(queue, "/trap_code"));
	else if (!has_work(queue))
		return;
	else if (is(queue, "/context_state", "suspended") ||
		 is(queue, "/context_state", "suspending"))
		say(diagnosis, "it continues when its context is resumed.",
		    "%s has work and is %s: the driver took it off the device, for power management "
		    "or because its process ends.",
		    name, json_object_get_string(at(queue, "/context_state")));
	else if (!is(queue, "/residence", "resident"))
		diagnose_absent_queue(diagnosis, queue, name);
	else if (is(slot, "/status/state", "idle"))
		diagnose_idle_slot(diagnosis, queue, name);
	else if (is(slot, "/status/state", "runnable"))
		diagnose_queue_behind(diagnosis, queue, name, "in its slot");
}

/* --- waits of CPUs ------------------------------------------------------------------------------ */

static void diagnose_cpu_waits(struct diagnosis *diagnosis)
{
	struct json_object *fence, *queue;
	char next[256], name[NAME_BYTES];
	size_t i;

	for_each_element(fence, i, diagnosis->fences) {
		uint64_t waiters = number(fence, "/waiters");
		uint64_t least = number(fence, "/least_waited");

		if (!waiters)
			continue;
		queue = progress_queue(diagnosis, fence);
		if (queue && number(fence, "/value") < least)
			snprintf(next, sizeof(next),
				 "it is the progress of %s: see what that queue "
				 "does.",
				 queue_name(diagnosis, queue, name));
		else
			next_of_wait(diagnosis, NULL, fence, least, next, sizeof(next));
		say(diagnosis, next,
		    "%" PRIu64 " wait%s of CPUs for fence %" PRIu64 ", which has value %" PRIu64
		    "; the least value waited for is %" PRIu64 ".",
		    waiters, waiters == 1 ? "" : "s", number(fence, "/handle"),
		    number(fence, "/value"), least);
	}
}

/* The parts of the dump of a device. */
static void open_dump(struct diagnosis *diagnosis, struct json_object *dump)
{
	diagnosis->kernel = at(dump, "/kernel");
	diagnosis->device = at(dump, "/device");
	diagnosis->queues = at(dump, "/kernel/queues");
	diagnosis->fences = at(dump, "/kernel/fences");
	diagnosis->processes = at(dump, "/kernel/processes");
	diagnosis->nodes = at(dump, "/kernel/nodes");
	diagnosis->slots = at(dump, "/device/slot/index");
	diagnosis->engines = at(dump, "/device/node/index");
	diagnosis->hz = number(dump, "/device/device/timestamp_hz");
	diagnosis->now = number(dump, "/device/device/timestamp");
}

static void diagnose(struct diagnosis *diagnosis)
{
	struct json_object *queue;
	size_t i;

	diagnose_device(diagnosis);
	diagnose_processes(diagnosis);
	if (!is_gone(diagnosis)) {
		diagnose_nodes(diagnosis);
		diagnose_slots(diagnosis);
	} else {
		diagnosis->slots = NULL;
	}
	for_each_element(queue, i, diagnosis->queues)
		diagnose_queue(diagnosis, queue);
	diagnose_cpu_waits(diagnosis);
	if (!diagnosis->findings)
		say(diagnosis, NULL,
		    "Nothing waits: no queue has work that is not finished, and no engine is busy.");
	fputc('\n', diagnosis->output);
}

void rf_diagnose(struct json_object *dump, FILE *output)
{
	struct diagnosis diagnosis = { .output = output, .all = at(dump, "/devices") };
	size_t devices = count(diagnosis.all), i;

	if (!devices) {
		diagnosis.all = NULL;
		fprintf(output, "diagnosis\n");
		open_dump(&diagnosis, dump);
		diagnose(&diagnosis);
	}
	for (i = 0; i < devices; i++) {
		fprintf(output, "diagnosis of device %zu\n", i);
		diagnosis.number = i;
		diagnosis.findings = 0;
		open_dump(&diagnosis, element_of(diagnosis.all, i));
		diagnose(&diagnosis);
	}
}

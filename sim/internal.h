/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of librfsim share.
 *
 *   world.c      the lock, the clock, actions, interrupts, the verdict
 *   memory.c     registered host memory
 *   port.c       a root port, cycle by cycle: beats in, beats out
 *   requester.c  requests of the host and their completions
 *   completer.c  requests of the device: memory, completions, MSIs, faults
 *   checker.c    the protocol of what the device sends
 *   peer.c       requests of a device to a BAR of another one
 *   hold.c       events are counted; rings, MSIs and completions are held
 *   record.c     records of runs, and their replay
 *   firmware.c   enumeration and MSI-X set-up
 *   model.c      which model a device gets
 *
 * Everything here is called with the world locked.
 */
#ifndef RFSIM_INTERNAL_H
#define RFSIM_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "rfsim.h"
#include "tlp.h"
#include "device_model.h"

/* --- random --------------------------------------------------------------- */

/* xorshift64*; state is never 0. */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

static inline bool random_chance(uint64_t *state, uint32_t percent)
{
	return percent && random_next(state) % 100 < percent;
}

static inline uint64_t random_between(uint64_t *state, uint64_t min, uint64_t max)
{
	return min == max ? min : min + random_next(state) % (max - min + 1);
}

/* --- requests of the host ------------------------------------------------- */

#define HOST_TAGS 32
/* Reads on their way at once: what the device's queue of received reads holds. */
#define HOST_READS 8
#define HOST_READ_BYTES 512

/*
 * A non-posted request. It stays in its slot, which is its tag, from its
 * creation to its last completion; one that was given up keeps its tag for
 * ever, so that a late completion cannot be taken for another's.
 */
struct host_request {
	bool busy, sent, done, abandoned;
	bool memory_allowed; /* memory space may have been enabled when sent */
	uint32_t header[TLP_HEADER_WORDS];
	uint32_t *data; /* the caller's, as many words as the header says */
	unsigned int received; /* words */
	uint64_t next_byte; /* address of the next byte that is due */
	unsigned int remaining; /* bytes */
	int error;
};

/* What a completion repeats of a request that rfsim_tlp_send() sent. */
struct sent_request {
	uint16_t requester;
	uint8_t tag;
	uint32_t first; /* word of the header */
};

#define SENT_REQUESTS 256 /* that are remembered, the last ones */

/* A growing first-in first-out queue of TLPs towards the device. */
struct tlp_queue {
	uint32_t *words;
	size_t capacity, head, used;
};

/* The TLP that is being presented, or was taken from a queue for that. */
struct outgoing {
	uint64_t stamp;
	uint32_t header[TLP_HEADER_WORDS];
	uint32_t payload[TLP_MAX_PAYLOAD_WORDS];
	unsigned int words, position;
	struct host_request *request;
	bool active, presented, link_error;
	uint64_t taken, first_cycle; /* taken from its queue; first beat handed over */
};

/* --- requests of the device ----------------------------------------------- */

#define DEVICE_TAGS 256

struct device_read {
	bool busy;
	bool sampled; /* data holds what memory held when the request came */
	uint8_t tag;
	enum tlp_status status;
	bool poisoned;
	bool held; /* its completion, see hold.c */
	uint32_t header[TLP_HEADER_WORDS];
	uint64_t due;
	uint64_t next_byte;
	unsigned int remaining;
	struct rfsim_device *peer; /* that it waits for, see peer.c; or NULL */
	bool peer_sent; /* it was passed on */
	unsigned int peer_words; /* that have come */
	uint32_t data[TLP_MAX_PAYLOAD_WORDS];
};

/* A part of a BAR of another device that a device may reach. */
struct peer_window {
	struct rfsim_device *to;
	uint64_t first, bytes;
};

#define PEER_WINDOWS 16

struct fault_rule {
	struct rfsim_fault fault;
	uint64_t seen;
};

#define FAULT_RULES 16

/* --- events and holds ----------------------------------------------------- */

#define EVENT_RULES 16 /* of each kind */

struct hold_rule {
	struct rfsim_hold hold;
	uint64_t
		due; /* of UNTIL_CYCLE and, once it has happened, of UNTIL_EVENT; else UINT64_MAX */
};

struct store_rule {
	enum rfsim_event event;
	uint64_t number;
	unsigned int bar;
	uint64_t offset, value;
};

struct held_item {
	const struct hold_rule *rule;
	uint64_t came; /* cycle */
	uint64_t offset; /* of a ring, in BAR 0 */
	size_t bytes;
	uint8_t data[8];
	uint32_t message; /* of an MSI */
	uint8_t tag; /* of a read */
};

/* What a link is told to be; new: another device is there now, and the link is up. */
enum observed_link { OBSERVED_DOWN, OBSERVED_UP, OBSERVED_NEW };

/*
 * Called for every TLP; for every cycle with one of the events; when the link is taken down or up,
 * with the first cycle of that; for what rfsim_note_fence() says. Functions may be NULL.
 */
struct observer {
	void *context;
	rfsim_tlp_fn *tlp;
	rfsim_event_fn *event;
	uint64_t mask;
	void (*link)(void *context, uint64_t cycle, enum observed_link link);
	void (*fence)(void *context, uint64_t cycle, uint32_t handle, uint64_t token);
	struct observer *next;
};

/* A TLP of the posted stream while its beats come in. */
struct incoming {
	bool active, started;
	uint32_t header[TLP_HEADER_WORDS];
	uint32_t payload[TLP_MAX_PAYLOAD_WORDS];
	unsigned int words;
	bool bad; /* framing or length already reported */
	uint64_t valid_since; /* its first beat */
	uint64_t first_cycle;
};

/* --- memory --------------------------------------------------------------- */

struct memory_region {
	uint64_t first, bytes;
	uint8_t *memory;
	bool no_read, no_write; /* not allowed to devices */
	bool lost; /* what is behind it has gone */
};

/* What addresses mean to a device. */
struct memory_space {
	struct memory_region *regions; /* sorted by address */
	size_t count, capacity, recent;
};

/* --- a device behind its root port ---------------------------------------- */

/* SERR# Enable of Command, where it is in that register; 7: those of Device Control */
#define ERRORS_SERR 0x100u

struct rfsim_device {
	struct rfsim_world *world;
	unsigned int index;
	uint16_t id; /* bus, device, function given to it */
	struct device_model *model;
	bool serial; /* at the other end of a line */
	struct rfsim_port_config config;
	uint64_t random;
	uint64_t random_gap, random_posted, random_read; /* of beats; a replay draws the same */
	bool link_up, link_wanted;
	bool in_cycle; /* of its port */

	struct device_inputs inputs;
	struct device_outputs outputs, previous;
	bool posted_stalled, read_stalled; /* valid and not ready a cycle ago */
	bool read_bus_master; /* bus mastering was on when the read showed up */
	bool quiet; /* idle, and no TLP was sent to it */
	int64_t transmit_credit, receive_credit; /* wire bytes */

	/* To the device. */
	struct tlp_queue posted, nonposted;
	uint64_t next_stamp;
	struct outgoing out;
	bool completion_last; /* was sent; alternate with host requests */
	struct host_request requests[HOST_TAGS];
	unsigned int requests_busy; /* neither done nor abandoned */
	unsigned int requests_sent; /* of those */
	struct sent_request sent[SENT_REQUESTS]; /* by others than the host's requester */
	unsigned int sent_count;
	bool turned_off; /* PME_Turn_Off was sent and is not acknowledged */

	/* From the device. */
	struct incoming in;
	uint64_t read_last_valid, completion_last_cycle;
	struct device_read *reads; /* by tag */
	uint8_t read_order[DEVICE_TAGS]; /* tags in order of arrival */
	unsigned int read_count;
	uint64_t last_interrupt_due;
	struct memory_space own; /* with rfsim_config.iommu */
	struct peer_window windows[PEER_WINDOWS];
	unsigned int window_count;
	struct peer_item *peer_first, *peer_last; /* to other devices, in order */
	uint64_t peer_due; /* of the last one */
	unsigned int peer_reads; /* of other devices that this one holds */
	struct fault_rule faults[FAULT_RULES];
	unsigned int fault_count;
	uint64_t fault_hits;

	/*
	 * What the device may do, as last configured. A write of configuration
	 * space that permits counts from when it is sent, one that forbids from
	 * its completion.
	 */
	bool id_given, id_possible;
	bool bus_master, memory_space;
	unsigned int max_payload, max_read;
	unsigned int host_payload; /* what the device takes for sure */
	unsigned int payload_since_idle, read_since_idle; /* the largest of each */
	bool extended_tags;
	unsigned int errors, errors_since_idle; /* enables: bit of Device Control, ERRORS_SERR */
	unsigned int express_capability;

	struct rfsim_bar bars[6];
	bool enumerated;

	uint64_t event_counts[RFSIM_EVENT_COUNT];
	bool fence_written; /* of the present fence operation */
	struct hold_rule holds[EVENT_RULES];
	unsigned int hold_count;
	struct store_rule stores[EVENT_RULES];
	unsigned int store_count;
	struct held_item *held; /* in the order in which they came */
	size_t held_count, held_capacity;
	bool letting_go; /* of a ring: it is not held again */

	rfsim_interrupt_fn *interrupt;
	void *interrupt_context;
	struct observer tap, event; /* the caller's callbacks */
	struct observer *observers; /* those of this library */
	struct string_files *files; /* named by a device string, or NULL */
	struct device_replay *replay; /* stands in for the host, or NULL */
	int trace_error; /* of the wave of one that was replugged */
	struct rfsim_statistics statistics;
};

/* --- the world ------------------------------------------------------------ */

struct action {
	uint64_t cycle, order;
	rfsim_action_fn *function;
	void *context;
};

struct interrupt {
	struct rfsim_device *device;
	uint32_t data;
	uint64_t due;
};

struct rfsim_world {
	/* A fair lock: threads get it in the order of their calls. */
	pthread_mutex_t mutex;
	pthread_cond_t turn;
	uint64_t next_ticket, serving;
	atomic_uint contenders;
	atomic_uintptr_t owner;
	unsigned int depth;

	uint64_t cycle;
	uint64_t random;
	uint64_t host_timeout;
	bool assertions; /* of its devices' RTL are on */
	enum rfsim_link link; /* of its devices */
	uint32_t link_errors;
	struct rfsim_port_config port;

	struct rfsim_device **devices;
	unsigned int device_count;

	bool iommu; /* each device has its own memory, and reaches no other device */
	struct memory_space memory; /* without it, of all devices */
	uint64_t next_bus_address;

	struct action *actions; /* a heap, the next one first */
	size_t action_count, action_capacity;
	uint64_t action_order;

	struct interrupt *interrupts; /* sorted by due */
	size_t interrupt_capacity;
	atomic_size_t interrupt_count;
	atomic_uint held;
	uintptr_t deliverer;

	/* Threads in rfsim_wait(). */
	pthread_cond_t changed;
	atomic_ullong generation;
	unsigned int sleepers;
	bool runner;

	uint64_t violations[RFSIM_RULE_COUNT];
	char verdict[320];
};

/* world.c */
void world_lock(struct rfsim_world *world);
void world_unlock(struct rfsim_world *world);
/* False if the caller is in the cycle, or else locks. */
bool world_enter(struct rfsim_world *world);
/* Run the clock until done (NULL: never) or the cycle end; not in the cycle. */
void world_run(struct rfsim_world *world, bool (*done)(void *context), void *context, uint64_t end);
void world_changed(struct rfsim_world *world);
void world_interrupt(struct rfsim_device *device, uint32_t data, uint64_t due);

/* Nothing happens any more unless the host does something, or something held is let go. */
bool world_quiet(struct rfsim_world *world);

/* memory.c */
/* The space that a device's requests are for. */
struct memory_space *memory_space(struct rfsim_device *device);
void memory_free(struct memory_space *space);
/* Copy words with a byte mask of the first and the last; false if unregistered. */
bool memory_write(struct memory_space *space, uint64_t address, const uint32_t *words,
		  unsigned int count, unsigned int first, unsigned int last);
bool memory_read(struct memory_space *space, uint64_t address, uint32_t *words, unsigned int count);
/* Whether devices may read all of it. */
bool memory_covers(struct memory_space *space, uint64_t address, uint64_t bytes);
/* Was the memory registered before? Then an access to it is no error of the device. */
bool memory_is_lost(struct memory_space *space, uint64_t address);

/* port.c */
void port_cycle(struct rfsim_device *device);
bool port_idle(const struct rfsim_device *device);
/* Nothing was sent yet, and the device is not enumerated. */
void port_reset(struct rfsim_device *device);
/* Another device is there, and the link is up. */
void port_replugged(struct rfsim_device *device);
bool port_config_valid(const struct rfsim_port_config *config);
void port_count(struct rfsim_traffic *traffic, const uint32_t *header, unsigned int words,
		bool msi);

/* requester.c */
int queue_push(struct rfsim_device *device, bool posted, const uint32_t *header,
	       const uint32_t *payload, unsigned int words, struct host_request *request,
	       bool link_error);
/* Take the next request that may go into device->out; false if none may. */
bool requester_next(struct rfsim_device *device);
bool requester_pending(const struct rfsim_device *device);
/* The first beat of a request was taken by the device. */
void requester_sent(struct rfsim_device *device);
void requester_completion(struct rfsim_device *device, const uint32_t *header,
			  const uint32_t *payload, unsigned int words);
void requester_link_down(struct rfsim_device *device);
/* Has the BAR all these bytes? */
bool bar_access_valid(const struct rfsim_device *device, unsigned int bar, uint64_t offset,
		      uint64_t bytes);

void observer_add(struct rfsim_device *device, struct observer *observer);
void observer_remove(struct rfsim_device *device, struct observer *observer);

/* hold.c */
void hold_event(struct rfsim_device *device, enum rfsim_event event);
/* The bits of trace_o in this cycle. */
void hold_trace(struct rfsim_device *device, uint64_t bits);
/* Each of these: a new one came; true if it is held, or lost. A ring and an MSI count as events. */
bool hold_ring(struct rfsim_device *device, unsigned int bar, uint64_t offset, const void *data,
	       size_t bytes);
bool hold_msi(struct rfsim_device *device, uint32_t data);
bool hold_completion(struct rfsim_device *device, uint8_t tag);
/* Let go what is due; at the begin of a cycle. */
void hold_cycle(struct rfsim_device *device);
/* Is something held that will be let go without the host? */
bool hold_pending(const struct rfsim_device *device);
/* All that is held of this kind is lost. */
void hold_drop(struct rfsim_device *device, enum rfsim_held what);

/* completer.c */
void completer_message(struct rfsim_device *device, const uint32_t *header);
void completer_write(struct rfsim_device *device, const uint32_t *header, const uint32_t *payload,
		     unsigned int words);
void completer_read(struct rfsim_device *device, const uint32_t *header);
/* Make the next completion that is due in device->out; false if none is. */
bool completer_next(struct rfsim_device *device);
void completer_reset(struct rfsim_device *device);

/* peer.c */
/* The device that has the address in one of its BARs, or NULL. */
struct rfsim_device *peer_find(struct rfsim_world *world, uint64_t address);
void peer_write(struct rfsim_device *from, struct rfsim_device *to, const uint32_t *header,
		const uint32_t *payload, unsigned int words);
/* False: it completes as an Unsupported Request. */
bool peer_read(struct rfsim_device *from, struct rfsim_device *to, const uint32_t *header);
/* Pass on what is due; at the begin of a cycle. */
void peer_cycle(struct rfsim_device *from);
/* A completion by @to of a request that was not the host's. */
void peer_completion(struct rfsim_device *to, const uint32_t *header, const uint32_t *payload,
		     unsigned int words);
/* Of this device; also when it is freed. */
void peer_link_down(struct rfsim_device *device);

/* record.c */
/* Make the next TLP of the replay in device->out; false if its cycle has not come. */
bool replay_next(struct rfsim_device *device);

/* checker.c */
void violation(struct rfsim_device *device, enum rfsim_rule rule, const uint32_t *header,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Stability, strobes, framing of what the streams show in this cycle. */
void checker_stable(struct rfsim_device *device);
void checker_sizes(struct rfsim_device *device);
void checker_beat(struct rfsim_device *device, const struct device_beat *beat);
/* A request by rfsim_tlp_send() left; a completion came, is it for one? */
void checker_sent(struct rfsim_device *device, const uint32_t *header);
bool checker_observed(struct rfsim_device *device, const uint32_t *header);
/* A whole TLP; false if it cannot be handled further. */
bool checker_posted(struct rfsim_device *device, const uint32_t *header, unsigned int words,
		    bool bad);
bool checker_read(struct rfsim_device *device, const uint32_t *header);
void checker_read_order(struct rfsim_device *device, const uint32_t *header);
/* Whether a completion has a request, NULL if its tag cannot have one. */
bool checker_expected(struct rfsim_device *device, const struct host_request *request,
		      const uint32_t *header);
/* A completion of a host request; false if it must not be used. */
bool checker_completion(struct rfsim_device *device, const struct host_request *request,
			const uint32_t *header, unsigned int words);

#endif

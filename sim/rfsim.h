/* SPDX-License-Identifier: Apache-2.0 */
/*
 * librfsim: simulated Ringfence devices (Verilator) and their host.
 *
 * A world is host memory, a root complex and one clock. It holds any number of devices, each
 * behind its own root port, all stepped together. A root port and its device exchange real TLPs.
 *
 * Time. A cycle is one rising edge of the one clock (125 MHz by convention).
 * In cycle N, in this order: actions scheduled for N run; each root port
 * presents its beat and its ready signals; handshakes are observed; the edge.
 * rfsim_cycle() is the number of the next cycle to run. The library has no thread: the clock
 * runs inside rfsim_step(), rfsim_run_until(), rfsim_wait() and reads. The same seed and the same
 * calls from one thread give the same cycles and TLPs.
 *
 * Memory. A DMA write is performed in host memory in the cycle in which the
 * device's last beat of it is accepted; an aligned 8-byte word is one atomic
 * store (release). A DMA read reads aligned words atomically (acquire), either
 * when the request arrives or when its completion is sent, see read_early_percent.
 *
 * Threads. Any thread may call anything. Callbacks marked "in the cycle" run
 * with the world locked: they may call rfsim functions that do not run the
 * clock (others return -EDEADLK). Interrupt callbacks and predicates run with
 * the world unlocked and may call anything.
 *
 * Errors are negative errno values.
 */
#ifndef RFSIM_H
#define RFSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rfsim_world;
struct rfsim_device;

#define RFSIM_HZ 125000000u /* cycles in a second, by convention */

/* --- knobs ---------------------------------------------------------------- */

/**
 * struct rfsim_port_config - how one root port behaves.
 *
 * The benches use 0 for everything except max_payload, max_read and completion_boundary: always
 * ready, no added latency, no rate limit.
 *
 * @read_latency_min: cycles from the acceptance of a read request to the first
 *	cycle in which its completion may be presented
 * @read_latency_max: the latency of each read is uniform in [min, max]
 * @read_early_percent: chance that a read samples memory when it arrives, not when its
 *	completion is sent: the data is then as old as the latency
 * @split_percent: chance to end a completion at each completion boundary
 * @reorder_percent: chance that a completion other than the oldest is sent next
 * @receive_gap_percent: chance of a cycle without a beat towards the device
 * @posted_stall_percent: chance of a cycle in which the posted stream is not ready
 * @read_stall_percent: the same for the read stream; behind a link the root port then takes reads that
 *	come, and frees no credits of theirs
 * @max_payload: bytes, 128..4096, for the root port and, capped by what it
 *	supports, for the device
 * @max_read: bytes, 128..4096, what enumeration allows the device
 * @completion_boundary: 64 or 128 bytes, where the root port splits completions
 * @msi_delay_min: cycles from the acceptance of an MSI to its delivery
 * @msi_delay_max: uniform in [min, max]; MSIs are never reordered
 * @peer_delay_min: cycles from the acceptance of a request to a BAR of another device until it is
 *	queued for that device; the same for the completions of a read
 * @peer_delay_max: uniform in [min, max]; requests of one device keep their order
 * @peer_off: 1: the root complex does not route this device's requests to other devices
 * @transmit_rate: wire bytes per cycle from the device, 0 = unlimited; 4 is
 *	PCIe Gen2 x1 at 125 MHz
 * @receive_rate: wire bytes per cycle to the device, 0 = unlimited
 */
struct rfsim_port_config {
	uint32_t read_latency_min, read_latency_max;
	uint32_t read_early_percent;
	uint32_t split_percent;
	uint32_t reorder_percent;
	uint32_t receive_gap_percent;
	uint32_t posted_stall_percent;
	uint32_t read_stall_percent;
	uint32_t max_payload;
	uint32_t max_read;
	uint32_t completion_boundary;
	uint32_t msi_delay_min, msi_delay_max;
	uint32_t peer_delay_min, peer_delay_max;
	uint32_t peer_off;
	uint32_t transmit_rate;
	uint32_t receive_rate;
};

/* What is between a root port and its device. */
enum rfsim_link {
	RFSIM_LINK_NONE, /* nothing: a beat of a TLP is handed over in a cycle */
	RFSIM_LINK_GEN1X1, /* a PCIe link of one lane at 2.5 GT/s, symbol by symbol, as on a board */
};

/**
 * struct rfsim_config - a world.
 * @seed: of every random choice; any value
 * @host_timeout: cycles from its sending after which a host read gives up and
 *	returns all ones; the missing completion is an error of the run
 * @port: configuration of each new device's root port
 * @assertions: a failing assertion of the RTL prints its place on stderr and aborts the process;
 *	only for hosts that follow the device's rules, because some assertions check these
 * @iommu: each device reaches only what rfsim_iommu_map() maps for it, and no other device
 * @link: of each device, see rfsim_link(). Behind one the device's clock has half the rate, and it
 *	writes no waves
 * @link_errors: one symbol in so many is received wrongly, each way; 0: none. 0 without a link
 */
struct rfsim_config {
	uint64_t seed;
	uint64_t host_timeout;
	bool assertions;
	bool iommu;
	enum rfsim_link link;
	uint32_t link_errors;
	struct rfsim_port_config port;
};

#define RFSIM_LINK_ERRORS_LEAST 500 /* with more errors hardly a long TLP arrives */

/* Always-ready ports, read latency 32 cycles, 256-byte payload, 512-byte reads, no assertions. */
void rfsim_config_init(struct rfsim_config *config);

/* Every value drawn from the seed: the configuration of stress tests. */
void rfsim_config_random(struct rfsim_config *config, uint64_t seed);

/* --- worlds and devices --------------------------------------------------- */

/*
 * Load the model of a device behind its PCIe link, as rfsim_world_create() does for a world with
 * links. NULL, or a line that says why this failed.
 */
const char *rfsim_link(void);

/* config NULL: as rfsim_config_init. -EINVAL, -ENOMEM; -ENOENT: rfsim_link() says what is missing. */
int rfsim_world_create(const struct rfsim_config *config, struct rfsim_world **world);

/* Also destroys its devices. No other call may be under way. */
void rfsim_world_destroy(struct rfsim_world *world);

/*
 * NULL, or one line about the first violation of the run so far (protocol of the device, DMA
 * outside registered memory, missing completion). The text is valid as long as the world.
 */
const char *rfsim_world_check(struct rfsim_world *world);

/* A device in reset state, not enumerated. -ENOMEM. */
int rfsim_device_create(struct rfsim_world *world, struct rfsim_device **device);

/*
 * A board at the other end of a serial line (a tty, docs/serial-line.md), reset, not
 * enumerated. It has its own clock: a cycle of the world is then one poll of the line, of at most
 * 100 microseconds while no byte arrives. rfsim_trace() is not supported, there are no events, and
 * TLPs that the link layer would drop are not sent. When the board is reset or the line ends, the
 * link is down. Host reads wait for as many polls as a line needs. -ENOMEM, an error of open(2),
 * -ENOTTY, -EBUSY if another process has locked the line (flock(2), TIOCEXCL), -ETIMEDOUT if no
 * board answers within ten seconds.
 */
int rfsim_device_open_serial(struct rfsim_world *world, const char *path,
			     struct rfsim_device **device);
bool rfsim_device_is_serial(const struct rfsim_device *device);

/* 0, 1, ... in the order of creation. */
unsigned int rfsim_device_index(const struct rfsim_device *device);
/* The device with this index, or NULL. */
struct rfsim_device *rfsim_world_device(struct rfsim_world *world, unsigned int index);

/*
 * Put another device, in reset state and not enumerated, in the place of this one, as when a card is
 * exchanged. What was on its way in either direction is lost, as when the link goes down. Events,
 * faults and holds count on; a wave ends. -ENOMEM; -EDEADLK in the cycle; -EINVAL for a board.
 */
int rfsim_device_replug(struct rfsim_device *device);

/* Replace the configuration of one port from the next cycle on. -EINVAL. */
int rfsim_port_configure(struct rfsim_device *device, const struct rfsim_port_config *config);
void rfsim_port_config(struct rfsim_device *device, struct rfsim_port_config *config);

/**
 * struct rfsim_bar - a BAR, after enumeration.
 * @address: bus address, 0 if the BAR does not exist
 * @bytes: size, 0 if the BAR does not exist or is the upper half of another
 */
struct rfsim_bar {
	uint64_t address;
	uint64_t bytes;
};

/*
 * Enumerate the device as firmware does: size the BARs and assign addresses, set max payload, max
 * read and read completion boundary, enable memory space and bus mastering.
 * All by configuration TLPs. -ENODEV if no device responds, -EIO, -EDEADLK.
 */
int rfsim_enumerate(struct rfsim_device *device);

/* -EINVAL if not enumerated or no such BAR. */
int rfsim_bar(struct rfsim_device *device, unsigned int index, struct rfsim_bar *bar);

/*
 * Enable MSI-X as an operating system does: fill the table so that vector i writes the data i to
 * this port's window, unmask all vectors, enable. Returns the number of
 * vectors, -ENOENT without the capability, -EINVAL before enumeration.
 */
int rfsim_msix_enable(struct rfsim_device *device);

/* --- accesses by the host ------------------------------------------------- */

/*
 * Configuration space; bytes 1, 2 or 4, naturally aligned. Both run the clock
 * until the completion. 0; -EIO for an unsuccessful completion, -ETIMEDOUT
 * without one (a read then returns all ones); -EINVAL; -EDEADLK.
 */
int rfsim_config_read(struct rfsim_device *device, unsigned int offset, unsigned int bytes,
		      uint32_t *value);
int rfsim_config_write(struct rfsim_device *device, unsigned int offset, unsigned int bytes,
		       uint32_t value);

/* Offset of a capability by its id, or 0. */
unsigned int rfsim_config_find(struct rfsim_device *device, unsigned int id);

/*
 * Reads of a BAR run the clock until the last completion. They are split at 512-byte boundaries.
 * Errors as above; failed parts return all ones.
 */
int rfsim_bar_read(struct rfsim_device *device, unsigned int bar, uint64_t offset, void *data,
		   size_t bytes);

/*
 * Writes are posted: queued, and sent in order as the clock runs. An aligned
 * 8-byte store is one TLP; a longer buffer is split at max payload. 0, -EINVAL, -ENOMEM. May be
 * called in the cycle: the first beat is then presented in that cycle, unless others are queued.
 */
int rfsim_bar_write(struct rfsim_device *device, unsigned int bar, uint64_t offset,
		    const void *data, size_t bytes);

/* --- host memory ---------------------------------------------------------- */

/*
 * Make [memory, memory + bytes) accessible to devices. The bus address is above 4 GiB, has the
 * same offset in its 4 KiB page as the pointer, and is never reused, so DMA to memory that is no
 * longer registered is detected. Whole pages whose size is a power of two of 256 KiB or more are
 * aligned to it, as DMA memory of Linux is. -EINVAL, -ENOMEM.
 */
int rfsim_memory_register(struct rfsim_world *world, void *memory, size_t bytes,
			  uint64_t *bus_address);

/*
 * The same at a given bus address below 2^55, for tests of 32-bit addresses; -EEXIST if it overlaps another. The MSI
 * window of the ports is not available, -EINVAL.
 */
int rfsim_memory_register_at(struct rfsim_world *world, void *memory, size_t bytes,
			     uint64_t bus_address);

/* -ENOENT if nothing is registered at that address. */
int rfsim_memory_unregister(struct rfsim_world *world, uint64_t bus_address);

/*
 * In a world with an IOMMU (rfsim_config.iommu): make memory accessible to one device at an address
 * below 2^55, for reads, writes or both. -EEXIST if it overlaps another; -EINVAL for the MSI window,
 * and without an IOMMU; -ENOMEM.
 */
int rfsim_iommu_map(struct rfsim_device *device, void *memory, size_t bytes, uint64_t address,
		    bool read, bool write);
/* -ENOENT if nothing is mapped at that address. */
int rfsim_iommu_unmap(struct rfsim_device *device, uint64_t address);

/*
 * For the handler of a SIGBUS that librfsim's access to registered or mapped memory has caused,
 * because a file behind it was truncated. The memory of the address is lost from
 * now on: requests of devices for it complete as Unsupported Request and are no violation. Before
 * the handler returns it must map other memory at *memory, of *bytes, and leave it there until
 * the memory is unregistered or unmapped. Async-signal-safe; false if no
 * such memory has that address.
 */
bool rfsim_memory_lose(struct rfsim_world *world, const void *address, void **memory,
		       size_t *bytes);
bool rfsim_iommu_is_lost(struct rfsim_device *device, uint64_t address);

/* --- requests between devices ----------------------------------------------- */

/*
 * Let @from reach @bytes at @offset of a BAR of @to: its memory requests there are routed, unless
 * @peer_off of its port says otherwise. A write arrives behind all earlier writes of @from; a request
 * to any other part of a BAR is a violation. Up to 16 of these per device. -EINVAL not enumerated, no
 * such part, or not two devices of one world; -ENOSPC.
 */
int rfsim_peer_open(struct rfsim_device *from, struct rfsim_device *to, unsigned int bar,
		    uint64_t offset, uint64_t bytes);
/* All of @to's; requests on their way still arrive. */
void rfsim_peer_close(struct rfsim_device *from, const struct rfsim_device *to);

/* --- interrupts ----------------------------------------------------------- */

/* A memory write of a device into this window is an MSI. */
#define RFSIM_MSI_BASE 0xfee00000u
#define RFSIM_MSI_BYTES 0x00100000u

/* Message data; after rfsim_msix_enable() the number of the vector. */
typedef void rfsim_interrupt_fn(void *context, struct rfsim_device *device, uint32_t data);

/*
 * Called by the thread that runs the clock or releases the hold, between two cycles, one at a
 * time and never nested. When this function returns no other thread is in the replaced callback:
 * do not hold a lock that the callback takes.
 */
void rfsim_interrupt_callback(struct rfsim_device *device, rfsim_interrupt_fn *function,
			      void *context);

/*
 * While held (calls nest), interrupts stay pending; the last release delivers them. Use it like
 * disabling interrupts around a driver's lock: hold, then lock; unlock, then release. It does not
 * wait for a callback that has begun.
 */
void rfsim_interrupts_hold(struct rfsim_world *world);
void rfsim_interrupts_release(struct rfsim_world *world);

/* --- the clock ------------------------------------------------------------ */

uint64_t rfsim_cycle(struct rfsim_world *world);

/* Run this many cycles. -EDEADLK in the cycle. */
int rfsim_step(struct rfsim_world *world, uint64_t cycles);

/*
 * Without a call by the host the state cannot change: every device is idle, and no request,
 * completion, MSI or action is pending. Interrupts that are held do not count.
 */
bool rfsim_idle(struct rfsim_world *world);

typedef bool rfsim_predicate_fn(void *context);

/*
 * Run cycle by cycle until the predicate holds; it is called before every cycle.
 * 0; -ETIMEDOUT after max_cycles; -EDEADLK in the cycle. Does not stop for idle.
 */
int rfsim_run_until(struct rfsim_world *world, rfsim_predicate_fn *predicate, void *context,
		    uint64_t max_cycles);

/*
 * Block a thread until the predicate holds. Any number of threads may wait; one
 * of them runs the clock, the others sleep. The predicate is called again after
 * every interrupt, DMA write, action and rfsim_wake(), not after every cycle;
 * it must synchronise the data it reads, as in any program with threads. While
 * the world is idle time stands still: the thread then sleeps, for at most
 * idle_milliseconds of its own time, until something happens.
 * Return: 0; -ETIMEDOUT after max_cycles or idle_milliseconds (0: at once when idle, which
 * is right for one thread; -1: never); -EDEADLK in the cycle.
 */
int rfsim_wait(struct rfsim_world *world, rfsim_predicate_fn *predicate, void *context,
	       uint64_t max_cycles, int idle_milliseconds);

/* Evaluate predicates again, because their data changed. */
void rfsim_wake(struct rfsim_world *world);

typedef void rfsim_action_fn(void *context);

/*
 * Run an action at the beginning of the given cycle; actions of one
 * cycle run in the order of these calls. -EINVAL if the cycle is past, -ENOMEM.
 */
int rfsim_at(struct rfsim_world *world, uint64_t cycle, rfsim_action_fn *action, void *context);

/* --- faults --------------------------------------------------------------- */

enum rfsim_fault_kind {
	RFSIM_FAULT_UNSUPPORTED, /* completion with Unsupported Request */
	RFSIM_FAULT_ABORT, /* completion with Completer Abort */
	RFSIM_FAULT_POISONED, /* completions with the poisoned bit */
	RFSIM_FAULT_SILENCE, /* no completion */
	RFSIM_FAULT_LINK_DOWN, /* the link is lost when the request arrives */
};

/**
 * struct rfsim_fault - a fault of reads by the device.
 * @kind: which fault
 * @first: bus address; only reads that touch [first, last] match
 * @last: bus address, inclusive
 * @skip: number of matching reads that succeed first
 * @count: number of reads that fail then; 0 = all
 */
struct rfsim_fault {
	enum rfsim_fault_kind kind;
	uint64_t first, last;
	uint64_t skip, count;
};

/* Up to 16 rules per device; the first that matches applies. -ENOSPC. */
int rfsim_fault_add(struct rfsim_device *device, const struct rfsim_fault *fault);
void rfsim_fault_clear(struct rfsim_device *device);

/* Reads that rules have hit so far. */
uint64_t rfsim_fault_hits(struct rfsim_device *device);

/*
 * While the link is down, TLPs in flight and new TLPs are lost in both directions, and host reads
 * return all ones at once (-ENOLINK). Without rfsim_config.link the device does not notice. With it the
 * lane is silent, as if the card were out: both ends notice that by themselves, the device is reset, and
 * later the link needs time to be trained.
 */
void rfsim_link_set(struct rfsim_device *device, bool up);

/* Do TLPs pass? With rfsim_config.link also false while the link is trained. */
bool rfsim_link_up(struct rfsim_device *device);

/* What a root port does to its link. */
enum rfsim_link_event {
	RFSIM_LINK_RETRAIN, /* Recovery: nothing is lost */
	RFSIM_LINK_HOT_RESET, /* this and the next reset the device; then the link is trained */
	RFSIM_LINK_PERST, /* the slot's reset wire */
};

/*
 * Symbols at the device's end of the lane, in symbol times (4 ns) since it was created, if there are no
 * errors on it. @received: the last symbol of the last TLP that came to the device; @sent: the first one
 * of the TLP of the device whose callback runs, or ran last. -EOPNOTSUPP without rfsim_config.link.
 */
int rfsim_link_times(struct rfsim_device *device, uint64_t *received, uint64_t *sent);

/*
 * How many of the symbols that came to the device, up to the last one of the last TLP, were of
 * DLLPs and of SKP ordered sets: they are the root port's, and leave the rest to its TLPs.
 * -EOPNOTSUPP as above.
 */
int rfsim_link_symbols(struct rfsim_device *device, uint64_t *dllps, uint64_t *skps);

/* -EOPNOTSUPP without rfsim_config.link; -EINVAL. */
int rfsim_link_event(struct rfsim_device *device, enum rfsim_link_event event);

/* --- events, and what is held until then ------------------------------------ */

/* Events of a device. Each kind is counted from 1, since the device was created. */
enum rfsim_event {
	RFSIM_EVENT_RING, /* the host stores to a doorbell page, also if the store is held */
	RFSIM_EVENT_MSI, /* an MSI reaches the root complex, also if it is held or lost */
	RFSIM_EVENT_READ, /* a read request of the device is accepted */
	RFSIM_EVENT_SIGNAL, /* a fence value is performed, by SIGNAL or PROGRESS */
	RFSIM_EVENT_WAIT, /* a queue begins to wait */
	RFSIM_EVENT_RELEASE, /* a queue that waited is released */
	RFSIM_EVENT_COMPUTE, /* the compute engine starts an operation */
	RFSIM_EVENT_COPY, /* the copy engine starts one */
	RFSIM_EVENT_COUNT,
};

/* How often it has happened. */
uint64_t rfsim_event_count(struct rfsim_device *device, enum rfsim_event event);

/*
 * What can be held. A held ring is a store that is executed later, as if its thread had been
 * interrupted before the store: later accesses of the host overtake it. A held MSI, and the held
 * completion of a read, are overtaken by later ones.
 */
enum rfsim_held {
	RFSIM_HOLD_RING,
	RFSIM_HOLD_MSI,
	RFSIM_HOLD_COMPLETION, /* of the read with that number */
};

enum rfsim_until {
	RFSIM_UNTIL_IDLE, /* the device is otherwise idle; not for completions */
	RFSIM_UNTIL_AFTER, /* this many cycles after it arrived */
	RFSIM_UNTIL_CYCLE, /* this cycle; at once if it is past */
	RFSIM_UNTIL_EVENT, /* this many cycles after an event; at once if that is past */
	RFSIM_UNTIL_NEVER, /* it is lost; not for completions, see RFSIM_FAULT_SILENCE */
};

/**
 * struct rfsim_hold - events to hold, and until when
 * @what: kind of event
 * @first: ordinal of the first held event, counted from 1 as for events
 * @last: ordinal of the last, inclusive
 * @until: when they are released
 * @event: of RFSIM_UNTIL_EVENT
 * @number: which of these events, counted from 1
 * @cycles: see @until
 *
 * An event that is released in cycle N takes effect as if it came in cycle N. The world is not
 * idle while an event is held until a cycle, or until idle.
 */
struct rfsim_hold {
	enum rfsim_held what;
	uint64_t first, last;
	enum rfsim_until until;
	enum rfsim_event event;
	uint64_t number;
	uint64_t cycles;
};

/* Up to 16 per device; the first that matches applies. -EINVAL, -ENOSPC. */
int rfsim_hold_add(struct rfsim_device *device, const struct rfsim_hold *hold);

/*
 * Store 8 bytes to a BAR, as rfsim_bar_write() would, in the cycle in which the @number-th @event
 * happens; at once if that is past. Up to 16 per device. -ENOSPC.
 */
int rfsim_store_at(struct rfsim_device *device, enum rfsim_event event, uint64_t number,
		   unsigned int bar, uint64_t offset, uint64_t value);

/* --- observation ---------------------------------------------------------- */

enum rfsim_stream {
	RFSIM_RECEIVE, /* to the device */
	RFSIM_POSTED, /* from the device: writes, MSIs, completions */
	RFSIM_READ, /* from the device: read requests */
};

/**
 * struct rfsim_tlp - one TLP, see tlp.h for its fields.
 * @stream: which
 * @first_cycle: handshake of its first beat
 * @last_cycle: handshake of its last beat
 * @header: four words
 * @payload: as sent
 * @words: of payload
 */
struct rfsim_tlp {
	enum rfsim_stream stream;
	uint64_t first_cycle, last_cycle;
	const uint32_t *header;
	const uint32_t *payload;
	unsigned int words;
};

/* In the cycle of the last beat. */
typedef void rfsim_tlp_fn(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp);
void rfsim_tlp_callback(struct rfsim_device *device, rfsim_tlp_fn *function, void *context);

/* In the cycle; events = trace_o & mask, never 0. */
typedef void rfsim_event_fn(void *context, struct rfsim_device *device, uint64_t cycle,
			    uint64_t events);
void rfsim_event_callback(struct rfsim_device *device, uint64_t mask, rfsim_event_fn *function,
			  void *context);

/*
 * Send any TLP, legal or not, in order with the other requests. link_error ends
 * it as one that the link layer found bad. With a requester id other than
 * RFSIM_HOST_ID its completions are only observed. -EINVAL, -ENOMEM.
 */
#define RFSIM_HOST_ID 0x0000
int rfsim_tlp_send(struct rfsim_device *device, const uint32_t header[4], const uint32_t *payload,
		   unsigned int words, bool link_error);

/*
 * For timelines: from now on @handle is what commands of the device call a fence (hNativeFence). Handles
 * with the same @token, also of other devices, are of one fence; 0: of no other.
 */
void rfsim_note_fence(struct rfsim_device *device, uint32_t handle, uint64_t token);

/*
 * Make devices that are created later able to write waves. They use another model, which is slower
 * and as large again, from a file that is loaded here. NULL, or a line that says why this failed.
 */
const char *rfsim_waves(void);

/*
 * Write a wave to an FST file (links are followed); NULL closes it. -ESPIPE @path is
 * no regular file, -EOPNOTSUPP the device cannot (rfsim_waves()), an error of open(2); with NULL
 * the error of a write since, on a full disk. A wave that is not closed cannot be read.
 */
int rfsim_trace(struct rfsim_device *device, const char *path);

/**
 * struct rfsim_traffic - one direction of one port.
 * @tlps: packets by kind
 * @payload_bytes: in whole words
 * @wire_bytes: with framing, sequence number, link CRC and header
 * @stalls: cycles in which a beat was valid and not ready
 */
enum rfsim_traffic_kind {
	RFSIM_TLP_MEMORY_READ,
	RFSIM_TLP_MEMORY_WRITE,
	RFSIM_TLP_MSI,
	RFSIM_TLP_CONFIG,
	RFSIM_TLP_COMPLETION,
	RFSIM_TLP_MESSAGE,
	RFSIM_TLP_OTHER,
	RFSIM_TLP_KINDS,
};

struct rfsim_traffic {
	uint64_t tlps[RFSIM_TLP_KINDS];
	uint64_t payload_bytes[RFSIM_TLP_KINDS];
	uint64_t wire_bytes;
	uint64_t stalls;
};

/* Errors by the message that reports them. */
enum rfsim_error {
	RFSIM_ERROR_CORRECTABLE, /* ERR_COR */
	RFSIM_ERROR_NONFATAL,
	RFSIM_ERROR_FATAL,
	RFSIM_ERRORS,
};

/**
 * struct rfsim_statistics - since creation.
 * @cycles: that the device was stepped
 * @receive: to the device
 * @transmit: from the device, both streams
 * @interrupts: MSIs delivered to the callback
 * @errors: error messages of the device
 */
struct rfsim_statistics {
	uint64_t cycles;
	struct rfsim_traffic receive, transmit;
	uint64_t interrupts;
	uint64_t errors[RFSIM_ERRORS];
};

void rfsim_statistics(struct rfsim_device *device, struct rfsim_statistics *statistics);

/* --- rules ---------------------------------------------------------------- */

/* Rules that the root complex checks; see checker.c for each. */
#define RFSIM_RULES(X)                                    \
	X(TYPE, "type")                                   \
	X(RESERVED, "reserved")                           \
	X(LENGTH, "length")                               \
	X(STROBE, "strobe")                               \
	X(FRAMING, "framing")                             \
	X(STABLE, "stable")                               \
	X(ADDRESS_FORMAT, "address-format")               \
	X(PAGE_CROSSING, "page-crossing")                 \
	X(MAX_PAYLOAD, "max-payload")                     \
	X(MAX_READ, "max-read")                           \
	X(BYTE_ENABLES, "byte-enables")                   \
	X(TAG_IN_FLIGHT, "tag-in-flight")                 \
	X(TAG_RANGE, "tag-range")                         \
	X(REQUESTER, "requester")                         \
	X(COMPLETER, "completer")                         \
	X(ATTRIBUTES, "attributes")                       \
	X(TRAFFIC_CLASS, "traffic-class")                 \
	X(BUS_MASTER, "bus-master")                       \
	X(READ_ORDER, "read-order")                       \
	X(MSI_FORMAT, "msi-format")                       \
	X(ERROR_MESSAGE, "error-message")                 \
	X(UNEXPECTED_COMPLETION, "unexpected-completion") \
	X(COMPLETION_STATUS, "completion-status")         \
	X(COMPLETION_LENGTH, "completion-length")         \
	X(BYTE_COUNT, "byte-count")                       \
	X(LOWER_ADDRESS, "lower-address")                 \
	X(COMPLETION_BOUNDARY, "completion-boundary")     \
	X(MEMORY_SPACE, "memory-space")                   \
	X(MISSING_COMPLETION, "missing-completion")       \
	X(UNMAPPED, "unmapped")

enum rfsim_rule {
#define RFSIM_RULE_ENUM(name, text) RFSIM_RULE_##name,
	RFSIM_RULES(RFSIM_RULE_ENUM)
#undef RFSIM_RULE_ENUM
		RFSIM_RULE_COUNT,
};

/* How often a rule was violated, and its name. */
uint64_t rfsim_violations(struct rfsim_world *world, enum rfsim_rule rule);
const char *rfsim_rule_name(enum rfsim_rule rule);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The bus below the driver, and memory that both sides of it see.
 *
 * struct rf_bus_ops is filled by the code that reaches the device: the
 * simulated device, libpciaccess, a serial bridge, or the kernel's PCI layer.
 * struct rf_mem is a piece of memory given by the shell; core and miniport never
 * make one themselves.
 */
#ifndef RF_BUS_H
#define RF_BUS_H

#include "rf_os.h"

struct rf_bus;

/*
 * Called by the bus when interrupt @vector fires, at level DEVICE. In user space
 * any thread may find itself calling it, but never while interrupts are held, one
 * call at a time, and without a lock of the bus.
 */
typedef void (*rf_bus_interrupt_fn)(void *argument, unsigned int vector);

/**
 * struct rf_bus_ops - how a device is reached
 *
 * Register and memory accesses are of exactly the width named, aligned, and are
 * allowed at any level. Writes are posted, in order, and never fail; reads of a
 * dead device return all ones. A 64-bit access of @read64 / @write64 is one
 * access on the bus.
 */
struct rf_bus_ops {
	/** @read32: read 4 bytes at @offset of @bar */
	u32 (*read32)(struct rf_bus *bus, unsigned int bar, u64 offset);
	/** @read64: read 8 bytes at @offset of @bar */
	u64 (*read64)(struct rf_bus *bus, unsigned int bar, u64 offset);
	/** @write32: write 4 bytes at @offset of @bar */
	void (*write32)(struct rf_bus *bus, unsigned int bar, u64 offset, u32 value);
	/** @write64: write 8 bytes at @offset of @bar */
	void (*write64)(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value);
	/** @read_bytes: read any range, in accesses of any width, in any order */
	void (*read_bytes)(struct rf_bus *bus, unsigned int bar, u64 offset, void *data,
			   size_t bytes);
	/** @write_bytes: write any range, in accesses of any width, upwards */
	void (*write_bytes)(struct rf_bus *bus, unsigned int bar, u64 offset, const void *data,
			    size_t bytes);
	/** @bar_bytes: size of @bar, 0 if there is none */
	u64 (*bar_bytes)(struct rf_bus *bus, unsigned int bar);
	/**
	 * @map_memory: let the device reach @bytes at @cpu, both page aligned.
	 * Returns 0 and the address to use on the bus, or -ENOMEM, or -EOPNOTSUPP
	 * when this bus has no DMA. PASSIVE.
	 */
	int (*map_memory)(struct rf_bus *bus, void *cpu, u64 bytes, u64 *bus_address);
	/** @unmap_memory: undo @map_memory; a later access by the device is an error. PASSIVE. */
	void (*unmap_memory)(struct rf_bus *bus, void *cpu, u64 bytes, u64 bus_address);
	/**
	 * @local_memory: where this process sees BAR 2, to store to or only to load from.
	 * User space only; NULL, or an answer of NULL: nowhere. Any level.
	 */
	void *(*local_memory)(struct rf_bus *bus, bool writable);
	/**
	 * @open_peer: let the device reach the page at @offset of @bar of another device. 0 and
	 * the address to use on the bus, or -EOPNOTSUPP: the bus does not route from the one to the
	 * other; -ENOSPC. A write arrives behind every earlier write of this device, to memory too.
	 * NULL: it routes nothing. PASSIVE.
	 */
	int (*open_peer)(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar, u64 offset,
			 u64 *bus_address);
	/** @close_peer: undo @open_peer; the other device may be gone. PASSIVE. */
	void (*close_peer)(struct rf_bus *bus, u64 bus_address);
	/** @vectors: interrupt vectors that @request_interrupt accepts */
	unsigned int (*vectors)(struct rf_bus *bus);
	/** @request_interrupt: call @handler for @vector from now on. PASSIVE. */
	int (*request_interrupt)(struct rf_bus *bus, unsigned int vector,
				 rf_bus_interrupt_fn handler, void *argument);
	/**
	 * @free_interrupt: no call of the handler starts any more, and none is under
	 * way, when this returns. PASSIVE, not from the handler.
	 */
	void (*free_interrupt)(struct rf_bus *bus, unsigned int vector);
	/** @synchronize_interrupt: wait for a handler under way. PASSIVE. */
	void (*synchronize_interrupt)(struct rf_bus *bus, unsigned int vector);
	/**
	 * @reset_function: function-level reset. On return the device makes no access,
	 * its registers are as after power-on, and BARs, MSI-X and bus mastering as
	 * before. -EIO: it does not come back. PASSIVE.
	 */
	int (*reset_function)(struct rf_bus *bus);
	/**
	 * @stop_access: for a device that is not used any more: on return it makes no access
	 * to memory until it is started again, since it may not, or is not there. -EIO: that
	 * cannot be said. May be left out. PASSIVE.
	 */
	int (*stop_access)(struct rf_bus *bus);
	/**
	 * @hold_interrupts: from the return of this until @release_interrupts no call of
	 * a handler begins; one that has begun is not waited for. Counts, and holds for
	 * every device of the same world. What disabling interrupts is to a spinlock.
	 * User space only; NULL in the kernel. Any level.
	 */
	void (*hold_interrupts)(struct rf_bus *bus);
	/** @release_interrupts: the last release delivers what is pending. */
	void (*release_interrupts)(struct rf_bus *bus);
	/**
	 * @wait: let the device run until @done says true; it is asked again after every
	 * interrupt and @wake. Any number of threads may wait. 0, or -ETIMEDOUT at
	 * @deadline (ns of CLOCK_MONOTONIC). A simulated bus steps its clock here, and
	 * sleeps while it is idle. User space only; NULL in the kernel. PASSIVE.
	 */
	int (*wait)(struct rf_bus *bus, bool (*done)(void *argument), void *argument, u64 deadline);
	/** @wake: something that a @done looks at has changed. User space only. Any level. */
	void (*wake)(struct rf_bus *bus);
};

/**
 * struct rf_bus - one device on a bus; embedded in the implementer's own struct
 * @ops: how it is reached
 * @os: host that the device is driven from; set by the shell
 * @shell: the shell's own, about this device
 */
struct rf_bus {
	const struct rf_bus_ops *ops;
	struct rf_os *os;
	void *shell;
};

/* BAR numbers */
#define RF_BAR_REGISTERS 0
#define RF_BAR_LOCAL_MEMORY 2
#define RF_BAR_MSIX 4

static inline u64 rf_bus_read64(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return bus->ops->read64(bus, bar, offset);
}

static inline void rf_bus_write64(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	bus->ops->write64(bus, bar, offset, value);
}

enum rf_mem_kind {
	/* host memory that the device reaches by DMA */
	RF_MEM_SYSTEM,
	/* the device's own memory, behind BAR 2 */
	RF_MEM_LOCAL,
	/* host memory that the device does not reach */
	RF_MEM_HOST,
};

/**
 * struct rf_mem - a piece of memory; made and counted by the shell
 * @bus: device that reaches it
 * @kind: where it is; in user space RF_MEM_LOCAL, whatever was asked for, when the bus has
 *        no DMA
 * @bytes: size, a multiple of the page size
 * @cpu: kernel address; NULL for local memory that is reached by accesses of the bus only, for
 *       memory of user mode (rf_mem_create_user()) before rf_mem_vmap(), and for a page of another
 *       device
 * @address: RF_MEM_SYSTEM: bus address; RF_MEM_LOCAL: offset in local memory; of the
 *           first page
 * @pages: the same of every 4096 bytes, where they do not lie one behind another; else NULL
 * @untrusted: user mode, or an engine that works for a process, can write it; atomic, set
 *             before that is so, and never cleared
 * @is_quarantined: for the miniport: the device may still reach it, and so it has a reference
 * @next_quarantined: for the miniport: the next such
 *
 * Page aligned, zeroed when made, and but for @cpu and the last three constant for life.
 */
struct rf_mem {
	struct rf_bus *bus;
	enum rf_mem_kind kind;
	bool untrusted;
	u64 bytes;
	void *cpu;
	u64 address;
	const u64 *pages;
	bool is_quarantined;
	struct rf_mem *next_quarantined;
};

/*
 * Make memory with one reference; 0 or -ENOMEM, -EOPNOTSUPP (this device has no local
 * memory). @bytes is rounded up to pages. PASSIVE.
 */
int rf_mem_create(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes, struct rf_mem **mem);
/* The same for user mode: the kernel has no address of it before rf_mem_vmap(). PASSIVE. */
int rf_mem_create_user(struct rf_bus *bus, enum rf_mem_kind kind, u64 bytes, struct rf_mem **mem);
/*
 * The same, RF_MEM_SYSTEM, for the driver and the device alone: page tables and rings. It has
 * consecutive bus addresses (no @pages) and is never given to rf_file_expose(). PASSIVE.
 */
int rf_mem_create_private(struct rf_bus *bus, u64 bytes, struct rf_mem **mem);
/*
 * Give memory of user mode a kernel address, which it keeps for life. The kernel reads and
 * writes such memory only after this. 0 or -ENOMEM. PASSIVE, one caller at a time for each @mem.
 */
int rf_mem_vmap(struct rf_mem *mem);
/*
 * The pages of @mem, which is RF_MEM_HOST, for a device: RF_MEM_SYSTEM memory of this bus, with a
 * reference of @mem. 0, -ENOMEM, or -EOPNOTSUPP: the device reaches no host memory, or this shell cannot.
 * PASSIVE.
 */
int rf_mem_import(struct rf_bus *bus, struct rf_mem *mem, struct rf_mem **result);
/*
 * The page at @offset of @mem, as memory of its own, with a reference of @mem. 0, -ENOMEM, or
 * -EOPNOTSUPP in a shell that cannot. PASSIVE.
 */
int rf_mem_page(struct rf_mem *mem, u64 offset, struct rf_mem **result);
/*
 * The page at @offset of a BAR of another device, as RF_MEM_SYSTEM memory of this bus that no CPU
 * accesses. 0, -ENOMEM, or an error of rf_bus_ops.open_peer(). PASSIVE.
 */
int rf_mem_create_peer(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar, u64 offset,
		       struct rf_mem **result);
/* Any level. */
void rf_mem_get(struct rf_mem *mem);
/* Drop a reference; NULL is allowed. PASSIVE. */
void rf_mem_put(struct rf_mem *mem);

/*
 * Keep what local memory holds while the device loses it; 0, -ENOMEM, or -EOPNOTSUPP in a
 * shell that has no D3. Until it is restored, accesses by user mode go to what is kept, and
 * core and miniport make none. PASSIVE, as its end.
 */
int rf_local_memory_evict(struct rf_bus *bus);
void rf_local_memory_restore(struct rf_bus *bus);

/*
 * One aligned 64-bit access to memory of any kind, relaxed in order. Any level. Core and
 * miniport read by the two functions below instead (tools/lint), which say whether
 * user mode may write what they read.
 */
static inline u64 rf_mem_read64(const struct rf_mem *mem, u64 offset)
{
	if (mem->cpu)
		return rf_read_once64((const u64 *)((const char *)mem->cpu + offset));
	rf_assert(mem->kind == RF_MEM_LOCAL); /* rf_mem_vmap() */
	return rf_bus_read64(mem->bus, RF_BAR_LOCAL_MEMORY, mem->address + offset);
}

static inline void rf_mem_write64(struct rf_mem *mem, u64 offset, u64 value)
{
	if (mem->cpu)
		return rf_write_once64((u64 *)((char *)mem->cpu + offset), value);
	rf_assert(mem->kind == RF_MEM_LOCAL);
	rf_bus_write64(mem->bus, RF_BAR_LOCAL_MEMORY, mem->address + offset, value);
}

/* From now on user mode or an engine that works for a process can write there. */
static inline void rf_mem_set_untrusted(struct rf_mem *mem)
{
	__atomic_store_n(&mem->untrusted, true, __ATOMIC_RELEASE);
}

/*
 * Read a word that user mode, or an engine that works for a process, may change at any moment:
 * it is anything, and another one the next time. So it is read once for each decision, into a
 * local, and checked against what the kernel knows before it becomes an index, an address or
 * the bound of a loop.
 */
static inline u64 rf_untrusted_read64(const struct rf_mem *mem, u64 offset)
{
	rf_assert(mem->bytes >= sizeof(u64) && offset <= mem->bytes - sizeof(u64));
	return rf_mem_read64(mem, offset);
}

/*
 * Read a word that only kernel and device write. Of memory that user mode could write
 * this is an error of the driver, which ends the program in user space.
 */
static inline u64 rf_private_read64(const struct rf_mem *mem, u64 offset)
{
	rf_assert(!__atomic_load_n(&mem->untrusted, __ATOMIC_ACQUIRE));
	return rf_mem_read64(mem, offset);
}

#endif /* RF_BUS_H */

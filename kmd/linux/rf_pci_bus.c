// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The bus below the core: BARs of a PCI function. Interrupts and memory use the kernel directly:
 * see rf_drv.c and rf_memory.c.
 */
#include <linux/io.h>
#include <linux/iommu.h>
#include <linux/pci-p2pdma.h>
#include <linux/pci.h>

#include "rf_linux.h"

static void __iomem *rf_pci_bar_address(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return bus_to_ringfence(bus)->bars[bar] + offset;
}

static u32 rf_pci_read32(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return readl(rf_pci_bar_address(bus, bar, offset));
}

static u64 rf_pci_read64(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return readq(rf_pci_bar_address(bus, bar, offset));
}

static void rf_pci_write32(struct rf_bus *bus, unsigned int bar, u64 offset, u32 value)
{
	writel(value, rf_pci_bar_address(bus, bar, offset));
}

static void rf_pci_write64(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	writeq(value, rf_pci_bar_address(bus, bar, offset));
}

static void rf_pci_read_bytes(struct rf_bus *bus, unsigned int bar, u64 offset, void *data,
			      size_t bytes)
{
	memcpy_fromio(data, rf_pci_bar_address(bus, bar, offset), bytes);
}

static void rf_pci_write_bytes(struct rf_bus *bus, unsigned int bar, u64 offset, const void *data,
			       size_t bytes)
{
	memcpy_toio(rf_pci_bar_address(bus, bar, offset), data, bytes);
}

static u64 rf_pci_bar_bytes(struct rf_bus *bus, unsigned int bar)
{
	return pci_resource_len(ringfence_pci(bus_to_ringfence(bus)), bar);
}

/* --- other devices -------------------------------------------------------------------- */

/* Addresses of its requests are not those of the bus. */
static bool rf_pci_is_translated(struct pci_dev *pci)
{
	const struct iommu_domain *domain = iommu_get_domain_for_dev(&pci->dev);

	return domain && domain->type != IOMMU_DOMAIN_IDENTITY;
}

/*
 * The kernel knows which switches and root complexes route from one device to another. It maps BARs
 * for DMA behind an IOMMU only as memory, which the page of a device is not, so that there, and in
 * a kernel without CONFIG_PCI_P2PDMA, the CPU propagates signals.
 */
static int rf_pci_open_peer(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar, u64 offset,
			    u64 *bus_address)
{
	struct pci_dev *pci = ringfence_pci(bus_to_ringfence(bus));
	struct pci_dev *other = ringfence_pci(bus_to_ringfence(peer));

	if (rf_pci_is_translated(pci) || pci_p2pdma_distance(other, &pci->dev, false) < 0)
		return -EOPNOTSUPP;
	*bus_address = pci_bus_address(other, bar) + offset;
	return 0;
}

static void rf_pci_close_peer(struct rf_bus *bus, u64 bus_address) {}

/* --- resets --------------------------------------------------------------------------- */

/*
 * Not pci_reset_function(), which calls the reset handlers of rf_drv.c and so ends all files. Core
 * and miniport do not access the BARs meanwhile; accesses of user mode block in a page fault.
 */
static int rf_pci_reset_function(struct rf_bus *bus)
{
	return rf_recovery_reset_function(bus_to_ringfence(bus));
}

/* The read completion flushes earlier writes of the device. rf_device_start() enables mastering. */
static int rf_pci_stop_access(struct rf_bus *bus)
{
	struct pci_dev *pci = ringfence_pci(bus_to_ringfence(bus));
	u16 command;

	pci_clear_master(pci);
	pci_read_config_word(pci, PCI_COMMAND, &command);
	if (PCI_POSSIBLE_ERROR(command))
		return pci_device_is_present(pci) ? -EIO : 0;
	return command & PCI_COMMAND_MASTER ? -EIO : 0;
}

const struct rf_bus_ops rf_pci_bus_ops = {
	.read32 = rf_pci_read32,
	.read64 = rf_pci_read64,
	.write32 = rf_pci_write32,
	.write64 = rf_pci_write64,
	.read_bytes = rf_pci_read_bytes,
	.write_bytes = rf_pci_write_bytes,
	.bar_bytes = rf_pci_bar_bytes,
	.open_peer = rf_pci_open_peer,
	.close_peer = rf_pci_close_peer,
	.reset_function = rf_pci_reset_function,
	.stop_access = rf_pci_stop_access,
};

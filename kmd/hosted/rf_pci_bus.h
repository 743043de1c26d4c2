/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A PCIe function that no kernel driver is bound to, as a struct rf_bus. */
#ifndef RF_PCI_BUS_H
#define RF_PCI_BUS_H

#ifdef __cplusplus
extern "C" {
#endif

struct rf_bus;

/**
 * rf_pci_bus_create() - take a function, and reset it
 * @slot: as in sysfs, "0000:00:04.0"
 *
 * The function is this process's until rf_pci_bus_destroy(). It makes no access to the
 * host's memory meanwhile.
 *
 * Return: -EINVAL @slot is no such name; -ENOENT there is no such function; -ENODEV it is
 * another device; -EBUSY a kernel driver is bound to it; -EAGAIN another process has it;
 * -EACCES, -EPERM; -EIO it does not come out of reset; -ENOMEM.
 */
int rf_pci_bus_create(const char *slot, struct rf_bus **bus);
/* The same without the reset, to read the registers of a device that hangs. */
int rf_pci_bus_attach(const char *slot, struct rf_bus **bus);
void rf_pci_bus_destroy(struct rf_bus *bus);

#ifdef __cplusplus
}
#endif

#endif /* RF_PCI_BUS_H */

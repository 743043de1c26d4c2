/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests of kind `stack` share. The miniport of their device is watched
 * (watch.h). They look behind the library: at handles and addresses, and they
 * make requests of their own. Waits are made by events where the order of steps
 * matters, since these need no second thread.
 *
 * Commands and events that a test leaves behind end with its process.
 */
#ifndef RF_CONFORM_STACK_TESTS_H
#define RF_CONFORM_STACK_TESTS_H

#include "conform.h"
#include "rf_ddi.h"
#include "umd.h"
#include "watch.h"

#define SECOND 1000000000ull

/* Each fails the test if the library does. */
struct rf_fence *stack_fence(struct rf_conform *conform, uint32_t flags, uint64_t initial);
struct rf_queue *stack_queue(struct rf_conform *conform, uint32_t node);
struct rf_queue *stack_kernel_queue(struct rf_conform *conform, uint32_t node);
struct rf_commands *stack_commands(struct rf_conform *conform, struct rf_queue *queue);
void stack_submit(struct rf_conform *conform, struct rf_commands *commands);
/* The same of commands that their queue is lost by, which may be known already. */
void stack_submit_bad(struct rf_conform *conform, struct rf_commands *commands);
/* Commands of their own with one signal, submitted. */
void stack_signal(struct rf_conform *conform, struct rf_queue *queue, struct rf_fence *fence,
		  uint64_t value);
/* An event that one wait will set. */
struct rf_event *stack_notify(struct rf_conform *conform, struct rf_fence *fence, uint64_t value);

/* Is it set? Clears it. Does not run the clock. */
bool stack_is_set(struct rf_event *event);
/* Another process of the same device. */
struct rf_device *stack_process(struct rf_conform *conform);
/* Run until nothing can happen by itself; on a render node, some time. */
void stack_settle(struct rf_conform *conform);
/* A store by user mode: does it fault? Done in a process of its own. */
bool stack_store_faults(const void *address);
/* MonitoredValue, as the kernel reads it. */
uint64_t stack_monitored(const struct rf_fence *fence);
uint64_t stack_counter(struct rf_conform *conform, unsigned int counter);
/* A register, past the driver. */
uint64_t stack_register(struct rf_conform *conform, uint64_t offset);

/* In D3: all that a device forgets without power. */
void stack_lose_power(struct rf_conform *conform);

#endif

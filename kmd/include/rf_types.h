/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Basic types of the code that is compiled in kernel and user space.
 *
 * Freestanding C11: nothing here but fixed-size integers, error numbers and
 * the handful of macros that both worlds spell the same way.
 */
#ifndef RF_TYPES_H
#define RF_TYPES_H

#include <linux/types.h>
#include <linux/errno.h>

#ifdef __KERNEL__
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/kernel.h>
#include <linux/string.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define U32_MAX ((u32)~0U)
#define U64_MAX ((u64)~0ULL)

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define static_assert _Static_assert
#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))
#define __printf(text, first) __attribute__((format(printf, text, first)))
#endif

#endif /* RF_TYPES_H */

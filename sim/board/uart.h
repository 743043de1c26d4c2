/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of a board's UART, a cycle at a time: 8N1, the least significant bit first. @Line is
 * what carries the bytes: std::string read(), of those that have come, and write(uint8_t).
 */
#ifndef RFSIM_BOARD_UART_H
#define RFSIM_BOARD_UART_H

#include <cstdint>
#include <string>

template <class Line> class Uart {
public:
	/* @divider: cycles of a bit */
	Uart(Line &carrier, unsigned cycles) : line(carrier), divider(cycles) {}

	/* The level of the board's input in this cycle */
	unsigned send()
	{
		if (send_wait) {
			send_wait--;
			return level;
		}
		send_wait = divider - 1;
		if (send_bits) {
			level = send_shift & 1;
			send_shift >>= 1;
			send_bits--;
			return level;
		}
		if (waiting.empty())
			waiting = line.read();
		if (waiting.empty()) {
			send_wait = 10 * divider - 1; /* looked at again a byte later */
			return level = 1;
		}
		send_shift = (uint8_t)waiting[0] | 1u << 8;
		waiting.erase(0, 1);
		send_bits = 9;
		return level = 0;
	}

	/* The level of the board's output in this cycle */
	void receive(unsigned output)
	{
		if (!receive_bits) {
			if (output)
				return;
			receive_bits = 10;
			receive_wait = divider / 2;
			return;
		}
		if (--receive_wait)
			return;
		receive_wait = divider;
		if (--receive_bits)
			receive_shift = receive_shift >> 1 | output << 8;
		else
			line.write((uint8_t)(receive_shift >> 1));
	}

private:
	Line &line;
	const unsigned divider;
	unsigned level = 1;
	std::string waiting;
	unsigned send_wait = 0, send_bits = 0, send_shift = 0;
	unsigned receive_wait = 0, receive_bits = 0, receive_shift = 0;
};

#endif

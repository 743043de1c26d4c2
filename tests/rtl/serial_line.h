/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model of the other end of the serial line, written from the format in
 * docs/board.md: TLPs, frames, a faulty line, a peer of the link layer.
 */
#ifndef RF_TEST_SERIAL_LINE_H
#define RF_TEST_SERIAL_LINE_H

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "harness.h"

namespace rf {

using Bytes = std::vector<uint8_t>;

struct Tlp {
	std::array<uint32_t, 4> header{};
	std::vector<uint32_t> payload;

	bool operator==(const Tlp &other) const
	{
		return header == other.header && payload == other.payload;
	}
	Bytes bytes() const
	{
		Bytes result;

		for (uint32_t word : header)
			for (unsigned i = 0; i < 4; i++)
				result.push_back(word >> 8 * i);
		for (uint32_t word : payload)
			for (unsigned i = 0; i < 4; i++)
				result.push_back(word >> 8 * i);
		return result;
	}
};

/* Contents are of no concern to the link; bytes that need an escape are frequent. */
inline Tlp random_tlp(Random &random, unsigned most_words = 64)
{
	static const uint32_t special[] = { 0x7e7e7e7e, 0x7d5e7d5d, 0x7d7d7d7d, 0, ~0u };
	Tlp tlp;

	for (uint32_t &word : tlp.header)
		word = random.chance(30) ? special[random.below(5)] : random.next();
	if (random.chance(60))
		tlp.payload.resize(random.chance(15)   ? most_words
				   : random.chance(15) ? random.below(most_words)
						       : random.below(8));
	for (uint32_t &word : tlp.payload)
		word = random.chance(30) ? special[random.below(5)] : random.next();
	return tlp;
}

inline uint32_t crc32(const Bytes &bytes)
{
	uint32_t crc = ~0u;

	for (uint8_t byte : bytes) {
		for (unsigned bit = 0; bit < 8; bit++) {
			bool out = (crc ^ byte >> bit) & 1;

			crc = crc >> 1 ^ (out ? 0xedb88320u : 0);
		}
	}
	return ~crc;
}

/* The content of a frame, without its CRC. */
enum : uint8_t { FrameTlp = 1, FrameNak = 2, FrameReset = 4, FrameTick = 8, FrameIdle = 0x80 };

inline Bytes frame(uint8_t flags, uint8_t link, uint8_t ack, uint8_t sequence,
		   const Bytes &body = {})
{
	Bytes result{ flags, link, ack, sequence };

	result.insert(result.end(), body.begin(), body.end());
	return result;
}

inline Bytes with_crc(const Bytes &content)
{
	Bytes result = content;
	uint32_t crc = crc32(content);

	for (unsigned i = 0; i < 4; i++)
		result.push_back(crc >> 8 * i);
	return result;
}

/* What is on the line for it. */
inline Bytes line_bytes(const Bytes &content)
{
	Bytes result{ 0x7e };

	for (uint8_t byte : with_crc(content)) {
		if (byte == 0x7e || byte == 0x7d) {
			result.push_back(0x7d);
			byte ^= 0x20;
		}
		result.push_back(byte);
	}
	result.push_back(0x7e);
	return result;
}

/* Takes the frames out of bytes. */
class Deframer {
public:
	enum Result { Nothing, Good, Bad };

	Result byte(uint8_t byte, Bytes &content)
	{
		if (byte != 0x7e) {
			raw.push_back(byte);
			return Nothing;
		}
		if (raw.empty())
			return Nothing;
		Bytes plain;
		bool escaped = false;

		for (uint8_t b : raw) {
			if (!escaped && b == 0x7d) {
				escaped = true;
				continue;
			}
			plain.push_back(escaped ? b ^ 0x20 : b);
			escaped = false;
		}
		raw.clear();
		if (escaped || plain.size() < 8)
			return Bad;
		content.assign(plain.begin(), plain.end() - 4);
		return with_crc(content) == plain ? Good : Bad;
	}

private:
	Bytes raw;
};

/* Loses, breaks and invents bytes, each so often in a thousand. */
class Fault {
public:
	Fault(Random &source, unsigned often) : random(source), permille(often) {}
	Bytes through(uint8_t byte)
	{
		Bytes result;

		if (random.below(1000) < permille) /* garbage */
			for (unsigned i = random.below(40); i; i--)
				result.push_back(random.chance(10) ? 0x7e : random.next());
		if (random.below(1000) < permille) { /* dropped */
			count++;
			return result;
		}
		if (random.below(1000) < permille) { /* flipped */
			byte ^= 1 << random.below(8);
			count++;
		}
		result.push_back(byte);
		return result;
	}
	uint64_t count = 0;
	unsigned permille;

private:
	Random &random;
};

/* One end of the link layer. */
class Peer {
public:
	static constexpr unsigned Window = 8;

	explicit Peer(uint8_t number) : link(number) {}

	void send(const Tlp &tlp) { waiting.push_back(tlp.bytes()); }
	bool all_acknowledged() const { return waiting.empty(); }

	/* A good frame came. */
	void heard(const Bytes &content)
	{
		uint8_t flags = content[0], distance = content[2] - first;

		if (content[1] != link || flags & FrameReset)
			return;
		idle = flags & FrameIdle;
		if (distance <= waiting.size()) {
			waiting.erase(waiting.begin(), waiting.begin() + distance);
			first += distance;
			sent = sent > distance ? sent - distance : 0;
			if (distance)
				silence = 0;
		}
		if (flags & FrameTick && sent && ++silence == 4) {
			replays++;
			silence = sent = 0;
		}
		if (flags & FrameNak) {
			naks++;
			sent = 0;
		}
		if (!(flags & FrameTlp))
			return;
		if (content[3] == expected && (uint8_t)(expected - consumed) < Window) {
			expected++;
			received.emplace_back(content.begin() + 4, content.end());
		} else if (content[3] == expected) {
			overruns++;
		} else if ((uint8_t)(expected - content[3]) < 128) {
			duplicates++;
			response = true;
		} else {
			nak = true;
		}
	}
	void heard_bad() { nak = true; }

	/* The oldest TLP that is here; it is acknowledged by being taken. */
	bool take(Bytes &body)
	{
		if (received.empty())
			return false;
		body = received.front();
		received.pop_front();
		consumed++;
		response = true;
		return true;
	}

	/* The next frame to say, if there is any. */
	bool say(Bytes &content)
	{
		bool tlp = sent < waiting.size() && sent < Window;

		if (!tlp && !response && !nak)
			return false;
		content = frame((tlp ? FrameTlp : 0) | (nak ? FrameNak : 0), link, consumed,
				first + sent, tlp ? waiting[sent] : Bytes{});
		sent += tlp;
		response = nak = false;
		return true;
	}

	uint8_t link;
	bool idle = false;
	uint64_t naks = 0, duplicates = 0, overruns = 0, replays = 0;

private:
	std::deque<Bytes> waiting, received;
	size_t sent = 0;
	unsigned silence = 0; /* ticks of the other side without an Ack that counts */
	uint8_t first = 0, expected = 0, consumed = 0;
	bool response = false, nak = false;
};

} /* namespace rf */

#endif

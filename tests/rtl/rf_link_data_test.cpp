/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data link layer on the physical layer against the link partner: DL_Active, then numbered TLPs
 * both ways, without and with errors on the lane, with few credits, with Recovery between. All of
 * them come once and in order; without errors no rule is broken.
 */
// partner: sim/link
#include <deque>
#include <memory>
#include <vector>

#include "Vrf_link_data_tb.h"
#include "harness.h"

extern "C" {
#include "link/partner.h"
}

namespace {

constexpr unsigned microsecond = 125; /* cycles */
constexpr unsigned millisecond = 20 * microsecond;
constexpr unsigned cold = 40 * millisecond;

class World {
public:
	explicit World(uint64_t seed, unsigned headers = 0, unsigned data = 0) : clock(top)
	{
		struct port_config config;

		port_config_init(&config, LTSSM_DOWNSTREAM_PORT);
		config.ltssm.millisecond = 2 * millisecond;
		config.data_link.deliver = deliver;
		config.data_link.context = this;
		if (headers)
			for (struct credits &one : config.data_link.credits)
				one = { uint16_t(headers), uint16_t(data) };
		partner_reset(&partner, &config, seed);
		partner.decoded = true;

		top.rx_clk_i = top.rx_rst_ni = 0;
		top.rx_idle_i = 1;
		top.rx_word_i = top.detect_done_i = 0;
		top.tx_valid_i = top.tx_last_i = top.tx_data_i = 0;
		top.need_i = top.consume_i = top.freed_i = top.freed_data_i = 0;
		clock.reset();
		top.rx_rst_ni = 1;
	}

	void cycle()
	{
		detecting = top.detect_o ? detecting + 1 : 0;
		top.detect_done_i = detecting > microsecond / 2;
		offer();
		top.eval();
		bool taken = top.tx_valid_i && top.tx_ready_o;

		clock.tick();
		top.consume_i = 0;
		if (taken && (at += 2) == bytes.size()) {
			bytes.clear();
			sent_up++;
		}
		receive();
		bad_tlps += top.bad_tlp_o;
		timeouts += top.timeout_o;
		rollovers += top.rollover_o;
		errors += top.protocol_error_o;
		lanes();
	}

	void run(unsigned n)
	{
		while (n--)
			cycle();
	}

	bool active(unsigned limit)
	{
		while (limit--) {
			cycle();
			if (top.active_o && partner.port.data_link.state == DL_ACTIVE)
				return true;
		}
		return false;
	}

	/* @count more each way; true when all have come. */
	bool exchange(unsigned count, unsigned limit)
	{
		goal_up += count;
		for (unsigned wanted = sent_down + count; limit--;) {
			if (sent_down < wanted) {
				static struct link_tlp tlp;

				make(&tlp, sent_down);
				sent_down += partner_send(&partner, &tlp);
			}
			cycle();
			if (at_device == wanted && at_partner == goal_up)
				return true;
		}
		return false;
	}

	unsigned violations() const
	{
		unsigned sum = 0;

		for (unsigned number : partner.watch.violations)
			sum += number;
		return sum;
	}

	Vrf_link_data_tb top;
	rf::Clock<Vrf_link_data_tb> clock;
	struct partner partner;
	uint32_t sent_down = 0, sent_up = 0, goal_up = 0, at_device = 0, at_partner = 0, wrong = 0;
	unsigned bad_tlps = 0, timeouts = 0, rollovers = 0, errors = 0;

private:
	/* Of four, two writes, a read and a completion. */
	static void make(struct link_tlp *tlp, uint32_t number)
	{
		unsigned words = 1 + number % 32;

		*tlp = {};
		if (number % 4 == 3)
			tlp_completion(tlp->header, 0x100, TLP_STATUS_SUCCESS, 4 * words, 0x200,
				       number, 0, words);
		else
			tlp_memory_request(tlp->header, number % 4 != 2, 0x100, number, number << 2,
					   words, 0xf, words > 1 ? 0xf : 0);
		for (unsigned i = 0; i < tlp_payload_words(tlp->header); i++)
			tlp->payload[i] = number * 0x9e3779b9u + i;
	}

	static unsigned kind(const struct link_tlp &tlp)
	{
		return tlp_is_completion(tlp.header) ? 2 : tlp_has_data(tlp.header) ? 0 : 1;
	}

	static bool differs(const struct link_tlp &got, uint32_t number)
	{
		static struct link_tlp wanted;

		make(&wanted, number);
		for (unsigned i = 0; i < 4; i++)
			if (got.header[i] != wanted.header[i])
				return true;
		for (unsigned i = 0; i < tlp_payload_words(wanted.header); i++)
			if (got.payload[i] != wanted.payload[i])
				return true;
		return false;
	}

	static void deliver(void *context, const struct link_tlp *tlp)
	{
		World *world = static_cast<World *>(context);

		world->wrong += differs(*tlp, world->at_partner++);
	}

	/* A TLP that enters has credits. */
	void offer()
	{
		if (bytes.empty() && sent_up < goal_up && top.active_o) {
			static struct link_tlp tlp;
			static uint8_t buffer[LINK_TLP_BYTES];

			make(&tlp, sent_up);
			top.need_i = (tlp_payload_words(tlp.header) + 3) / 4;
			top.eval();
			if (top.admits_o >> kind(tlp) & 1) {
				bytes.assign(buffer, buffer + tlp_to_bytes(&tlp, buffer));
				at = 0;
				top.consume_i = 1 << kind(tlp);
			}
		}
		top.tx_valid_i = !bytes.empty();
		if (!bytes.empty())
			top.tx_data_i = bytes[at] | bytes[at + 1] << 8;
		top.tx_last_i = at + 2 == bytes.size();
	}

	void receive()
	{
		top.freed_i = 0;
		if (top.rx_valid_o)
			for (unsigned i = 0; i < 2; i++)
				words.push_back(top.rx_data_o >> 8 * i);
		if (!top.rx_end_o)
			return;
		if (top.rx_take_o) {
			static struct link_tlp tlp;

			tlp = {};
			if (!tlp_from_bytes(words.data(), words.size(), &tlp))
				wrong++;
			wrong += differs(tlp, at_device++);
			if (kind(tlp) < 2)
				top.freed_i = 1 << kind(tlp);
			top.freed_data_i = (tlp_payload_words(tlp.header) + 3) / 4;
		}
		words.clear();
	}

	void lanes()
	{
		for (unsigned i = 0; i < 2; i++) {
			struct lane_symbol sent = {}, out[PARTNER_SYMBOLS];

			sent.value = top.tx_word_o >> (8 * i);
			sent.k = top.tx_word_o >> (16 + i) & 1;
			sent.idle = top.tx_idle_o;
			partner.to_device.lane.invert = top.rx_invert_o;
			unsigned number = partner_exchange(&partner, &sent, out);

			for (unsigned k = 0; k < number; k++)
				arrives(out[k]);
		}
	}

	void arrives(const struct lane_symbol &symbol)
	{
		pair[paired++] = symbol;
		if (paired < 2)
			return;
		paired = 0;
		top.rx_idle_i = pair[1].idle;
		top.rx_word_i = 0;
		for (unsigned i = 0; i < 2; i++) {
			bool bad = pair[i].idle || lane_symbol_bad(&pair[i]);

			top.rx_word_i |=
				pair[i].value << (8 * i) | pair[i].k << (16 + i) | bad << (18 + i);
		}
		top.rx_clk_i = 1;
		top.eval();
		top.rx_clk_i = 0;
		top.eval();
	}

	std::vector<uint8_t> bytes, words;
	struct lane_symbol pair[2];
	size_t at = 0;
	unsigned paired = 0, detecting = 0;
};

rf::Tap tap;

void good(const World &world)
{
	tap.equal(world.wrong, 0, "each once and in order");
	tap.equal(world.errors, 0, "protocol errors");
	tap.equal(world.partner.port.data_link.counters.protocol_errors, 0, "the partner's");
	tap.equal(world.partner.port.data_link.counters.overflows, 0, "TLPs without credits");
}

void clean()
{
	tap.begin("DL_Active, and TLPs both ways by every rule; numbers wrap");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active", world.top.state_o, world.top.active_o);
	tap.check(world.exchange(5000, 800000), "TLPs", world.at_device, world.at_partner);
	world.run(20 * microsecond);
	good(world);
	const struct watch &watch = world.partner.watch;

	tap.check(watch.verdict < 0,
		  watch.verdict < 0 ? "no rule is broken"
				    : watch_rule_text(static_cast<enum watch_rule>(watch.verdict)),
		  watch.verdict_time);
	tap.equal(world.violations(), 0, "rules broken");
	tap.equal(world.bad_tlps + world.timeouts, 0, "nothing was repeated");
	tap.equal(world.partner.port.data_link.counters.naks_received, 0, "no Nak");
	tap.end();
}

void errors()
{
	for (unsigned every : { 20000, 2000, 500 }) {
		tap.begin("an error in " + std::to_string(every) + " symbols each way");
		World world(rf::seed() * 10 + every);

		tap.check(world.active(cold), "DL_Active");
		for (struct channel *one :
		     { &world.partner.to_device, &world.partner.from_device }) {
			one->error_every = every;
			one->error_kinds = 1 << CHANNEL_FLIP | 1 << CHANNEL_DISPARITY;
		}
		tap.check(world.exchange(2000, 4000000), "TLPs", world.at_device, world.at_partner);
		good(world);
		tap.check(world.bad_tlps > 20000 / every, "bad TLPs", world.bad_tlps);
		tap.check(world.partner.port.data_link.counters.naks_received > 20000 / every,
			  "Naks", world.partner.port.data_link.counters.naks_received);
		tap.end();
	}
}

void few_credits()
{
	tap.begin("one TLP's credits of each class");
	World world(rf::seed(), 1, 8);

	tap.check(world.active(cold), "DL_Active");
	tap.check(world.exchange(1000, 1000000), "TLPs", world.at_device, world.at_partner);
	good(world);
	tap.end();
}

void recovery()
{
	tap.begin("Recovery at any time, then all TLPs");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active");
	for (unsigned i = 0; i < 20; i++) {
		world.goal_up += 20;
		world.run(400 + 37 * i);
		partner_direct(&world.partner, LTSSM_RETRAIN);
		tap.check(world.exchange(20, 100000), "TLPs", world.at_device, world.at_partner);
	}
	good(world);
	tap.end();

	tap.begin("without Acks the fourth replay retrains the link, and then goes on");
	World silent(rf::seed());

	tap.check(silent.active(cold), "DL_Active");
	silent.partner.port.data_link.knobs.hold_acks = true;
	tap.check(silent.exchange(4, 8000), "TLPs", silent.at_device, silent.at_partner);
	silent.run(5 * 1000); /* five time-outs */
	tap.check(silent.timeouts >= 4, "time-outs", silent.timeouts);
	tap.check(silent.rollovers >= 1, "REPLAY_NUM rolled over", silent.rollovers);
	silent.partner.port.data_link.knobs.hold_acks = false;
	tap.check(silent.exchange(50, 100000), "TLPs", silent.at_device, silent.at_partner);
	good(silent);
	tap.end();
}

} // namespace

int main()
{
	printf("# seed %" PRIu64 "\n", rf::seed());
	clean();
	errors();
	few_credits();
	recovery();
	return tap.status();
}

// SPDX-License-Identifier: Apache-2.0
//
// A device behind its PCIe link: the Verilated rf_device_linked and the link partner of link/, as
// the root port sees them; rfsim_link.so. A cycle is one of the link's clock, and every second one
// is one of the device's. TLPs take the time that they have on the lane, and the device's are shown
// one at a time, in their order. What the root port has not taken keeps its credits, so further TLPs
// wait in the device. A read that has come is always taken; while the root port is not ready for reads
// it frees no credits of theirs. What the root port marks as bad is not sent.

#include "device_model.h"

#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <new>

#include "Vrf_device.h"
#include "verilated.h"

#include "link_serdes.h"

namespace {

constexpr unsigned Millisecond = 20 * 125; /* cycles, as sim.mk has it for rf_device_linked */
constexpr unsigned Training = 60 * Millisecond; /* far more than it takes */
// Of the root port; few, so that it stalls the device soon. A write of any size has data credits.
constexpr struct credits Credits[CREDIT_CLASSES] = { { 8, 256 }, { 8, 8 }, { 0, 0 } };
// As long as software leaves the bit set, and until Recovery leads to Hot Reset: with errors on the
// lane it may take its time-out of 2 ms first.
constexpr unsigned ResetTime = 2 * Millisecond;

// A TLP of the device, and the symbol time in which it began
struct arrived {
	struct link_tlp tlp;
	uint64_t start;
};

// @to_device, @delivered: TLPs to the device, and those that it has taken; @from_device, @sent: the
// other way. What is under way when the link goes down is in neither.
struct link_device : device_model {
	VerilatedContext context;
	std::unique_ptr<Vrf_device> model;
	std::unique_ptr<LinkSerdes<Vrf_device>> serdes;
	struct partner partner;
	struct device_inputs inputs;
	struct device_outputs outputs;
	struct link_tlp out; // what has come of a TLP to the device
	unsigned words;
	std::deque<struct arrived> up; // of the device
	unsigned position; // words of the first one that were taken
	uint64_t to_device, delivered, from_device, sent;
	uint64_t arrivals, shown; // TLPs of the device; when the one on show began
	bool second; // this cycle has an edge of the device's clock
	bool active; // the link has been up in the last cycle
	bool absent; // the lane is silent
	bool returns; // until both ends have noticed it
	unsigned reset; // cycles for which Hot Reset is still sent, or PERST# is low
};

struct link_device *linked(struct device_model *base)
{
	return static_cast<struct link_device *>(base);
}

void deliver(void *context, const struct link_tlp *tlp)
{
	struct link_device *device = static_cast<struct link_device *>(context);

	const LinkSerdes<Vrf_device> &serdes = *device->serdes;

	// none comes twice without errors on the lane
	device->up.push_back({ *tlp, serdes.starts[device->arrivals++ % serdes.Starts] });
	device->from_device++;
}

void set_absent(struct link_device *device, bool absent)
{
	device->absent = absent;
	device->returns = false;
	device->serdes->present = !absent;
	device->partner.port.ltssm.present = !absent;
	device->partner.to_device.silent = device->partner.from_device.silent = absent;
}

bool is_down(const struct link_device *device)
{
	return !device->model->active_o && device->partner.port.data_link.state != DL_ACTIVE;
}

bool is_active(const struct link_device *device)
{
	return device->model->active_o && device->partner.port.data_link.state == DL_ACTIVE;
}

// What is under way is lost, also a TLP of which the root port has taken a part.
void lose(struct link_device *device)
{
	device->up.clear();
	device->position = 0;
	device->delivered = device->to_device;
	device->sent = device->from_device;
}

void device_cycle(struct link_device *device)
{
	Vrf_device &model = *device->model;

	device->delivered += model.delivered_o;
	device->sent += (model.sent_o & 1) + (model.sent_o >> 1 & 1);
	model.device_clk_i = 1;
	model.eval();
	model.device_clk_i = 0;
}

// Recovery is on its way to Hot Reset
bool awaits_reset(const struct link_device *device)
{
	const struct ltssm &ltssm = device->partner.port.ltssm;

	return ltssm.directive == LTSSM_RESET_LINK && ltssm.state >= LTSSM_RECOVERY_RCVRLOCK &&
	       ltssm.state <= LTSSM_RECOVERY_IDLE;
}

// A cycle of the link's clock. The device's edge comes before it, at another time.
void cycle(struct link_device *device)
{
	Vrf_device &model = *device->model;

	if (device->second)
		device_cycle(device);
	device->second = !device->second;
	device->serdes->detect();
	model.clk_i = 0;
	model.eval();
	model.clk_i = 1;
	model.eval();
	device->serdes->exchange();
	if (device->reset > awaits_reset(device) && !--device->reset) {
		model.rst_ni = model.rx_rst_ni = 1;
		partner_direct(&device->partner, LTSSM_TRAIN);
	}
	if (device->returns && is_down(device))
		set_absent(device, false);
	device->active = is_active(device);
	if (!device->active)
		lose(device);
}

// Beats of the root port to a TLP
void take_beat(struct link_device *device)
{
	const struct device_inputs *inputs = &device->inputs;

	if (inputs->sop) {
		memcpy(device->out.header, inputs->header, sizeof(device->out.header));
		device->words = 0;
	}
	for (unsigned i = 0; i < 2; i++)
		if (inputs->strb >> i & 1 && device->words < TLP_MAX_PAYLOAD_WORDS)
			device->out.payload[device->words++] = inputs->data >> (32 * i);
	if (!inputs->eop || inputs->error)
		return;
	device->out.surplus = (int)device->words - (int)tlp_payload_words(device->out.header);
	device->to_device += partner_send(&device->partner, &device->out);
}

// The next beat of the device's first TLP
void show_beat(const struct link_device *device, struct device_outputs *outputs)
{
	const struct link_tlp &tlp = device->up.front().tlp;
	struct device_beat *beat = &outputs->posted;
	unsigned left = tlp_payload_words(tlp.header) - device->position;

	if (tlp_is_memory_read(tlp.header)) {
		outputs->read_valid = true;
		memcpy(outputs->read_header, tlp.header, sizeof(outputs->read_header));
		return;
	}
	beat->valid = true;
	beat->sop = !device->position;
	beat->eop = left <= 2;
	beat->strb = left >= 2 ? 3 : left;
	memcpy(beat->header, tlp.header, sizeof(beat->header));
	if (left)
		beat->data = tlp.payload[device->position];
	if (left >= 2)
		beat->data |= (uint64_t)tlp.payload[device->position + 1] << 32;
}

// Nothing happens any more by itself. A link that is down trains, unless the card is out.
bool is_idle(const struct link_device *device)
{
	if (!device->up.empty())
		return false;
	if (!device->active)
		return device->absent && !device->returns && is_down(device);
	return !device->absent && !device->reset && device->model->idle_o &&
	       data_link_empty(&device->partner.port.data_link) &&
	       device->to_device == device->delivered && device->from_device == device->sent;
}

void linked_settle(struct device_model *base, const struct device_inputs *inputs,
		   struct device_outputs *outputs)
{
	struct link_device *device = linked(base);

	memset(outputs, 0, sizeof(*outputs));
	if (!device->up.empty()) {
		device->shown = device->up.front().start;
		show_beat(device, outputs);
	}
	// a TLP for a link that is down is lost
	outputs->receive_ready =
		!device->active || device->partner.port.data_link.queue.count < TLP_QUEUE_DEPTH;
	outputs->idle = is_idle(device);
	outputs->trace = device->second ? 0 : device->model->trace_o; // once for each edge
	outputs->gone = !device->active;
	outputs->read_departed = true;
	device->inputs = *inputs;
	device->outputs = *outputs;
}

void linked_clock(struct device_model *base)
{
	struct link_device *device = linked(base);
	unsigned hold;

	if (device->inputs.valid && device->outputs.receive_ready)
		take_beat(device);
	if (device->outputs.read_valid) {
		device->up.pop_front();
	} else if (device->outputs.posted.valid && device->inputs.posted_ready) {
		device->position += 2;
		if (device->outputs.posted.eop) {
			device->position = 0;
			device->up.pop_front();
		}
	}
	hold = device->up.empty() ? 0 : CREDIT_ALL;
	if (!device->inputs.read_ready)
		hold |= 1 << CREDIT_NON_POSTED;
	device->partner.port.data_link.knobs.hold_credits = hold;
	cycle(device);
}

void linked_link(struct device_model *base, enum device_link_event event)
{
	struct link_device *device = linked(base);

	switch (event) {
	case DEVICE_LINK_OUT:
		if (!device->reset)
			partner_direct(&device->partner, LTSSM_TRAIN); // out of L2, too
		set_absent(device, true);
		break;
	case DEVICE_LINK_IN:
		device->returns = device->absent;
		break;
	case DEVICE_LINK_RETRAIN:
		partner_direct(&device->partner, LTSSM_RETRAIN);
		break;
	case DEVICE_LINK_HOT_RESET:
		partner_direct(&device->partner, LTSSM_RESET_LINK);
		device->reset = ResetTime;
		break;
	case DEVICE_LINK_PERST:
		device->model->rst_ni = device->model->rx_rst_ni = 0;
		partner_direct(&device->partner, LTSSM_OFF);
		device->reset = ResetTime;
		break;
	}
}

void linked_times(struct device_model *base, uint64_t *received, uint64_t *sent)
{
	*received = linked(base)->serdes->ended;
	*sent = linked(base)->shown;
}

void linked_symbols(struct device_model *base, uint64_t *dllps, uint64_t *skps)
{
	*dllps = linked(base)->serdes->dllps;
	*skps = linked(base)->serdes->skps;
}

void linked_destroy(struct device_model *base)
{
	struct link_device *device = linked(base);

	device->model->final();
	Verilated::threadContextp(&device->context);
	delete device;
	Verilated::threadContextp(Verilated::defaultContextp());
}

int no_trace(struct device_model *, const char *)
{
	return -EOPNOTSUPP;
}

int no_trace_close(struct device_model *)
{
	return 0;
}

const struct device_ops ops = {
	linked_destroy, linked_settle, linked_clock, no_trace,
	no_trace_close, linked_link,   linked_times, linked_symbols,
};

// Random errors, once the link is trained
void make_errors(struct channel *channel, uint32_t every)
{
	channel->error_every = every;
	channel->error_kinds = 1 << CHANNEL_FLIP | 1 << CHANNEL_DISPARITY;
}

} // namespace

// Trained, with an active data link layer
struct device_model *linked_create(const struct linked_options *options)
{
	auto *device = new (std::nothrow) link_device();
	struct port_config config;

	if (!device)
		return nullptr;
	device->ops = &ops;
	device->context.assertOn(options->assertions);
	device->model.reset(new Vrf_device(&device->context));
	device->serdes.reset(new LinkSerdes<Vrf_device>(*device->model, device->partner));

	port_config_init(&config, LTSSM_DOWNSTREAM_PORT);
	config.ltssm.millisecond = 2 * Millisecond;
	memcpy(config.data_link.credits, Credits, sizeof(Credits));
	config.data_link.deliver = deliver;
	config.data_link.context = device;
	partner_reset(&device->partner, &config, options->seed);
	device->partner.decoded = true;

	device->serdes->reset();
	device->model->rst_ni = 0;
	for (unsigned i = 0; i < 8; i++)
		cycle(device);
	device->model->rst_ni = device->model->rx_rst_ni = 1;
	for (unsigned i = 0; i < Training && !device->active; i++)
		cycle(device);
	make_errors(&device->partner.to_device, options->errors);
	make_errors(&device->partner.from_device, options->errors);
	return device;
}

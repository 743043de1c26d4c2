// SPDX-License-Identifier: Apache-2.0
//
// A device behind its PCIe link: the Verilated rf_device_linked and the link partner of link/, as
// the root port sees them. It stands in for verilated_device.cpp in librfsim_linked.a. TLPs take the
// time that they have on the lane, and the device's are shown one at a time, in their order. What
// the root port marks as bad is sent as a nullified TLP.

#include "device_model.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <new>

#include "Vrf_device.h"
#include "verilated.h"

#include "link_serdes.h"

namespace {

constexpr unsigned Millisecond = 20 * 125; /* cycles, as the parameter of rf_device_linked says */
constexpr unsigned Training = 60 * Millisecond; /* far more than it takes */

struct link_device : device_model {
	VerilatedContext context;
	std::unique_ptr<Vrf_device> model;
	std::unique_ptr<LinkSerdes<Vrf_device>> serdes;
	struct partner partner;
	struct device_inputs inputs;
	struct device_outputs outputs;
	struct link_tlp out; // what has come of a TLP to the device
	unsigned words;
	std::deque<struct link_tlp> up; // of the device
	unsigned position; // words of the first one that were taken
	uint64_t to_device, delivered, from_device, sent;
	bool was_active;
};

struct link_device *linked(struct device_model *base)
{
	return static_cast<struct link_device *>(base);
}

void deliver(void *context, const struct link_tlp *tlp)
{
	struct link_device *device = static_cast<struct link_device *>(context);

	device->up.push_back(*tlp);
	device->from_device++;
}

// A cycle of the link's clock, which is the device's, too.
void cycle(struct link_device *device)
{
	Vrf_device &model = *device->model;

	device->serdes->detect();
	model.clk_i = 0;
	model.eval();
	device->delivered += model.delivered_o;
	device->sent += (model.sent_o & 1) + (model.sent_o >> 1 & 1);
	model.clk_i = 1;
	model.eval();
	device->serdes->exchange();
}

bool is_active(const struct link_device *device)
{
	return device->model->active_o && device->partner.port.data_link.state == DL_ACTIVE;
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
	device->to_device += partner_send(&device->partner, &device->out);
}

// The next beat of the device's first TLP
void show_beat(const struct link_device *device, struct device_outputs *outputs)
{
	const struct link_tlp &tlp = device->up.front();
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

void linked_settle(struct device_model *base, const struct device_inputs *inputs,
		   struct device_outputs *outputs)
{
	struct link_device *device = linked(base);
	const struct data_link &link = device->partner.port.data_link;

	memset(outputs, 0, sizeof(*outputs));
	if (!device->up.empty())
		show_beat(device, outputs);
	outputs->receive_ready = link.queue.count < TLP_QUEUE_DEPTH;
	outputs->idle = device->model->idle_o && device->up.empty() && data_link_empty(&link) &&
			device->to_device == device->delivered &&
			device->from_device == device->sent;
	outputs->trace = device->model->trace_o;
	outputs->gone = device->was_active && !is_active(device);
	device->inputs = *inputs;
	device->outputs = *outputs;
}

void linked_clock(struct device_model *base)
{
	struct link_device *device = linked(base);

	if (device->inputs.valid && device->outputs.receive_ready)
		take_beat(device);
	if (device->outputs.read_valid && device->inputs.read_ready) {
		device->up.pop_front();
	} else if (device->outputs.posted.valid && device->inputs.posted_ready) {
		device->position += 2;
		if (device->outputs.posted.eop) {
			device->position = 0;
			device->up.pop_front();
		}
	}
	cycle(device);
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
	linked_destroy, linked_settle, linked_clock, no_trace, no_trace_close,
};

} // namespace

bool verilated_has_waves(void)
{
	return false;
}

// Trained, with an active data link layer. RF_LINK_ERRORS: an error in so many symbols, each way.
struct device_model *verilated_create(bool assertions)
{
	auto *device = new (std::nothrow) link_device();
	struct port_config config;
	const char *errors = getenv("RF_LINK_ERRORS");

	if (!device)
		return nullptr;
	device->ops = &ops;
	device->context.assertOn(assertions);
	device->model.reset(new Vrf_device(&device->context));
	device->serdes.reset(new LinkSerdes<Vrf_device>(*device->model, device->partner));

	port_config_init(&config, LTSSM_DOWNSTREAM_PORT);
	config.ltssm.millisecond = 2 * Millisecond;
	config.data_link.deliver = deliver;
	config.data_link.context = device;
	partner_reset(&device->partner, &config, 1);
	device->partner.decoded = true;

	device->serdes->reset();
	device->model->rst_ni = 0;
	for (unsigned i = 0; i < 4; i++)
		cycle(device);
	device->model->rst_ni = device->model->rx_rst_ni = 1;
	for (unsigned i = 0; i < Training && !is_active(device); i++)
		cycle(device);
	device->was_active = is_active(device);
	for (struct channel *one : { &device->partner.to_device, &device->partner.from_device }) {
		one->error_every = errors ? strtoul(errors, nullptr, 0) : 0;
		one->error_kinds = 1 << CHANNEL_FLIP | 1 << CHANNEL_DISPARITY;
	}
	return device;
}

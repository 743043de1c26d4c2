// SPDX-License-Identifier: Apache-2.0
//
// The only C++ of librfsim: the Verilated model behind the functions of
// device_model.h.

#include "device_model.h"

#include <cerrno>
#include <memory>
#include <new>

#include "Vrf_device.h"
#include "verilated.h"

#if RFSIM_WAVES /* a model made with --trace-fst */
#include "verilated_fst_c.h"
#include "wave_file.h"
#endif

#if VM_COVERAGE /* make coverage */
#include <cstdlib>
#include <string>
#include <unistd.h>
#include "verilated_cov.h"
#endif

namespace {

struct verilated_device : device_model {
	VerilatedContext context;
	std::unique_ptr<Vrf_device> model;
#if RFSIM_WAVES
	std::unique_ptr<VerilatedFstC> trace;
	uint64_t time = 0;
#endif
};

struct verilated_device *verilated(struct device_model *base)
{
	return static_cast<struct verilated_device *>(base);
}

#if RFSIM_WAVES
// Half a period of 125 MHz, in the nanoseconds of the trace.
const uint64_t half_period = 4;

void trace_half_cycle(struct verilated_device *device)
{
	if (device->trace)
		device->trace->dump(device->time);
	device->time += half_period;
}

int verilated_trace_close(struct device_model *base)
{
	struct verilated_device *device = verilated(base);

	if (!device->trace)
		return 0;
	wave_file_begin();
	device->trace->close();
	device->trace.reset();
	return wave_file_error();
}

int verilated_trace_open(struct device_model *base, const char *path)
{
	struct verilated_device *device = verilated(base);

	verilated_trace_close(base);
	wave_file_begin();
	device->trace.reset(new VerilatedFstC);
	device->model->trace(device->trace.get(), 99);
	device->trace->open(path);
	if (!device->trace->isOpen()) {
		device->trace.reset();
		return wave_file_error() ? wave_file_error() : -EIO;
	}
	return 0;
}
#else
#if !RFSIM_STEPPED
void trace_half_cycle(struct verilated_device *) {}
#endif

int verilated_trace_close(struct device_model *)
{
	return 0;
}

int verilated_trace_open(struct device_model *, const char *)
{
	return -EOPNOTSUPP;
}
#endif

// A cycle has two halves: outputs settle, then the clock rises.
#if RFSIM_STEPPED /* a model of rf_device_stepped: the edge comes with the inputs of the next cycle */
void settle_outputs(struct verilated_device *device)
{
	device->model->step_i = !device->model->step_i;
	device->model->eval();
}

void clock_edge(struct verilated_device *) {}
#else
void half_cycle(struct verilated_device *device, bool clock)
{
	device->model->clk_i = clock;
	device->model->eval();
	trace_half_cycle(device);
}

void settle_outputs(struct verilated_device *device)
{
	half_cycle(device, false);
}

void clock_edge(struct verilated_device *device)
{
	half_cycle(device, true);
}
#endif

// What a device counted, in a file of its own in the folder RF_COVERAGE.
void write_counts(struct verilated_device *device)
{
#if VM_COVERAGE
	static int devices;
	const char *folder = getenv("RF_COVERAGE");
	std::string name = "/counts." + std::to_string(getpid()) + "." + std::to_string(devices++);

	if (folder)
		device->context.coveragep()->write((folder + name).c_str());
#endif
	(void)device;
}

void verilated_destroy(struct device_model *base)
{
	struct verilated_device *device = verilated(base);

	verilated_trace_close(base);
	device->model->final();
	write_counts(device);
	// scopes of assertions are taken out of the thread's context, that of another device
	Verilated::threadContextp(&device->context);
	delete device;
	Verilated::threadContextp(Verilated::defaultContextp());
}

void verilated_settle(struct device_model *base, const struct device_inputs *inputs,
		      struct device_outputs *outputs)
{
	struct verilated_device *device = verilated(base);
	Vrf_device &model = *device->model;

	model.rx_tlp_data_i = inputs->data;
	model.rx_tlp_strb_i = inputs->strb;
	model.rx_tlp_error_i = inputs->error;
	model.rx_tlp_valid_i = inputs->valid;
	model.rx_tlp_sop_i = inputs->sop;
	model.rx_tlp_eop_i = inputs->eop;
	model.tx_tlp_ready_i = inputs->posted_ready;
	model.tx_read_tlp_ready_i = inputs->read_ready;
	for (int word = 0; word < 4; word++)
		model.rx_tlp_hdr_i[3 - word] = inputs->header[word];

	settle_outputs(device);

	outputs->posted.data = model.tx_tlp_data_o;
	outputs->posted.strb = model.tx_tlp_strb_o;
	outputs->posted.valid = model.tx_tlp_valid_o;
	outputs->posted.sop = model.tx_tlp_sop_o;
	outputs->posted.eop = model.tx_tlp_eop_o;
	outputs->read_valid = model.tx_read_tlp_valid_o;
	outputs->receive_ready = model.rx_tlp_ready_o;
	outputs->idle = model.idle_o;
	outputs->trace = model.trace_o;
	for (int word = 0; word < 4; word++) {
		outputs->posted.header[word] = model.tx_tlp_hdr_o[3 - word];
		outputs->read_header[word] = model.tx_read_tlp_hdr_o[3 - word];
	}
}

void verilated_clock(struct device_model *base)
{
	clock_edge(verilated(base));
}

const struct device_ops ops = {
	verilated_destroy,     verilated_settle, verilated_clock, verilated_trace_open,
	verilated_trace_close, nullptr,		 nullptr,	  nullptr,
};

} // namespace

bool verilated_has_waves(void)
{
#if RFSIM_WAVES
	return true;
#else
	return false;
#endif
}

#ifdef RFSIM_LINK
const char *verilated_link_library(void)
{
	return RFSIM_LINK;
}
#endif

struct device_model *verilated_create(bool assertions)
{
	auto *device = new (std::nothrow) verilated_device;

	if (!device)
		return nullptr;
	device->ops = &ops;
#if RFSIM_WAVES
	device->context.traceEverOn(true);
#endif
	device->context.assertOn(assertions);
	device->model.reset(new Vrf_device(&device->context));
	device->model->rst_ni = 0;
	device->model->link_status_i = 0; /* no link is simulated */
	for (int cycle = 0; cycle < 4; cycle++) {
		settle_outputs(device);
		clock_edge(device);
	}
	device->model->rst_ni = 1;
	return device;
}

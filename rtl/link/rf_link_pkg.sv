// SPDX-License-Identifier: Apache-2.0
//
// Types of the PCIe link: two symbols a cycle, ordered sets, states of the LTSSM. Numbers are those
// of the PCI Express Base Specification, chapter 4, for 2.5 GT/s.
//
// Used fully scoped (rf_link_pkg::x).

// A package names more than any one top module uses.
/* verilator lint_off UNUSEDPARAM */
package rf_link_pkg;

  // --- symbols: Kx.y is {y, x} ---------------------------------------------------
  localparam logic [7:0] Com = {3'd5, 5'd28};
  localparam logic [7:0] Skp = {3'd0, 5'd28};
  localparam logic [7:0] Idl = {3'd3, 5'd28};
  localparam logic [7:0] Pad = {3'd7, 5'd23};
  localparam logic [7:0] Stp = {3'd7, 5'd27};
  localparam logic [7:0] Sdp = {3'd2, 5'd28};
  localparam logic [7:0] End = {3'd7, 5'd29};
  localparam logic [7:0] Edb = {3'd7, 5'd30};
  localparam logic [7:0] Ts1 = {3'd2, 5'd10};  // identifiers of training sets: D10.2 and D5.2;
  localparam logic [7:0] Ts2 = {3'd2, 5'd5};   // with the wires swapped all their bits differ

  // Two symbols; the first on the wire is bit 0 of bad and k, and bits 7:0 of data. bad: a code
  // or disparity error; the rest of that symbol means nothing.
  localparam int unsigned WordWidth = 20;
  typedef struct packed {
    logic [1:0]  bad;
    logic [1:0]  k;
    logic [15:0] data;
  } word_t;

  // TS1 or TS2. inverted: it was received with the wires swapped.
  localparam int unsigned TrainingSetWidth = 44;
  typedef struct packed {
    logic       ts2;
    logic       inverted;
    logic       link_pad;
    logic       lane_pad;
    logic [7:0] link;
    logic [7:0] lane;
    logic [7:0] fts;
    logic [7:0] rate;
    logic [7:0] control;
  } training_set_t;

  // Bits of control
  localparam int unsigned ControlHotReset = 0;
  localparam int unsigned ControlDisable = 1;
  localparam int unsigned ControlLoopback = 2;
  localparam int unsigned ControlNoScrambling = 3;

  localparam logic [7:0] Rate2G5 = 8'h02;      // data rate identifier: 2.5 GT/s alone

  // --- what the transmitter sends next --------------------------------------------
  typedef enum logic [3:0] {
    SendQuiet,       // electrical idle, two symbol times
    SendTs1,
    SendTs2,
    SendEios,
    SendIdle,        // two symbols of logical idle
    SendPackets,     // the next packet, or two symbols of logical idle
    SendCompliance,  // the compliance pattern, once
    SendLoop,        // two symbols that were received
    SendSkp          // a SKP set; never asked for: it comes when it is due
  } send_e;

  // --- errors, a pulse each, with the names of Advanced Error Reporting -----------------
  localparam int unsigned ErrorsWidth = 6;
  typedef struct packed {
    logic protocol;    // Data Link Protocol Error
    logic timeout;     // Replay Timer Timeout
    logic rollover;    // REPLAY_NUM Rollover
    logic bad_dllp;
    logic bad_tlp;
    logic receiver;    // Receiver Error: in L0, a code, a packet's frame, or the elastic buffer
  } errors_t;

  // --- TLPs between the link's clock and the device's ------------------------------------
  // A TLP is two entries of its header, DW 0 in the upper bits, as rf_device has it, then
  // payload, the first DW in the lower bits.
  // Received: with last the DWs that are valid; a wrong number if the TLP's length is not its
  // header's; error: all entries since the last one are void, and data mean nothing.
  localparam int unsigned ReceivedEntryWidth = 68;
  typedef struct packed {
    logic        last;
    logic        error;
    logic [1:0]  strb;
    logic [63:0] data;
  } received_entry_t;

  // Sent: half: one DW, the first
  localparam int unsigned SentEntryWidth = 66;
  typedef struct packed {
    logic        last;
    logic        half;
    logic [63:0] data;
  } sent_entry_t;

  // --- states, with the names of the specification ----------------------------------
  typedef enum logic [4:0] {
    DetectQuiet,                    // electrical idle, 12 ms or until the other side sends
    DetectActive,                   // is there a receiver?
    PollingActive,                  // TS1s: bit and symbol lock
    PollingConfiguration,           // TS2s: polarity is right on both sides
    PollingCompliance,              // the compliance pattern, for a load that never sends
    ConfigurationLinkwidthStart,    // TS1s: the link number is proposed,
    ConfigurationLinkwidthAccept,   // and taken
    ConfigurationLanenumWait,       // TS1s: the lane number is proposed,
    ConfigurationLanenumAccept,     // and taken
    ConfigurationComplete,          // TS2s: both numbers are agreed
    ConfigurationIdle,              // logical idle
    L0,                             // packets
    RecoveryRcvrLock,               // TS1s: lock again
    RecoveryRcvrCfg,                // TS2s: both sides have locked
    RecoveryIdle,                   // logical idle
    HotReset,                       // TS1s with the bit Hot Reset
    Disabled,                       // TS1s with the bit Disable Link, EIOS, electrical idle
    LoopbackEntry,                  // TS1s until the loop is closed
    LoopbackActive,                 // what is received is sent
    LoopbackExit,                   // electrical idle, 2 ms
    L1Entry,                        // EIOS is sent and awaited
    L1Idle,                         // electrical idle in L1
    L2Entry,                        // EIOS is sent and awaited
    L2Idle                          // electrical idle in L2
  } ltssm_state_e;

endpackage
/* verilator lint_on UNUSEDPARAM */

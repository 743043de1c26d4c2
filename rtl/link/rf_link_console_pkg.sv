// SPDX-License-Identifier: Apache-2.0
//
// Generated from rtl/board/link_console.toml by tools/generate.py: do not edit.
// What everything means: docs/link-console.md.

// Every module uses a part of it only.
/* verilator lint_off UNUSEDPARAM */
package rf_link_console_pkg;

  // --- constants ---
  localparam int unsigned Identity = 32'h4b4c4652;
  localparam int unsigned Version = 1;
  localparam int unsigned AddressBits = 12;
  localparam int unsigned ClockUnitHz = 32'h2710;
  localparam int unsigned LengthCycles = 16;
  localparam int unsigned MeterWindow = 4096;
  localparam int unsigned MeterCycles = 32;
  localparam int unsigned BoardCounters = 8;

  // --- registers ---
  localparam logic [11:0] RegIdentity = 12'h000;
  localparam logic [11:0] RegBuild = 12'h001;
  localparam logic [11:0] RegStatus = 12'h002;
  localparam logic [11:0] RegSettings = 12'h003;
  localparam logic [11:0] RegCommand = 12'h004;
  localparam logic [11:0] RegNow = 12'h004;
  localparam logic [11:0] RegPosition = 12'h005;
  localparam logic [11:0] RegClocks = 12'h006;
  localparam logic [11:0] RegSciRequest = 12'h007;
  localparam logic [11:0] RegSci = 12'h007;
  localparam logic [11:0] RegEntry = 12'h400;
  localparam logic [11:0] RegCounter = 12'h600;
  localparam int unsigned BuildVersionLsb = 0;
  localparam int unsigned BuildVersionWidth = 8;
  localparam int unsigned BuildClarityLsb = 8;
  localparam int unsigned BuildClarityWidth = 1;
  localparam int unsigned BuildCtcLsb = 9;
  localparam int unsigned BuildCtcWidth = 1;
  localparam int unsigned BuildGearLsb = 10;
  localparam int unsigned BuildGearWidth = 1;
  localparam int unsigned BuildSwitchesLsb = 11;
  localparam int unsigned BuildSwitchesWidth = 1;
  localparam int unsigned BuildClockLsb = 16;
  localparam int unsigned BuildClockWidth = 16;
  localparam int unsigned StatusTxReadyLsb = 0;
  localparam int unsigned StatusTxReadyWidth = 1;
  localparam int unsigned StatusRxReadyLsb = 1;
  localparam int unsigned StatusRxReadyWidth = 1;
  localparam int unsigned StatusStepLsb = 2;
  localparam int unsigned StatusStepWidth = 3;
  localparam int unsigned StatusPllUnlockedLsb = 5;
  localparam int unsigned StatusPllUnlockedWidth = 1;
  localparam int unsigned StatusCdrUnlockedLsb = 6;
  localparam int unsigned StatusCdrUnlockedWidth = 1;
  localparam int unsigned StatusNoSignalLsb = 7;
  localparam int unsigned StatusNoSignalWidth = 1;
  localparam int unsigned StatusSymbolsLsb = 8;
  localparam int unsigned StatusSymbolsWidth = 1;
  localparam int unsigned StatusCompensationFailedLsb = 9;
  localparam int unsigned StatusCompensationFailedWidth = 1;
  localparam int unsigned StatusPerstReleasedLsb = 10;
  localparam int unsigned StatusPerstReleasedWidth = 1;
  localparam int unsigned StatusReceiverPresentLsb = 11;
  localparam int unsigned StatusReceiverPresentWidth = 1;
  localparam int unsigned StatusWiresSwappedLsb = 12;
  localparam int unsigned StatusWiresSwappedWidth = 1;
  localparam int unsigned StatusLinkActiveLsb = 13;
  localparam int unsigned StatusLinkActiveWidth = 1;
  localparam int unsigned SettingsPresentLsb = 0;
  localparam int unsigned SettingsPresentWidth = 1;
  localparam int unsigned SettingsIdleNotBitLsb = 1;
  localparam int unsigned SettingsIdleNotBitWidth = 1;
  localparam int unsigned SettingsIdleNotPinLsb = 2;
  localparam int unsigned SettingsIdleNotPinWidth = 1;
  localparam int unsigned SettingsHoldLsb = 3;
  localparam int unsigned SettingsHoldWidth = 1;
  localparam int unsigned SettingsFreezeLsb = 4;
  localparam int unsigned SettingsFreezeWidth = 1;
  localparam int unsigned SettingsGearLsb = 5;
  localparam int unsigned SettingsGearWidth = 1;
  localparam int unsigned SettingsCtcLsb = 6;
  localparam int unsigned SettingsCtcWidth = 1;
  localparam int unsigned CommandRestartLsb = 0;
  localparam int unsigned CommandRestartWidth = 1;
  localparam int unsigned CommandClearLsb = 1;
  localparam int unsigned CommandClearWidth = 1;
  localparam int unsigned PositionNextLsb = 0;
  localparam int unsigned PositionNextWidth = 9;
  localparam int unsigned PositionWrappedLsb = 31;
  localparam int unsigned PositionWrappedWidth = 1;
  localparam int unsigned ClocksLinkLsb = 0;
  localparam int unsigned ClocksLinkWidth = 16;
  localparam int unsigned ClocksReceivedLsb = 16;
  localparam int unsigned ClocksReceivedWidth = 16;
  localparam int unsigned SciRequestByteLsb = 0;
  localparam int unsigned SciRequestByteWidth = 8;
  localparam int unsigned SciRequestAddressLsb = 8;
  localparam int unsigned SciRequestAddressWidth = 6;
  localparam int unsigned SciRequestCommonLsb = 30;
  localparam int unsigned SciRequestCommonWidth = 1;
  localparam int unsigned SciRequestWriteLsb = 31;
  localparam int unsigned SciRequestWriteWidth = 1;
  localparam int unsigned SciByteLsb = 0;
  localparam int unsigned SciByteWidth = 8;
  localparam int unsigned SciBusyLsb = 31;
  localparam int unsigned SciBusyWidth = 1;
  localparam int unsigned EntryCount = 512;
  localparam int unsigned EntryLengthLsb = 0;
  localparam int unsigned EntryLengthWidth = 23;
  localparam int unsigned EntryRxReadyLsb = 23;
  localparam int unsigned EntryRxReadyWidth = 1;
  localparam int unsigned EntrySignalLsb = 24;
  localparam int unsigned EntrySignalWidth = 1;
  localparam int unsigned EntryTxReadyLsb = 25;
  localparam int unsigned EntryTxReadyWidth = 1;
  localparam int unsigned EntryPerstReleasedLsb = 26;
  localparam int unsigned EntryPerstReleasedWidth = 1;
  localparam int unsigned EntryStateLsb = 27;
  localparam int unsigned EntryStateWidth = 5;
  localparam int unsigned CounterCount = 16;
  localparam int unsigned CounterValueLsb = 0;
  localparam int unsigned CounterValueWidth = 16;

  // --- counters ---
  localparam int unsigned CounterReceiverErrors = 0;
  localparam int unsigned CounterBadTlps = 1;
  localparam int unsigned CounterBadDllps = 2;
  localparam int unsigned CounterReplayRollovers = 3;
  localparam int unsigned CounterReplayTimeouts = 4;
  localparam int unsigned CounterProtocolErrors = 5;
  localparam int unsigned CounterEntriesIntoL0 = 6;
  localparam int unsigned CounterEntriesIntoRecovery = 7;
  localparam int unsigned CounterCodeErrors = 8;
  localparam int unsigned CounterPllLosses = 9;
  localparam int unsigned CounterCdrLosses = 10;
  localparam int unsigned CounterDetectionsWithoutAnswer = 11;
  localparam int unsigned CounterPerst = 12;
  localparam int unsigned CounterBadFrames = 15;

endpackage
/* verilator lint_on UNUSEDPARAM */

// SPDX-License-Identifier: Apache-2.0
//
// Generated from ringfence.toml by tools/generate.py: do not edit.
// What everything means: docs/registers.md.

// Every module uses a part of it only.
/* verilator lint_off UNUSEDPARAM */
package rf_pkg;

  // --- constants ---
  localparam int unsigned VendorId = 32'h1e5f;
  localparam int unsigned DeviceId = 1;
  localparam int unsigned ClassCode = 32'h120000;
  localparam int unsigned Vmids = 16;
  localparam int unsigned PageShift = 12;
  localparam int unsigned DoorbellBase = 32'h8000;
  localparam int unsigned GlobalPage = 8;
  localparam int unsigned PeerPage = 9;
  localparam int unsigned PeerFences = 64;
  localparam int unsigned PeerTargets = 4;
  localparam int unsigned DoorbellBytes = 8;
  localparam int unsigned Bar0Bytes = 32'h20000;
  localparam int unsigned Bar4Bytes = 4096;
  localparam int unsigned MsixPbaOffset = 2048;
  localparam int unsigned PageTableLevels = 3;
  localparam int unsigned MsixVectors = 4;
  localparam int unsigned RingEntriesMax = 4096;
  localparam int unsigned RingBlockBytes = 32'h10000;
  localparam int unsigned InterruptReserved = 96;
  localparam int unsigned InterruptEntriesMin = 128;
  localparam int unsigned UpdateDepth = 16;
  localparam int unsigned DoorbellTokenIndexBits = 12;
  localparam int unsigned WritePointerBits = 48;
  localparam int unsigned PreemptionChunkBytes = 4096;
  localparam int unsigned QuantumDefault = 1024;
  localparam logic [63:0] MonitoredNone = 64'hffffffffffffffff;
  localparam int unsigned RingEntryBytes = 16;
  localparam int unsigned InterruptRecordBytes = 32;
  localparam int unsigned LogHeaderBytes = 40;
  localparam int unsigned LogEntryBytes = 48;
  localparam int unsigned PacketWordsMax = 8;

  // --- enum block_type ---
  localparam logic [7:0] BlockTypeDevice = 8'h01;
  localparam logic [7:0] BlockTypeDoorbell = 8'h02;
  localparam logic [7:0] BlockTypeSlot = 8'h03;
  localparam logic [7:0] BlockTypeFence = 8'h04;
  localparam logic [7:0] BlockTypeInterrupt = 8'h05;
  localparam logic [7:0] BlockTypeTranslation = 8'h06;
  localparam logic [7:0] BlockTypeCounter = 8'h07;
  localparam logic [7:0] BlockTypeNode = 8'h08;
  localparam logic [7:0] BlockTypePeer = 8'h09;

  // --- enum node ---
  localparam logic [7:0] NodeCompute = 8'h00;
  localparam logic [7:0] NodeCopy = 8'h01;
  localparam logic [7:0] NodePaging = 8'h02;

  // --- enum opcode ---
  localparam logic [7:0] OpcodeNop = 8'h00;
  localparam logic [7:0] OpcodeSignal = 8'h01;
  localparam logic [7:0] OpcodeWait = 8'h02;
  localparam logic [7:0] OpcodeWrite = 8'h03;
  localparam logic [7:0] OpcodeTimestamp = 8'h04;
  localparam logic [7:0] OpcodeProgress = 8'h05;
  localparam logic [7:0] OpcodeBarrier = 8'h06;
  localparam logic [7:0] OpcodeSoftwareSignal = 8'h07;
  localparam logic [7:0] OpcodeTrap = 8'h08;
  localparam logic [7:0] OpcodeCopy = 8'h10;
  localparam logic [7:0] OpcodeFill = 8'h11;
  localparam logic [7:0] OpcodeVector = 8'h20;

  // --- enum vector_operation ---
  localparam logic [7:0] VectorOperationAxpb = 8'h00;
  localparam logic [7:0] VectorOperationAdd = 8'h01;
  localparam logic [7:0] VectorOperationXor = 8'h02;
  localparam logic [7:0] VectorOperationMin = 8'h03;
  localparam logic [7:0] VectorOperationMax = 8'h04;
  localparam logic [7:0] VectorOperationSum = 8'h05;

  // --- enum record_kind ---
  localparam logic [7:0] RecordKindFenceSignaled = 8'h01;
  localparam logic [7:0] RecordKindMonitoredUpdate = 8'h02;
  localparam logic [7:0] RecordKindQueueError = 8'h03;
  localparam logic [7:0] RecordKindSoftwareSignal = 8'h04;
  localparam logic [7:0] RecordKindTrap = 8'h05;
  localparam logic [7:0] RecordKindDoorbellPending = 8'h06;
  localparam logic [7:0] RecordKindPreempted = 8'h07;
  localparam logic [7:0] RecordKindYield = 8'h08;
  localparam logic [7:0] RecordKindEngineHung = 8'h09;

  // --- enum queue_error ---
  localparam logic [7:0] QueueErrorNone = 8'h00;
  localparam logic [7:0] QueueErrorOpcode = 8'h01;
  localparam logic [7:0] QueueErrorLength = 8'h02;
  localparam logic [7:0] QueueErrorFlags = 8'h03;
  localparam logic [7:0] QueueErrorAlignment = 8'h04;
  localparam logic [7:0] QueueErrorRingEntry = 8'h05;
  localparam logic [7:0] QueueErrorLogIndex = 8'h06;
  localparam logic [7:0] QueueErrorTranslation = 8'h07;
  localparam logic [7:0] QueueErrorUnsupportedRequest = 8'h08;
  localparam logic [7:0] QueueErrorCompleterAbort = 8'h09;
  localparam logic [7:0] QueueErrorPoisoned = 8'h0a;
  localparam logic [7:0] QueueErrorCompletionTimeout = 8'h0b;
  localparam logic [7:0] QueueErrorBusMasterDisabled = 8'h0c;
  localparam logic [7:0] QueueErrorEngine = 8'h0d;
  localparam logic [7:0] QueueErrorOperand = 8'h0e;
  localparam logic [7:0] QueueErrorEngineReset = 8'h0f;

  // --- enum access_status ---
  localparam logic [2:0] AccessStatusOk = 3'h0;
  localparam logic [2:0] AccessStatusTranslation = 3'h1;
  localparam logic [2:0] AccessStatusUnsupportedRequest = 3'h2;
  localparam logic [2:0] AccessStatusCompleterAbort = 3'h3;
  localparam logic [2:0] AccessStatusPoisoned = 3'h4;
  localparam logic [2:0] AccessStatusCompletionTimeout = 3'h5;
  localparam logic [2:0] AccessStatusBusMasterDisabled = 3'h6;

  // --- enum log_type ---
  localparam logic [7:0] LogTypeWaits = 8'h01;
  localparam logic [7:0] LogTypeSignals = 8'h02;

  // --- enum log_operation ---
  localparam logic [7:0] LogOperationSignalExecuted = 8'h00;
  localparam logic [7:0] LogOperationWaitUnblocked = 8'h01;

  // --- enum yield_reason ---
  localparam logic [7:0] YieldReasonBlocked = 8'h01;
  localparam logic [7:0] YieldReasonIdle = 8'h02;
  localparam logic [7:0] YieldReasonQuantum = 8'h03;

  // --- enum slot_state ---
  localparam logic [7:0] SlotStateDisabled = 8'h00;
  localparam logic [7:0] SlotStateIdle = 8'h01;
  localparam logic [7:0] SlotStateRunnable = 8'h02;
  localparam logic [7:0] SlotStateRunning = 8'h03;
  localparam logic [7:0] SlotStateWaiting = 8'h04;
  localparam logic [7:0] SlotStateStoppedHost = 8'h05;
  localparam logic [7:0] SlotStateError = 8'h06;

  // --- enum counter ---
  localparam int unsigned CounterRings = 0;
  localparam int unsigned CounterRingFetches = 1;
  localparam int unsigned CounterCommandFetches = 2;
  localparam int unsigned CounterPackets = 3;
  localparam int unsigned CounterSignals = 4;
  localparam int unsigned CounterInterruptsRaised = 5;
  localparam int unsigned CounterInterruptsSuppressed = 6;
  localparam int unsigned CounterWaits = 7;
  localparam int unsigned CounterWaitsBlocked = 8;
  localparam int unsigned CounterWaitsReleased = 9;
  localparam int unsigned CounterStallEngineCycles = 10;
  localparam int unsigned CounterStallFenceCycles = 11;
  localparam int unsigned CounterStallFetchCycles = 12;
  localparam int unsigned CounterTxWriteTlps = 13;
  localparam int unsigned CounterTxWriteBytes = 14;
  localparam int unsigned CounterTxReadTlps = 15;
  localparam int unsigned CounterTxReadBytes = 16;
  localparam int unsigned CounterTxCompletionTlps = 17;
  localparam int unsigned CounterTxCompletionBytes = 18;
  localparam int unsigned CounterTxMsixTlps = 19;
  localparam int unsigned CounterRxWriteTlps = 20;
  localparam int unsigned CounterRxWriteBytes = 21;
  localparam int unsigned CounterRxReadTlps = 22;
  localparam int unsigned CounterRxCompletionTlps = 23;
  localparam int unsigned CounterRxCompletionBytes = 24;
  localparam int unsigned CounterRxMalformedTlps = 25;
  localparam int unsigned CounterRxUnsupportedTlps = 26;
  localparam int unsigned CounterRxUnexpectedCompletions = 27;
  localparam int unsigned CounterCompletionTimeouts = 28;
  localparam int unsigned CounterFaults = 29;
  localparam int unsigned CounterUpdates = 30;
  localparam int unsigned CounterBusyCycles = 31;

  // --- block device ---
  localparam logic [63:0] DeviceBlockHeader0 = 64'h0000020000010001;
  localparam logic [16:0] RegDeviceHeader0 = 17'h00000;
  localparam logic [63:0] DeviceBlockHeader1 = 64'h0000000000000000;
  localparam logic [16:0] RegDeviceHeader1 = 17'h00008;
  localparam logic [16:0] RegDeviceParameters = 17'h00010;
  localparam logic [16:0] RegDeviceTimestamp = 17'h00018;
  localparam logic [16:0] RegDeviceTimestampHz = 17'h00020;
  localparam logic [16:0] RegDeviceCorrelation = 17'h00028;
  localparam logic [16:0] RegDeviceCorrelationTimestamp = 17'h00030;
  localparam logic [16:0] RegDeviceLiveness = 17'h00038;
  localparam logic [16:0] RegDeviceStatus = 17'h00040;
  localparam logic [16:0] RegDeviceCompletionTimeout = 17'h00048;
  localparam logic [16:0] RegDeviceInterruptTest = 17'h00050;
  localparam logic [16:0] RegDeviceScratch = 17'h00058;
  localparam int unsigned DeviceParametersLocalMemoryLog2Lsb = 0;
  localparam int unsigned DeviceParametersLocalMemoryLog2Width = 6;
  localparam int unsigned DeviceParametersSlotsLsb = 8;
  localparam int unsigned DeviceParametersSlotsWidth = 8;
  localparam int unsigned DeviceParametersDoorbellsLsb = 16;
  localparam int unsigned DeviceParametersDoorbellsWidth = 8;
  localparam int unsigned DeviceParametersNodesLsb = 24;
  localparam int unsigned DeviceParametersNodesWidth = 4;
  localparam int unsigned DeviceParametersVectorsLsb = 28;
  localparam int unsigned DeviceParametersVectorsWidth = 4;
  localparam int unsigned DeviceParametersTagsLsb = 32;
  localparam int unsigned DeviceParametersTagsWidth = 8;
  localparam int unsigned DeviceParametersMonitoredShadowLsb = 40;
  localparam int unsigned DeviceParametersMonitoredShadowWidth = 1;
  localparam int unsigned DeviceParametersVectorEngineLsb = 41;
  localparam int unsigned DeviceParametersVectorEngineWidth = 1;
  localparam int unsigned DeviceStatusIdleLsb = 0;
  localparam int unsigned DeviceStatusIdleWidth = 1;
  localparam logic [63:0] DeviceCompletionTimeoutReset = 64'h0000000000100000;

  // --- block doorbell ---
  localparam logic [63:0] DoorbellBlockHeader0 = 64'h0000100000010002;
  localparam logic [16:0] RegDoorbellHeader0 = 17'h00200;
  localparam logic [63:0] DoorbellBlockHeader1 = 64'h0000000000000000;
  localparam logic [16:0] RegDoorbellHeader1 = 17'h00208;
  localparam logic [16:0] RegDoorbellModels = 17'h00210;
  localparam logic [16:0] RegDoorbellRings = 17'h00218;
  localparam logic [16:0] RegDoorbellRingsStale = 17'h00220;
  localparam logic [16:0] RegDoorbellRingsRepeated = 17'h00228;
  localparam logic [16:0] RegDoorbellRingsRange = 17'h00230;
  localparam logic [16:0] RegDoorbellRingsUnmapped = 17'h00238;
  localparam logic [16:0] RegDoorbellGlobalPending = 17'h00240;
  localparam logic [16:0] RegDoorbellBind = 17'h00280;
  localparam int unsigned DoorbellModelsDedicatedLsb = 0;
  localparam int unsigned DoorbellModelsDedicatedWidth = 8;
  localparam int unsigned DoorbellModelsGlobalLsb = 8;
  localparam int unsigned DoorbellModelsGlobalWidth = 1;
  localparam int unsigned DoorbellModelsBaseLsb = 16;
  localparam int unsigned DoorbellModelsBaseWidth = 32;
  localparam int unsigned DoorbellGlobalPendingPendingLsb = 0;
  localparam int unsigned DoorbellGlobalPendingPendingWidth = 1;
  localparam int unsigned DoorbellGlobalPendingLostLsb = 1;
  localparam int unsigned DoorbellGlobalPendingLostWidth = 1;
  localparam int unsigned DoorbellGlobalPendingTokenLsb = 16;
  localparam int unsigned DoorbellGlobalPendingTokenWidth = 16;
  localparam int unsigned DoorbellBindCount = 16;
  localparam int unsigned DoorbellBindStride = 8;
  localparam int unsigned DoorbellBindBoundLsb = 0;
  localparam int unsigned DoorbellBindBoundWidth = 1;
  localparam int unsigned DoorbellBindResidentLsb = 1;
  localparam int unsigned DoorbellBindResidentWidth = 1;
  localparam int unsigned DoorbellBindPendingLsb = 2;
  localparam int unsigned DoorbellBindPendingWidth = 1;
  localparam int unsigned DoorbellBindSlotLsb = 4;
  localparam int unsigned DoorbellBindSlotWidth = 4;
  localparam int unsigned DoorbellBindHandleLsb = 32;
  localparam int unsigned DoorbellBindHandleWidth = 32;

  // --- block slot ---
  localparam logic [63:0] SlotBlockHeader0 = 64'h0000040000010003;
  localparam logic [16:0] RegSlotHeader0 = 17'h01000;
  localparam logic [63:0] SlotBlockHeader1 = 64'h0000110001000010;
  localparam logic [16:0] RegSlotHeader1 = 17'h01008;
  localparam logic [16:0] SlotIndexedBase = 17'h01100;
  localparam int unsigned SlotIndexedCount = 16;
  localparam int unsigned SlotIndexedStride = 256;
  localparam logic [31:0] SlotContext = 32'h3fe37e3f;
  localparam logic [16:0] RegSlotOversubscribed = 17'h01010;
  localparam logic [16:0] RegSlotRingBase = 17'h01100;
  localparam logic [16:0] RegSlotConfig = 17'h01108;
  localparam logic [16:0] RegSlotQuantum = 17'h01110;
  localparam logic [16:0] RegSlotWritePointerAddress = 17'h01118;
  localparam logic [16:0] RegSlotPointers = 17'h01120;
  localparam logic [16:0] RegSlotWritePointer = 17'h01128;
  localparam logic [16:0] RegSlotControl = 17'h01130;
  localparam logic [16:0] RegSlotStatus = 17'h01138;
  localparam logic [16:0] RegSlotErrorAddress = 17'h01140;
  localparam logic [16:0] RegSlotProgressAddress = 17'h01148;
  localparam logic [16:0] RegSlotProgressMonitoredAddress = 17'h01150;
  localparam logic [16:0] RegSlotProgressValue = 17'h01158;
  localparam logic [16:0] RegSlotWaitLogAddress = 17'h01160;
  localparam logic [16:0] RegSlotSignalLogAddress = 17'h01168;
  localparam logic [16:0] RegSlotLogEntries = 17'h01170;
  localparam logic [16:0] RegSlotLogSwitch = 17'h01178;
  localparam logic [16:0] RegSlotWaitLogState = 17'h01180;
  localparam logic [16:0] RegSlotSignalLogState = 17'h01188;
  localparam logic [16:0] RegSlotWaitAddress = 17'h01190;
  localparam logic [16:0] RegSlotWaitValue = 17'h01198;
  localparam logic [16:0] RegSlotSaveAddress = 17'h011a0;
  localparam logic [16:0] RegSlotFlags = 17'h011a8;
  localparam logic [16:0] RegSlotBufferAddress = 17'h011b0;
  localparam logic [16:0] RegSlotBufferState = 17'h011b8;
  localparam logic [16:0] RegSlotOperationDone = 17'h011c0;
  localparam logic [16:0] RegSlotOperationPartial = 17'h011c8;
  localparam logic [16:0] RegSlotWaitObserved = 17'h011d0;
  localparam logic [16:0] RegSlotQuantumLeft = 17'h011d8;
  localparam logic [16:0] RegSlotWaitLogPlace = 17'h011e0;
  localparam logic [16:0] RegSlotSignalLogPlace = 17'h011e8;
  localparam int unsigned SlotOversubscribedOversubscribedLsb = 0;
  localparam int unsigned SlotOversubscribedOversubscribedWidth = 1;
  localparam int unsigned SlotConfigRingLog2Lsb = 0;
  localparam int unsigned SlotConfigRingLog2Width = 4;
  localparam int unsigned SlotConfigVmidLsb = 4;
  localparam int unsigned SlotConfigVmidWidth = 4;
  localparam int unsigned SlotConfigNodeLsb = 8;
  localparam int unsigned SlotConfigNodeWidth = 4;
  localparam int unsigned SlotConfigPriorityLsb = 12;
  localparam int unsigned SlotConfigPriorityWidth = 4;
  localparam int unsigned SlotConfigTokenLsb = 16;
  localparam int unsigned SlotConfigTokenWidth = 16;
  localparam int unsigned SlotConfigHandleLsb = 32;
  localparam int unsigned SlotConfigHandleWidth = 32;
  localparam int unsigned SlotQuantumCyclesLsb = 0;
  localparam int unsigned SlotQuantumCyclesWidth = 24;
  localparam int unsigned SlotControlEnableLsb = 0;
  localparam int unsigned SlotControlEnableWidth = 1;
  localparam int unsigned SlotControlDisableLsb = 1;
  localparam int unsigned SlotControlDisableWidth = 1;
  localparam int unsigned SlotControlResampleLsb = 2;
  localparam int unsigned SlotControlResampleWidth = 1;
  localparam int unsigned SlotControlResumeLsb = 3;
  localparam int unsigned SlotControlResumeWidth = 1;
  localparam int unsigned SlotControlPreemptLsb = 4;
  localparam int unsigned SlotControlPreemptWidth = 1;
  localparam int unsigned SlotControlRestoreLsb = 5;
  localparam int unsigned SlotControlRestoreWidth = 1;
  localparam int unsigned SlotControlRearmLsb = 6;
  localparam int unsigned SlotControlRearmWidth = 1;
  localparam int unsigned SlotStatusStateLsb = 0;
  localparam int unsigned SlotStatusStateWidth = 4;
  localparam int unsigned SlotStatusErrorLsb = 4;
  localparam int unsigned SlotStatusErrorWidth = 8;
  localparam int unsigned SlotStatusLevelLsb = 12;
  localparam int unsigned SlotStatusLevelWidth = 2;
  localparam int unsigned SlotStatusStoreLsb = 14;
  localparam int unsigned SlotStatusStoreWidth = 1;
  localparam int unsigned SlotStatusResamplingLsb = 15;
  localparam int unsigned SlotStatusResamplingWidth = 1;
  localparam int unsigned SlotStatusPacketWordsLsb = 32;
  localparam int unsigned SlotStatusPacketWordsWidth = 32;
  localparam int unsigned SlotLogEntriesWaitLsb = 0;
  localparam int unsigned SlotLogEntriesWaitWidth = 16;
  localparam int unsigned SlotLogEntriesSignalLsb = 16;
  localparam int unsigned SlotLogEntriesSignalWidth = 16;
  localparam int unsigned SlotLogSwitchWaitLsb = 0;
  localparam int unsigned SlotLogSwitchWaitWidth = 1;
  localparam int unsigned SlotLogSwitchSignalLsb = 1;
  localparam int unsigned SlotLogSwitchSignalWidth = 1;
  localparam int unsigned SlotWaitLogStateFirstFreeLsb = 0;
  localparam int unsigned SlotWaitLogStateFirstFreeWidth = 16;
  localparam int unsigned SlotWaitLogStateEntriesLsb = 16;
  localparam int unsigned SlotWaitLogStateEntriesWidth = 16;
  localparam int unsigned SlotWaitLogStateWrapsLsb = 32;
  localparam int unsigned SlotWaitLogStateWrapsWidth = 32;
  localparam int unsigned SlotSignalLogStateFirstFreeLsb = 0;
  localparam int unsigned SlotSignalLogStateFirstFreeWidth = 16;
  localparam int unsigned SlotSignalLogStateEntriesLsb = 16;
  localparam int unsigned SlotSignalLogStateEntriesWidth = 16;
  localparam int unsigned SlotSignalLogStateWrapsLsb = 32;
  localparam int unsigned SlotSignalLogStateWrapsWidth = 32;
  localparam int unsigned SlotFlagsInBufferLsb = 0;
  localparam int unsigned SlotFlagsInBufferWidth = 1;
  localparam int unsigned SlotFlagsWaitOverLsb = 1;
  localparam int unsigned SlotFlagsWaitOverWidth = 1;
  localparam int unsigned SlotFlagsStalledLsb = 2;
  localparam int unsigned SlotFlagsStalledWidth = 1;
  localparam int unsigned SlotFlagsWaitedLsb = 3;
  localparam int unsigned SlotFlagsWaitedWidth = 1;
  localparam int unsigned SlotFlagsStoppedLsb = 4;
  localparam int unsigned SlotFlagsStoppedWidth = 1;
  localparam int unsigned SlotBufferStateWordsLsb = 0;
  localparam int unsigned SlotBufferStateWordsWidth = 29;
  localparam int unsigned SlotBufferStatePacketWordsLsb = 32;
  localparam int unsigned SlotBufferStatePacketWordsWidth = 29;

  // --- block fence ---
  localparam logic [63:0] FenceBlockHeader0 = 64'h0000050000010004;
  localparam logic [16:0] RegFenceHeader0 = 17'h00400;
  localparam logic [63:0] FenceBlockHeader1 = 64'h0000000000000000;
  localparam logic [16:0] RegFenceHeader1 = 17'h00408;
  localparam logic [16:0] RegFenceUpdateCurrent = 17'h00410;
  localparam logic [16:0] RegFenceUpdateMonitored = 17'h00418;
  localparam logic [16:0] RegFenceUpdateValue = 17'h00420;
  localparam logic [16:0] RegFenceUpdateDone = 17'h00428;
  localparam logic [16:0] RegFenceNotify = 17'h00430;
  localparam logic [16:0] RegFenceWaiting = 17'h00438;
  localparam logic [16:0] RegFenceWaitStages = 17'h00440;
  localparam logic [16:0] RegFenceStages = 17'h00448;
  localparam int unsigned FenceUpdateDoneDoneLsb = 0;
  localparam int unsigned FenceUpdateDoneDoneWidth = 32;
  localparam int unsigned FenceUpdateDoneDroppedLsb = 32;
  localparam int unsigned FenceUpdateDoneDroppedWidth = 16;
  localparam int unsigned FenceUpdateDoneFailedLsb = 48;
  localparam int unsigned FenceUpdateDoneFailedWidth = 16;
  localparam int unsigned FenceWaitStagesTranslatingLsb = 0;
  localparam int unsigned FenceWaitStagesTranslatingWidth = 16;
  localparam int unsigned FenceWaitStagesInsertedLsb = 16;
  localparam int unsigned FenceWaitStagesInsertedWidth = 16;
  localparam int unsigned FenceWaitStagesReadingLsb = 32;
  localparam int unsigned FenceWaitStagesReadingWidth = 16;
  localparam int unsigned FenceWaitStagesStalledLsb = 48;
  localparam int unsigned FenceWaitStagesStalledWidth = 16;
  localparam int unsigned FenceStagesBusyLsb = 0;
  localparam int unsigned FenceStagesBusyWidth = 16;
  localparam int unsigned FenceStagesFailedLsb = 16;
  localparam int unsigned FenceStagesFailedWidth = 16;
  localparam int unsigned FenceStagesWritingLsb = 32;
  localparam int unsigned FenceStagesWritingWidth = 1;
  localparam int unsigned FenceStagesComparingLsb = 33;
  localparam int unsigned FenceStagesComparingWidth = 1;
  localparam int unsigned FenceStagesUpdatingLsb = 34;
  localparam int unsigned FenceStagesUpdatingWidth = 1;

  // --- block interrupt ---
  localparam logic [63:0] InterruptBlockHeader0 = 64'h0000060000010005;
  localparam logic [16:0] RegInterruptHeader0 = 17'h00500;
  localparam logic [63:0] InterruptBlockHeader1 = 64'h0000000000000000;
  localparam logic [16:0] RegInterruptHeader1 = 17'h00508;
  localparam logic [16:0] RegInterruptRingBase = 17'h00510;
  localparam logic [16:0] RegInterruptControl = 17'h00518;
  localparam logic [16:0] RegInterruptProducer = 17'h00520;
  localparam logic [16:0] RegInterruptConsumer = 17'h00528;
  localparam logic [16:0] RegInterruptOverflow = 17'h00530;
  localparam int unsigned InterruptControlEnableLsb = 0;
  localparam int unsigned InterruptControlEnableWidth = 1;
  localparam int unsigned InterruptControlEntriesLog2Lsb = 4;
  localparam int unsigned InterruptControlEntriesLog2Width = 4;
  localparam int unsigned InterruptControlVectorLsb = 8;
  localparam int unsigned InterruptControlVectorWidth = 4;
  localparam int unsigned InterruptOverflowOverflowLsb = 0;
  localparam int unsigned InterruptOverflowOverflowWidth = 1;
  localparam int unsigned InterruptOverflowFailedLsb = 1;
  localparam int unsigned InterruptOverflowFailedWidth = 1;

  // --- block peer ---
  localparam logic [63:0] PeerBlockHeader0 = 64'h0000240000010009;
  localparam logic [16:0] RegPeerHeader0 = 17'h00600;
  localparam logic [63:0] PeerBlockHeader1 = 64'h0000000000000000;
  localparam logic [16:0] RegPeerHeader1 = 17'h00608;
  localparam logic [16:0] RegPeerRegion = 17'h00610;
  localparam logic [16:0] RegPeerWindow = 17'h00618;
  localparam logic [16:0] RegPeerEntry = 17'h00620;
  localparam logic [16:0] RegPeerSent = 17'h00628;
  localparam logic [16:0] RegPeerReceived = 17'h00630;
  localparam int unsigned PeerRegionEnableLsb = 0;
  localparam int unsigned PeerRegionEnableWidth = 1;
  localparam int unsigned PeerRegionAddressLsb = 18;
  localparam int unsigned PeerRegionAddressWidth = 37;
  localparam int unsigned PeerWindowAddressLsb = 14;
  localparam int unsigned PeerWindowAddressWidth = 25;
  localparam int unsigned PeerEntryIndexLsb = 0;
  localparam int unsigned PeerEntryIndexWidth = 6;
  localparam int unsigned PeerEntryValidLsb = 6;
  localparam int unsigned PeerEntryValidWidth = 1;
  localparam int unsigned PeerEntryTargetsLsb = 8;
  localparam int unsigned PeerEntryTargetsWidth = 4;
  localparam int unsigned PeerEntryGenerationLsb = 16;
  localparam int unsigned PeerEntryGenerationWidth = 12;
  localparam int unsigned PeerSentSentLsb = 0;
  localparam int unsigned PeerSentSentWidth = 16;
  localparam int unsigned PeerSentFailedLsb = 16;
  localparam int unsigned PeerSentFailedWidth = 16;
  localparam int unsigned PeerReceivedGoodLsb = 0;
  localparam int unsigned PeerReceivedGoodWidth = 16;
  localparam int unsigned PeerReceivedStaleLsb = 16;
  localparam int unsigned PeerReceivedStaleWidth = 16;
  localparam int unsigned PeerReceivedMalformedLsb = 32;
  localparam int unsigned PeerReceivedMalformedWidth = 16;
  localparam int unsigned PeerReceivedFloodsLsb = 48;
  localparam int unsigned PeerReceivedFloodsWidth = 16;

  // --- block translation ---
  localparam logic [63:0] TranslationBlockHeader0 = 64'h0000070000020006;
  localparam logic [16:0] RegTranslationHeader0 = 17'h02400;
  localparam logic [63:0] TranslationBlockHeader1 = 64'h0000248000080010;
  localparam logic [16:0] RegTranslationHeader1 = 17'h02408;
  localparam logic [16:0] TranslationIndexedBase = 17'h02480;
  localparam int unsigned TranslationIndexedCount = 16;
  localparam int unsigned TranslationIndexedStride = 8;
  localparam logic [16:0] RegTranslationInvalidate = 17'h02410;
  localparam logic [16:0] RegTranslationInvalidateFirst = 17'h02418;
  localparam logic [16:0] RegTranslationInvalidateLast = 17'h02420;
  localparam logic [16:0] RegTranslationTlbSelect = 17'h02428;
  localparam logic [16:0] RegTranslationTlbTag = 17'h02430;
  localparam logic [16:0] RegTranslationTlbPage = 17'h02438;
  localparam logic [16:0] RegTranslationRoot = 17'h02480;
  localparam logic [63:0] TranslationInvalidateLastReset = 64'h0000007fffffffff;
  localparam int unsigned TranslationTlbSelectWayLsb = 0;
  localparam int unsigned TranslationTlbSelectWayWidth = 1;
  localparam int unsigned TranslationTlbSelectSetLsb = 8;
  localparam int unsigned TranslationTlbSelectSetWidth = 8;
  localparam int unsigned TranslationTlbSelectSetsLog2Lsb = 16;
  localparam int unsigned TranslationTlbSelectSetsLog2Width = 4;
  localparam int unsigned TranslationTlbSelectBusyLsb = 20;
  localparam int unsigned TranslationTlbSelectBusyWidth = 1;
  localparam int unsigned TranslationTlbTagOccupiedLsb = 0;
  localparam int unsigned TranslationTlbTagOccupiedWidth = 1;
  localparam int unsigned TranslationTlbTagWritableLsb = 1;
  localparam int unsigned TranslationTlbTagWritableWidth = 1;
  localparam int unsigned TranslationTlbTagVmidLsb = 4;
  localparam int unsigned TranslationTlbTagVmidWidth = 4;
  localparam int unsigned TranslationTlbTagPageLsb = 12;
  localparam int unsigned TranslationTlbTagPageWidth = 27;
  localparam int unsigned TranslationTlbPageAddressLsb = 12;
  localparam int unsigned TranslationTlbPageAddressWidth = 44;
  localparam int unsigned TranslationRootValidLsb = 0;
  localparam int unsigned TranslationRootValidWidth = 1;
  localparam int unsigned TranslationRootAddressLsb = 12;
  localparam int unsigned TranslationRootAddressWidth = 44;

  // --- block node ---
  localparam logic [63:0] NodeBlockHeader0 = 64'h0000080000020008;
  localparam logic [16:0] RegNodeHeader0 = 17'h00700;
  localparam logic [63:0] NodeBlockHeader1 = 64'h0000072000400002;
  localparam logic [16:0] RegNodeHeader1 = 17'h00708;
  localparam logic [16:0] NodeIndexedBase = 17'h00720;
  localparam int unsigned NodeIndexedCount = 2;
  localparam int unsigned NodeIndexedStride = 64;
  localparam logic [16:0] RegNodeStatus = 17'h00720;
  localparam logic [16:0] RegNodeProgress = 17'h00728;
  localparam logic [16:0] RegNodeRetired = 17'h00730;
  localparam logic [16:0] RegNodeEngine = 17'h00738;
  localparam logic [16:0] RegNodeAlive = 17'h00740;
  localparam logic [16:0] RegNodeWatchdog = 17'h00748;
  localparam int unsigned NodeStatusBusyLsb = 0;
  localparam int unsigned NodeStatusBusyWidth = 1;
  localparam int unsigned NodeStatusSlotLsb = 4;
  localparam int unsigned NodeStatusSlotWidth = 4;
  localparam int unsigned NodeStatusEngineBusyLsb = 8;
  localparam int unsigned NodeStatusEngineBusyWidth = 1;
  localparam int unsigned NodeEngineResetLsb = 0;
  localparam int unsigned NodeEngineResetWidth = 1;
  localparam int unsigned NodeEngineHoldLsb = 1;
  localparam int unsigned NodeEngineHoldWidth = 1;
  localparam int unsigned NodeEngineInResetLsb = 2;
  localparam int unsigned NodeEngineInResetWidth = 1;
  localparam int unsigned NodeEngineOperationsLsb = 8;
  localparam int unsigned NodeEngineOperationsWidth = 3;
  localparam int unsigned NodeEngineReadsLsb = 16;
  localparam int unsigned NodeEngineReadsWidth = 7;
  localparam int unsigned NodeEngineWritesLsb = 24;
  localparam int unsigned NodeEngineWritesWidth = 7;
  localparam int unsigned NodeEngineWordsLsb = 32;
  localparam int unsigned NodeEngineWordsWidth = 10;
  localparam int unsigned NodeWatchdogCyclesLsb = 0;
  localparam int unsigned NodeWatchdogCyclesWidth = 32;

  // --- block counter ---
  localparam logic [63:0] CounterBlockHeader0 = 64'h0000000000010007;
  localparam logic [16:0] RegCounterHeader0 = 17'h00800;
  localparam logic [63:0] CounterBlockHeader1 = 64'h0000000000000000;
  localparam logic [16:0] RegCounterHeader1 = 17'h00808;
  localparam logic [16:0] RegCounterValue = 17'h00840;
  localparam int unsigned CounterValueCount = 32;
  localparam int unsigned CounterValueStride = 8;

  // --- page tables ---
  localparam int unsigned PageTableEntryValidLsb = 0;
  localparam int unsigned PageTableEntryValidWidth = 1;
  localparam int unsigned PageTableEntryReadLsb = 1;
  localparam int unsigned PageTableEntryReadWidth = 1;
  localparam int unsigned PageTableEntryWriteLsb = 2;
  localparam int unsigned PageTableEntryWriteWidth = 1;
  localparam int unsigned PageTableEntryExecuteLsb = 3;
  localparam int unsigned PageTableEntryExecuteWidth = 1;
  localparam int unsigned PageTableEntryUserLsb = 4;
  localparam int unsigned PageTableEntryUserWidth = 1;
  localparam int unsigned PageTableEntryGlobalLsb = 5;
  localparam int unsigned PageTableEntryGlobalWidth = 1;
  localparam int unsigned PageTableEntryAccessedLsb = 6;
  localparam int unsigned PageTableEntryAccessedWidth = 1;
  localparam int unsigned PageTableEntryDirtyLsb = 7;
  localparam int unsigned PageTableEntryDirtyWidth = 1;
  localparam int unsigned PageTableEntryPageLsb = 10;
  localparam int unsigned PageTableEntryPageWidth = 43;
  localparam int unsigned PageTableEntryLocalLsb = 53;
  localparam int unsigned PageTableEntryLocalWidth = 1;
  localparam int unsigned PageTableEntryReservedLsb = 54;
  localparam int unsigned PageTableEntryReservedWidth = 10;

  // --- command packets ---
  localparam int unsigned PacketHeaderOpcodeLsb = 0;
  localparam int unsigned PacketHeaderOpcodeWidth = 8;
  localparam int unsigned PacketHeaderWordsLsb = 8;
  localparam int unsigned PacketHeaderWordsWidth = 8;
  localparam int unsigned PacketHeaderFlagsLsb = 16;
  localparam int unsigned PacketHeaderFlagsWidth = 16;
  localparam int unsigned PacketHeaderArgumentLsb = 32;
  localparam int unsigned PacketHeaderArgumentWidth = 32;

  localparam logic [7:0] PacketNopWordsMin = 8'h01;
  localparam logic [7:0] PacketNopWordsMax = 8'h08;
  localparam logic [15:0] PacketNopFlags = 16'h0000;
  localparam logic [31:0] PacketNopArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketSignalWordsMin = 8'h04;
  localparam logic [7:0] PacketSignalWordsMax = 8'h05;
  localparam logic [15:0] PacketSignalFlags = 16'h0001;
  localparam logic [15:0] PacketSignalFlagLog = 16'h0001;
  localparam logic [31:0] PacketSignalArgumentMask = 32'h0000ffff;

  localparam logic [7:0] PacketWaitWordsMin = 8'h03;
  localparam logic [7:0] PacketWaitWordsMax = 8'h04;
  localparam logic [15:0] PacketWaitFlags = 16'h0001;
  localparam logic [15:0] PacketWaitFlagLog = 16'h0001;
  localparam logic [31:0] PacketWaitArgumentMask = 32'h0000ffff;

  localparam logic [7:0] PacketWriteWordsMin = 8'h03;
  localparam logic [7:0] PacketWriteWordsMax = 8'h03;
  localparam logic [15:0] PacketWriteFlags = 16'h0000;
  localparam logic [31:0] PacketWriteArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketTimestampWordsMin = 8'h02;
  localparam logic [7:0] PacketTimestampWordsMax = 8'h02;
  localparam logic [15:0] PacketTimestampFlags = 16'h0000;
  localparam logic [31:0] PacketTimestampArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketProgressWordsMin = 8'h02;
  localparam logic [7:0] PacketProgressWordsMax = 8'h02;
  localparam logic [15:0] PacketProgressFlags = 16'h0000;
  localparam logic [31:0] PacketProgressArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketBarrierWordsMin = 8'h01;
  localparam logic [7:0] PacketBarrierWordsMax = 8'h01;
  localparam logic [15:0] PacketBarrierFlags = 16'h0000;
  localparam logic [31:0] PacketBarrierArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketSoftwareSignalWordsMin = 8'h03;
  localparam logic [7:0] PacketSoftwareSignalWordsMax = 8'h03;
  localparam logic [15:0] PacketSoftwareSignalFlags = 16'h0000;
  localparam logic [31:0] PacketSoftwareSignalArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketTrapWordsMin = 8'h02;
  localparam logic [7:0] PacketTrapWordsMax = 8'h02;
  localparam logic [15:0] PacketTrapFlags = 16'h0000;
  localparam logic [31:0] PacketTrapArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketCopyWordsMin = 8'h04;
  localparam logic [7:0] PacketCopyWordsMax = 8'h04;
  localparam logic [15:0] PacketCopyFlags = 16'h0000;
  localparam logic [31:0] PacketCopyArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketFillWordsMin = 8'h04;
  localparam logic [7:0] PacketFillWordsMax = 8'h04;
  localparam logic [15:0] PacketFillFlags = 16'h0000;
  localparam logic [31:0] PacketFillArgumentMask = 32'h00000000;

  localparam logic [7:0] PacketVectorWordsMin = 8'h05;
  localparam logic [7:0] PacketVectorWordsMax = 8'h05;
  localparam logic [15:0] PacketVectorFlags = 16'h0000;
  localparam logic [31:0] PacketVectorArgumentMask = 32'h000000ff;

endpackage
/* verilator lint_on UNUSEDPARAM */

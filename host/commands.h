/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands of the program ringfence; each takes its own argc and argv. */
#ifndef RF_COMMANDS_H
#define RF_COMMANDS_H

/* 0 done, 1 failed (a line on stderr says why), 2 wrong arguments */
int rf_main_info(int argc, char **argv);
int rf_main_link(int argc, char **argv);
int rf_main_run(int argc, char **argv);
int rf_main_conform(int argc, char **argv);
int rf_main_bench(int argc, char **argv);
int rf_main_soak(int argc, char **argv);
int rf_main_trace(int argc, char **argv);
int rf_main_dump(int argc, char **argv);
int rf_main_replay(int argc, char **argv);
int rf_main_sweep(int argc, char **argv);
int rf_main_shrink(int argc, char **argv);
int rf_main_tlp(int argc, char **argv);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong with the files of a wave; see wave_file.c. */
#ifndef RFSIM_WAVE_FILE_H
#define RFSIM_WAVE_FILE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Before a wave is opened or closed, and after it: 0 or the first negative errno. */
void wave_file_begin(void);
int wave_file_error(void);

#ifdef __cplusplus
}
#endif

#endif

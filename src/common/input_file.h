/*
 * input_file.h: a whole file in memory.
 */
#ifndef ROSTER_INPUT_FILE_H
#define ROSTER_INPUT_FILE_H

#include <roster.h>

/* All bytes of a file, or its first `most`, which a caller that allows fewer takes for too many. *bytes is for the
   caller to free, NULL on failure: "PATH cannot be read: REASON". */
int input_file_read(const char *path, size_t most, char **bytes, size_t *size, roster_error *err);

#endif

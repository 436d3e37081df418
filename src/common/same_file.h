/*
 * same_file.h: whether two paths lead to one file.
 */
#ifndef ROSTER_SAME_FILE_H
#define ROSTER_SAME_FILE_H

#include <stdbool.h>

/* Paths of files that are not there yet are compared by name, below the folders that are there. */
bool common_same_file(const char *a, const char *b);

#endif

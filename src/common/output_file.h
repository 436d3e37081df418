/*
 * output_file.h: files that appear whole or not at all: written under another name, then renamed.
 */
#ifndef ROSTER_OUTPUT_FILE_H
#define ROSTER_OUTPUT_FILE_H

#include <roster.h>

#include <stdio.h>

typedef struct output_file {
    FILE *stream;
    char path[4096],
        temporary[4096]; /* temporary is "" where path is no plain file (/dev/stdout) and written directly */
    size_t created;      /* length of the first folder of path that was created; 0: none                   */
} output_file;

int output_file_open(output_file *self, const char *path, roster_error *err); /* creates missing folders */
int output_file_commit(output_file *self, roster_error *err); /* closes and renames; on failure removes */
void output_file_abandon(output_file *self);

/* Several files of one folder: all of them appear, or none. */
enum { OUTPUT_FOLDER_FILES = 3 };
typedef struct output_folder {
    size_t n;
    output_file files[OUTPUT_FOLDER_FILES];
} output_folder;

/* names: n of them, at most OUTPUT_FOLDER_FILES. files[i].stream is open afterwards. */
int output_folder_open(output_folder *self, const char *folder, const char *const *names, size_t n, roster_error *err);
int output_folder_commit(output_folder *self, roster_error *err);
void output_folder_abandon(output_folder *self);

#endif

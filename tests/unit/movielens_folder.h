/*
 * movielens_folder.h: a folder of one's own to work in, with ml/ for MovieLens files.
 */
#ifndef ROSTER_MOVIELENS_FOLDER_H
#define ROSTER_MOVIELENS_FOLDER_H

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folder_files[] = {"ml/users.dat", "ml/movies.dat", "ml/ratings.dat", "ml/ratings.dat.xz"};

/* For cmocka_run_group_tests: not 0 if it fails. */
static int enter_folder(void **state)
{
    char *folder = malloc(64);
    assert_non_null(folder);
    strcpy(folder, "test_movielens.XXXXXX");
    *state = mkdtemp(folder);
    return *state == NULL || chdir(folder) != 0 || mkdir("ml", 0700) != 0;
}

static int leave_folder(void **state)
{
    char *folder = *state;
    for (size_t i = 0; i < 4; i++)
        unlink(folder_files[i]);
    int code = rmdir("ml") != 0 || chdir("..") != 0 || rmdir(folder) != 0;
    free(folder);
    return code;
}

#endif

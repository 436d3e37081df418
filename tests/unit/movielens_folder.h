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
static int enter_movielens(void **state)
{
    return enter_folder(state) != 0 || mkdir("ml", 0700) != 0;
}

static int leave_movielens(void **state)
{
    folder_remove("ml");
    return leave_folder(state);
}

#endif

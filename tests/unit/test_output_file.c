/*
 * test_output_file.c: files appear whole or not at all (src/common/output_file.c).
 */
#include "support.h"

#include "output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_content(const char *path, const char *expected)
{
    char text[100] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t n = fread(text, 1, sizeof text - 1, stream);
    text[n] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static void file_appears_whole(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    assert_int_equal(output_file_open(&file, "new/folder/it", &err), ROSTER_OK);
    fputs("first", file.stream);
    assert_int_equal(access("new/folder/it", F_OK), -1);
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    check_content("new/folder/it", "first");
    assert_int_equal(output_file_open(&file, "new/folder/it", &err), ROSTER_OK);
    fputs("second", file.stream);
    fflush(file.stream);
    check_content("new/folder/it", "first");
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    check_content("new/folder/it", "second");
    assert_int_equal(unlink("new/folder/it") + rmdir("new/folder") + rmdir("new"), 0);
}

static void file_abandoned_leaves_nothing(void **state)
{
    (void)state;
    output_file file;
    assert_int_equal(output_file_open(&file, "new/folder/it", NULL), ROSTER_OK);
    fputs("never", file.stream);
    output_file_abandon(&file);
    assert_int_equal(access("new", F_OK), -1);
    output_file_abandon(&file);
}

static void file_keeps_folders_of_others(void **state)
{
    (void)state;
    output_file file;
    assert_int_equal(mkdir("old", 0777), 0);
    assert_int_equal(output_file_open(&file, "old/new/it", NULL), ROSTER_OK);
    output_file_abandon(&file);
    assert_int_equal(access("old/new", F_OK), -1);
    assert_int_equal(rmdir("old"), 0);
}

static void folder_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    static const char *const names[] = {"one", "two"}, *const nested[] = {"one", "two/"};
    output_folder folder;
    roster_error err;
    assert_int_equal(output_folder_open(&folder, "new", names, 2, &err), ROSTER_OK);
    fputs("never", folder.files[0].stream);
    output_folder_abandon(&folder);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(output_folder_open(&folder, "new", nested, 2, &err), ROSTER_EINVAL);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(output_folder_open(&folder, "new", names, 2, &err), ROSTER_OK);
    for (size_t i = 0; i < 2; i++)
        fputs(names[i], folder.files[i].stream);
    assert_int_equal(access("new/one", F_OK), -1);
    assert_int_equal(output_folder_commit(&folder, &err), ROSTER_OK);
    check_content("new/one", "one");
    check_content("new/two", "two");
    assert_int_equal(unlink("new/one") + unlink("new/two") + rmdir("new"), 0);
}

/* The target becomes a folder before the file can take its name. */
static void file_that_cannot_be_renamed(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    assert_int_equal(output_file_open(&file, "it", &err), ROSTER_OK);
    assert_int_equal(mkdir("it", 0777), 0);
    assert_int_equal(output_file_commit(&file, &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "it cannot be written: Is a directory");
    assert_int_equal(rmdir("it"), 0);
}

static void file_refused(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    char name[5000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(output_file_open(&file, name, &err), ROSTER_EINVAL);
    assert_non_null(strstr(err.msg, "File name too long"));
    assert_int_equal(output_file_open(&file, "", &err), ROSTER_EINVAL);
    assert_int_equal(output_file_open(&file, "new/folder/", &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "new/folder/ cannot be created: Is a directory");
    assert_int_equal(access("new", F_OK), -1);
}

/* The file that a link leads to is replaced, not the link; a link that leads nowhere is. */
static void file_behind_a_link(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    struct stat what;
    assert_int_equal(mkdir("far", 0777) + symlink("far/two", "one") + symlink("it", "far/two"), 0);
    FILE *old = fopen("far/it", "w");
    assert_non_null(old);
    fclose(old);
    assert_int_equal(output_file_open(&file, "one", &err), ROSTER_OK);
    fputs("new", file.stream);
    check_content("far/it", "");
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    check_content("far/it", "new");
    assert_true(lstat("one", &what) == 0 && S_ISLNK(what.st_mode));
    assert_true(lstat("far/two", &what) == 0 && S_ISLNK(what.st_mode));
    assert_int_equal(unlink("far/it"), 0);
    assert_int_equal(output_file_open(&file, "one", &err), ROSTER_OK);
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    assert_true(lstat("one", &what) == 0 && S_ISREG(what.st_mode));
    assert_int_equal(unlink("one") + unlink("far/two") + rmdir("far"), 0);
}

static void file_direct(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    struct stat there;
    assert_int_equal(output_file_open(&file, "/dev/null", &err), ROSTER_OK);
    fputs("gone", file.stream);
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    assert_int_equal(stat("/dev/null", &there), 0);
    assert_true(S_ISCHR(there.st_mode));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(file_appears_whole, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_abandoned_leaves_nothing, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_keeps_folders_of_others, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(folder_appears_whole_or_not_at_all, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_that_cannot_be_renamed, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_behind_a_link, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_refused, enter_folder, leave_folder),
        cmocka_unit_test(file_direct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

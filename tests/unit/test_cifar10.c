/*
 * test_cifar10.c: from batches of images to the CIFAR-10 instance and its files (src/datasets/cifar10/cifar10*.c): on
 * small batches of striped images that the test writes itself. The steps in between are in
 * test_cifar10_features.c and test_cifar10_logistic.c.
 */
#include "cifar10_batches.h"

#include "experiment.h"

#include <inttypes.h>

enum { TRAIN = 40, TEST = 100, KEPT = 4, MODELS = CIFAR10_EXPERTS, CLASSES = CIFAR10_CLASSES, NO_NOISE = 10 };

static char folder[] = "test_cifar10.XXXXXX"; /* with good batches */

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    batches_write(folder, TRAIN, TEST, NO_NOISE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    batches_remove(folder);
    return 0;
}

static cifar10_options plain(void)
{
    return (cifar10_options){.folder = folder, .seed = 1, .patches = 16, .kept = KEPT, .threads = 2};
}

static cifar10 *create(const cifar10_options *options)
{
    cifar10 *made;
    roster_error err;
    assert_ok(cifar10_create(&made, options, &err), &err);
    return made;
}

static char *written(void (*write)(const cifar10 *, FILE *), const cifar10 *self)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write(self, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void refuse(const cifar10_options *options, const char *sentence)
{
    cifar10 *made = (cifar10 *)&made;
    roster_error err;
    assert_refused(cifar10_create(&made, options, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(made);
    assert_int_equal(cifar10_create(&made, options, NULL), ROSTER_EINVAL);
}

static void options_refused(void **state)
{
    (void)state;
    cifar10_options options = plain();
    options.patches = 0;
    refuse(&options, "patches is 0, must be in 1..10000");
    options.patches = 10001;
    refuse(&options, "patches is 10001, must be in 1..10000");
    options = plain();
    options.kept = 0;
    refuse(&options, "kept is 0, must be at least 1");
}

/* A sentence about a batch in a folder of its own. */
static void refuse_batch(const char *bad, size_t file, const char *sentence)
{
    char expected[480];
    cifar10_options options = plain();
    options.folder = bad;
    snprintf(expected, sizeof expected, "%s/%s%s", bad, batch_files[file], sentence);
    refuse(&options, expected);
}

static void resize(const char *bad, size_t file, long size)
{
    char path[64];
    batch_path(bad, file, path);
    assert_int_equal(truncate(path, size), 0);
}

static void set_byte(const char *bad, size_t file, long place, uint8_t byte)
{
    char path[64];
    batch_path(bad, file, path);
    FILE *out = fopen(path, "r+b");
    assert_non_null(out);
    assert_int_equal(fseek(out, place, SEEK_SET), 0);
    fputc(byte, out);
    assert_int_equal(fclose(out), 0);
}

static void batches_refused(void **state)
{
    (void)state;
    char bad[] = "test_cifar10.XXXXXX", path[64];
    assert_non_null(mkdtemp(bad));
    batches_write(bad, 10, 20, NO_NOISE);
    batch_path(bad, 2, path);
    unlink(path);
    refuse_batch(bad, 2,
                 " cannot be read: No such file or directory; the folder must hold data_batch_1.bin to "
                 "data_batch_5.bin and test_batch.bin");
    assert_int_equal(symlink(".", path), 0);
    refuse_batch(bad, 2,
                 " cannot be read: Is a directory; the folder must hold data_batch_1.bin to data_batch_5.bin and "
                 "test_batch.bin");
    unlink(path);
    batch_write(bad, 2, 0, NO_NOISE);
    refuse_batch(bad, 2, " is empty, must hold images of 3073 bytes each");
    resize(bad, 2, 2 * 3073 - 1);
    refuse_batch(bad, 2,
                 " has 6145 bytes, must have a multiple of 3073: one for the class of an image, 3072 for its pixels");
    batch_write(bad, 2, 10, NO_NOISE);
    set_byte(bad, 2, 7 * 3073, 10);
    refuse_batch(bad, 2, ": image 7 has class 10, must be in 0..9");
    set_byte(bad, 2, 7 * 3073, 7);
    set_byte(bad, 5, 0, 255);
    refuse_batch(bad, 5, ": image 0 has class 255, must be in 0..9");
    batches_remove(bad);
}

/* Of n zeros FNV-1a makes offset prime^n. */
static void damaged_batches_refused(void **state)
{
    (void)state;
    char bad[] = "test_cifar10.XXXXXX", sentence[200];
    uint64_t checksum = UINT64_C(0xcbf29ce484222325);
    assert_non_null(mkdtemp(bad));
    batches_write(bad, 10, 20, NO_NOISE);
    batch_write(bad, 1, 0, NO_NOISE);
    resize(bad, 1, 30730000);
    for (size_t i = 0; i < 30730000; i++)
        checksum *= UINT64_C(0x100000001b3);
    snprintf(sentence, sizeof sentence,
             " is damaged: its checksum is %016" PRIx64
             ", that of the official file 30cae754abe1e1a2; download it again",
             checksum);
    refuse_batch(bad, 1, sentence);
    resize(bad, 1, 30730001);
    refuse_batch(bad, 1, " is larger than 30730000 bytes, must hold at most 10000 images");
    batches_remove(bad);
}

static void missing_classes_refused(void **state)
{
    (void)state;
    char bad[] = "test_cifar10.XXXXXX", expected[480];
    cifar10_options options = plain();
    assert_non_null(mkdtemp(bad));
    options.folder = bad;
    batches_write(bad, 6, 39, NO_NOISE);
    snprintf(expected, sizeof expected, "%s has 0 training images of class frog, must have at least 1", bad);
    refuse(&options, expected);
    batch_write(bad, 3, 10, NO_NOISE);
    snprintf(expected, sizeof expected, "%s has 3 test images of class truck, must have at least 4", bad);
    refuse(&options, expected);
    batches_remove(bad);
}

static void classifiers_learn(void **state)
{
    (void)state;
    cifar10_options options = plain();
    cifar10 *made = create(&options);
    assert_true(made->train == 5 * TRAIN && made->test == TEST);
    for (size_t k = 0; k < MODELS; k++) {
        size_t right = 0;
        for (size_t c = 0; c < CLASSES; c++) {
            size_t all = 0, kept = 0;
            for (size_t v = 0; v < CLASSES; v++) {
                all += made->answers[k][c][v];
                kept += made->kept_answers[k][c][v];
                assert_true(made->kept_answers[k][c][v] <= made->answers[k][c][v]);
            }
            assert_int_equal(all, TEST / CLASSES);
            assert_int_equal(kept, KEPT);
            assert_int_equal(made->answers[k][c][cifar10_left_out[k]], 0);
            right += made->answers[k][c][c];
        }
        assert_true(right > .8 * .9 * TEST);
    }
    cifar10_free(made);
    cifar10_free(NULL);
}

static void assert_same(const cifar10 *a, const cifar10 *b)
{
    void (*const writers[])(const cifar10 *, FILE *) = {cifar10_write_roster, cifar10_write_predictions,
                                                        cifar10_write_accuracy, cifar10_write_summary};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char *one = written(writers[i], a), *other = written(writers[i], b);
        assert_string_equal(one, other);
        free(one);
        free(other);
    }
}

/* Few patches, so that there are mistakes in which a difference would show; that weights agree to the bit is shown by
   test_cifar10_logistic.c. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    cifar10_options options = plain();
    options.patches = 1;
    options.threads = 0;
    cifar10 *first = create(&options);
    size_t wrong = 0;
    for (size_t i = 0; i < CLASSES * KEPT; i++)
        wrong += first->kept[i].said[1] != first->kept[i].class;
    assert_true(wrong > KEPT);
    for (options.threads = 1; options.threads <= 3; options.threads++) {
        cifar10 *other = create(&options);
        assert_same(first, other);
        cifar10_free(other);
    }
    cifar10_free(first);
}

/* By number, each once, as many of each class; another seed keeps others. */
static void seed_chooses_images(void **state)
{
    (void)state;
    cifar10_options options = plain();
    size_t same = 0, count[CLASSES] = {0};
    options.patches = 2;
    cifar10 *one = create(&options);
    options.seed = 2;
    cifar10 *other = create(&options);
    for (size_t i = 0; i < CLASSES * KEPT; i++) {
        assert_true(one->kept[i].image < TEST && (i == 0 || one->kept[i].image > one->kept[i - 1].image));
        assert_int_equal(one->kept[i].class, one->kept[i].image % CLASSES);
        count[one->kept[i].class]++;
        for (size_t j = 0; j < CLASSES * KEPT; j++)
            same += one->kept[i].image == other->kept[j].image;
    }
    for (size_t c = 0; c < CLASSES; c++)
        assert_int_equal(count[c], KEPT);
    assert_in_range(same, 5, 27); /* 16 expected, standard deviation 3 */
    cifar10_free(one);
    cifar10_free(other);
}

/* With noise in place of every training image of a class, its classifier stays as it is, and the others change. */
static void left_out_class_is_never_seen(void **state)
{
    (void)state;
    cifar10_options options = plain();
    options.patches = 1;
    cifar10 *before = create(&options);
    for (size_t k = 0; k < MODELS; k++) {
        for (size_t file = 0; file + 1 < BATCH_FILES; file++)
            batch_write(folder, file, TRAIN, cifar10_left_out[k]);
        cifar10 *after = create(&options);
        for (size_t j = 0; j < MODELS; j++) {
            bool same = memcmp(before->answers[j], after->answers[j], sizeof before->answers[j]) == 0;
            assert_true(same == (j == k));
        }
        cifar10_free(after);
    }
    cifar10_free(before);
    batches_write(folder, TRAIN, TEST, NO_NOISE);
}

static void roster_holds_shares(void **state)
{
    (void)state;
    cifar10_options options = plain();
    cifar10 *made = create(&options);
    size_t count[MODELS][CLASSES][CLASSES] = {{{0}}};
    for (size_t i = 0; i < CLASSES * KEPT; i++)
        for (size_t k = 0; k < MODELS; k++)
            count[k][made->kept[i].class][made->kept[i].said[k]]++;
    assert_memory_equal(count, made->kept_answers, sizeof count);
    cifar10_free(made);
}

/* Everybody is right, but for classifier 1: of 100 cats it calls 86 cats, 13 dogs and one a frog. */
static cifar10 by_hand(cifar10_kept kept[CLASSES])
{
    cifar10 self = {.seed = 7, .patches = 3, .kept_per_class = 100, .train = 50000, .test = 2000};
    for (size_t k = 0; k < MODELS; k++)
        for (size_t c = 0; c < CLASSES; c++) {
            size_t says = c == cifar10_left_out[k] ? c + 1 : c;
            self.kept_answers[k][c][says] = 100;
            self.answers[k][c][says] = 200;
            kept[c].said[k] = (uint8_t)says;
        }
    self.kept_answers[1][3][3] = 86;
    self.kept_answers[1][3][5] = 13;
    self.kept_answers[1][3][6] = 1;
    self.answers[1][3][3] = 110;
    self.answers[1][3][5] = 90;
    for (size_t c = 0; c < CLASSES; c++) {
        kept[c].image = 17 * c;
        kept[c].class = (uint8_t)c;
    }
    self.kept = kept;
    return self;
}

static void assert_has(void (*write)(const cifar10 *, FILE *), const cifar10 *self, const char *part)
{
    char *text = written(write, self);
    if (strstr(text, part) == NULL)
        print_error("not in %s\n", text);
    assert_non_null(strstr(text, part));
    free(text);
}

static void files_as_written(void **state)
{
    (void)state;
    cifar10_kept kept[CLASSES];
    cifar10 self = by_hand(kept);
    assert_has(cifar10_write_roster, &self,
               "\n \"contexts\": [\"airplane\", \"automobile\", \"bird\", \"cat\", \"deer\", \"dog\", \"frog\", "
               "\"horse\", \"ship\", \"truck\"],\n \"actions\": [\"airplane\", ");
    assert_has(cifar10_write_roster, &self,
               "  {\"name\": \"without bird\",\n   \"table\": [\n"
               "    [0.82, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02],\n"
               "    [0.02, 0.82, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02],\n"
               "    [0.02, 0.02, 0.02, 0.82, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02],\n"
               "    [0.02, 0.02, 0.02, 0.708, 0.02, 0.124, 0.028, 0.02, 0.02, 0.02],\n");
    assert_has(cifar10_write_accuracy, &self,
               "\n \"training_images\": 50000,\n \"test_images\": 2000,\n \"kept_per_class\": 100,\n \"patches\": 3,\n "
               "\"seed\": 7,\n \"classes\": [\"airplane\", ");
    assert_has(cifar10_write_accuracy, &self,
               "  {\"left_out\": \"bird\",\n   \"accuracy\": 0.95,\n   \"accuracy_on_kept\": 0.984444,\n   "
               "\"confusion\": [\n    [200, 0, 0, 0, 0, 0, 0, 0, 0, 0],\n    [0, 200, 0, 0, 0, 0, 0, 0, 0, 0],\n"
               "    [0, 0, 0, 200, 0, 0, 0, 0, 0, 0],\n    [0, 0, 0, 110, 0, 90, 0, 0, 0, 0],\n");
    assert_has(cifar10_write_summary, &self,
               "50000 training images, 2000 test images, 100 kept per class, 3 patches, seed 7\n\n"
               "right answers in the nine classes that a classifier has seen\n"
               "                      all    kept\n"
               "without airplane    100.0%  100.0%\n"
               "without bird         95.0%   98.4%\n");
    self.kept_per_class = 1;
    assert_has(cifar10_write_predictions, &self,
               "image,class,without airplane,without bird,without deer,without frog,without ship\n"
               "0,airplane,automobile,airplane,airplane,airplane,airplane\n"
               "17,automobile,automobile,automobile,automobile,automobile,automobile\n"
               "34,bird,bird,cat,bird,bird,bird\n");
}

/* An experiment beside it can name it. */
static void roster_can_be_read(void **state)
{
    (void)state;
    char path[64];
    cifar10_kept kept[CLASSES];
    cifar10 self = by_hand(kept);
    experiment *e;
    roster_error err;
    snprintf(path, sizeof path, "%s/roster.json", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    cifar10_write_roster(&self, out);
    assert_int_equal(fclose(out), 0);
    snprintf(path, sizeof path, "%s/cifar10.json", folder);
    assert_ok(experiment_parse(&e,
                               "{\"experts\": \"roster.json\", \"episodes\": [{\"rounds\": 10, \"reward_means\": "
                               "{\"random\": {}}}], \"agents\": [{\"agent\": \"ucb\"}], \"runs\": 1}",
                               path, NULL, &err),
              &err);
    snprintf(path, sizeof path, "%s/roster.json", folder);
    unlink(path);
    const roster_experts *experts = e->cases[0].experts;
    assert_int_equal(roster_experts_count(experts), MODELS);
    assert_string_equal(roster_experts_name(experts, 4), "without ship");
    for (size_t i = 0; i < CLASSES; i++) {
        assert_string_equal(e->contexts[i], cifar10_names[i]);
        assert_string_equal(e->actions[i], cifar10_names[i]);
    }
    for (size_t i = 0; i < MODELS * CLASSES * CLASSES; i++) {
        size_t k = i / CLASSES / CLASSES, c = i / CLASSES % CLASSES, v = i % CLASSES;
        assert_close(roster_experts_probability(experts, k, c, v), .008 * (double)self.kept_answers[k][c][v] + .02,
                     1e-14);
    }
    experiment_free(e);
}

typedef struct seen {
    char what[8][64]; /* in the order of appearing */
    size_t n;
} seen;

static void watch(void *user, const char *what, uint64_t done, uint64_t total)
{
    seen *self = user;
    assert_true(done <= total && total > 0);
    if (self->n > 0 && strcmp(self->what[self->n - 1], what) == 0)
        return;
    assert_int_equal(done, 0);
    assert_true(self->n < 8);
    snprintf(self->what[self->n++], sizeof *self->what, "%s", what);
}

static void progress_is_told(void **state)
{
    (void)state;
    seen all = {.n = 0};
    cifar10_options options = plain();
    options.patches = 1;
    options.watch = (data_watch){watch, &all};
    cifar10_free(create(&options));
    assert_int_equal(all.n, 4);
    assert_string_equal(all.what[0], "learning a dictionary of patches");
    assert_string_equal(all.what[1], "encoding training images");
    assert_string_equal(all.what[2], "training five classifiers");
    assert_string_equal(all.what[3], "classifying test images");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_refused),         cmocka_unit_test(batches_refused),
        cmocka_unit_test(damaged_batches_refused), cmocka_unit_test(missing_classes_refused),
        cmocka_unit_test(classifiers_learn),       cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(seed_chooses_images),     cmocka_unit_test(left_out_class_is_never_seen),
        cmocka_unit_test(roster_holds_shares),     cmocka_unit_test(files_as_written),
        cmocka_unit_test(roster_can_be_read),      cmocka_unit_test(progress_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/*
 * cifar10_write.c: the CIFAR-10 instance as a roster file, and what it was made of.
 *
 *   pi_k(v, c) = .8 share + .02,  share = how many of the kept images of class c classifier k calls v / kept
 *
 * An expert plays its classifier's answer with probability .8 and any of the ten labels with .2. With 100 images per
 * class that is a multiple of .008 plus .02, which 15 digits write exactly.
 *
 *   accuracy of k = right answers / images, over the nine classes that k has seen
 *
 * Paper: none. Cost: one pass over the tables.
 * Check: 86 of 100 is 0.708 (tests/unit/test_cifar10.c: roster_holds_shares, roster_can_be_read).
 */
#include "cifar10_data.h"

#include "common_json.h"

#include <inttypes.h>

enum { CLASSES = CIFAR10_CLASSES, EXPERTS = CIFAR10_EXPERTS };

static const char *name_left_out(size_t k)
{
    return cifar10_names[cifar10_left_out[k]];
}

/* Key and number, however large: a document's writer would make it a string. */
static void write_seed(common_json *json, uint64_t seed)
{
    common_json_key(json, "seed");
    fprintf(json->out, "%" PRIu64, seed);
}

static void write_table(const cifar10 *self, size_t k, common_json *json)
{
    common_json_open_lines(json, "table", '[');
    for (size_t c = 0; c < CLASSES; c++) {
        double row[CLASSES];
        for (size_t v = 0; v < CLASSES; v++)
            row[v] = .8 * ((double)self->kept_answers[k][c][v] / (double)self->kept_per_class) + .02;
        common_json_numbers(json, NULL, row, CLASSES);
    }
    common_json_close(json);
}

void cifar10_write_roster(const cifar10 *self, FILE *out)
{
    common_json json = {.out = out, .document = true, .digits = 15, .indent = 1};
    char text[400];
    snprintf(
        text, sizeof text,
        "CIFAR-10: each expert is a classifier that never saw one class; with probability .8 it plays the "
        "classifier's answer to a test image of the context's class, with .2 any of the ten labels. %zu images per "
        "class, seed %" PRIu64 ".",
        self->kept_per_class, self->seed);
    common_json_open_lines(&json, NULL, '{');
    common_json_text(&json, "description", text);
    common_json_texts(&json, "contexts", cifar10_names, CLASSES);
    common_json_texts(&json, "actions", cifar10_names, CLASSES);
    common_json_open_lines(&json, "experts", '[');
    for (size_t k = 0; k < EXPERTS; k++) {
        snprintf(text, sizeof text, "without %s", name_left_out(k));
        common_json_open_hanging(&json, NULL, '{');
        common_json_text(&json, "name", text);
        write_table(self, k, &json);
        common_json_close(&json);
    }
    common_json_close(&json);
    common_json_close(&json);
    common_json_end(&json);
}

void cifar10_write_predictions(const cifar10 *self, FILE *out)
{
    fputs("image,class", out);
    for (size_t k = 0; k < EXPERTS; k++)
        fprintf(out, ",without %s", name_left_out(k));
    for (size_t i = 0; i < CLASSES * self->kept_per_class; i++) {
        const cifar10_kept *one = &self->kept[i];
        fprintf(out, "\n%zu,%s", one->image, cifar10_names[one->class]);
        for (size_t k = 0; k < EXPERTS; k++)
            fprintf(out, ",%s", cifar10_names[one->said[k]]);
    }
    fputs("\n", out);
}

static double accuracy(const cifar10_answers answers, size_t k)
{
    size_t right = 0, all = 0;
    for (size_t c = 0; c < CLASSES; c++)
        for (size_t v = 0; v < CLASSES && c != cifar10_left_out[k]; v++) {
            right += v == c ? answers[k][c][v] : 0;
            all += answers[k][c][v];
        }
    return (double)right / (double)all;
}

static void write_classifier(const cifar10 *self, size_t k, common_json *json)
{
    common_json_open_hanging(json, NULL, '{');
    common_json_text(json, "left_out", name_left_out(k));
    common_json_number(json, "accuracy", accuracy(self->answers, k));
    common_json_number(json, "accuracy_on_kept", accuracy(self->kept_answers, k));
    common_json_open_lines(json, "confusion", '[');
    for (size_t c = 0; c < CLASSES; c++) {
        common_json_open(json, NULL, '[');
        for (size_t v = 0; v < CLASSES; v++)
            common_json_count(json, NULL, self->answers[k][c][v]);
        common_json_close(json);
    }
    common_json_close(json);
    common_json_close(json);
}

void cifar10_write_accuracy(const cifar10 *self, FILE *out)
{
    common_json json = {.out = out, .document = true, .digits = 6, .indent = 1};
    common_json_open_lines(&json, NULL, '{');
    common_json_text(&json, "description",
                     "Accuracies are of the nine classes that a classifier has seen. Confusion: how many test images "
                     "of the row's class it calls the column's.");
    common_json_count(&json, "training_images", self->train);
    common_json_count(&json, "test_images", self->test);
    common_json_count(&json, "kept_per_class", self->kept_per_class);
    common_json_count(&json, "patches", self->patches);
    write_seed(&json, self->seed);
    common_json_texts(&json, "classes", cifar10_names, CLASSES);
    common_json_open_lines(&json, "classifiers", '[');
    for (size_t k = 0; k < EXPERTS; k++)
        write_classifier(self, k, &json);
    common_json_close(&json);
    common_json_close(&json);
    common_json_end(&json);
}

void cifar10_write_summary(const cifar10 *self, FILE *out)
{
    fprintf(out, "%zu training images, %zu test images, %zu kept per class, %zu patches, seed %" PRIu64 "\n\n",
            self->train, self->test, self->kept_per_class, self->patches, self->seed);
    fputs("right answers in the nine classes that a classifier has seen\n"
          "                      all    kept\n",
          out);
    for (size_t k = 0; k < EXPERTS; k++)
        fprintf(out, "without %-10s  %5.1f%%  %5.1f%%\n", name_left_out(k), 100 * accuracy(self->answers, k),
                100 * accuracy(self->kept_answers, k));
}

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

#include <inttypes.h>

enum { CLASSES = CIFAR10_CLASSES, EXPERTS = CIFAR10_EXPERTS };

static const char *name_left_out(size_t k)
{
    return cifar10_names[cifar10_left_out[k]];
}

static void write_names(const char *key, FILE *out)
{
    fprintf(out, " \"%s\": [", key);
    for (size_t i = 0; i < CLASSES; i++)
        fprintf(out, "\"%s\"%s", cifar10_names[i], i + 1 < CLASSES ? ", " : "],\n");
}

static void write_table(const cifar10 *self, size_t k, FILE *out)
{
    for (size_t c = 0; c < CLASSES; c++) {
        fputs("    [", out);
        for (size_t v = 0; v < CLASSES; v++) {
            double share = (double)self->kept_answers[k][c][v] / (double)self->kept_per_class;
            fprintf(out, "%.15g%s", .8 * share + .02, v + 1 < CLASSES ? ", " : "]");
        }
        fputs(c + 1 < CLASSES ? ",\n" : "\n   ]", out);
    }
}

void cifar10_write_roster(const cifar10 *self, FILE *out)
{
    fprintf(
        out,
        "{\n \"description\": \"CIFAR-10: each expert is a classifier that never saw one class; with probability "
        ".8 it plays the classifier's answer to a test image of the context's class, with .2 any of the ten labels. "
        "%zu images per class, seed %" PRIu64 ".\",\n",
        self->kept_per_class, self->seed);
    write_names("contexts", out);
    write_names("actions", out);
    fputs(" \"experts\": [\n", out);
    for (size_t k = 0; k < EXPERTS; k++) {
        fprintf(out, "  {\"name\": \"without %s\",\n   \"table\": [\n", name_left_out(k));
        write_table(self, k, out);
        fputs(k + 1 < EXPERTS ? "},\n" : "}\n ]\n}\n", out);
    }
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

static void write_confusion(const cifar10 *self, size_t k, FILE *out)
{
    for (size_t c = 0; c < CLASSES; c++) {
        fputs("    [", out);
        for (size_t v = 0; v < CLASSES; v++)
            fprintf(out, "%zu%s", self->answers[k][c][v], v + 1 < CLASSES ? ", " : "]");
        fputs(c + 1 < CLASSES ? ",\n" : "\n   ]", out);
    }
}

void cifar10_write_accuracy(const cifar10 *self, FILE *out)
{
    fprintf(out,
            "{\n \"description\": \"Accuracies are of the nine classes that a classifier has seen. Confusion: how "
            "many test images of the row's class it calls the column's.\",\n \"training_images\": %zu,\n "
            "\"test_images\": %zu,\n \"kept_per_class\": %zu,\n \"patches\": %zu,\n \"seed\": %" PRIu64 ",\n",
            self->train, self->test, self->kept_per_class, self->patches, self->seed);
    write_names("classes", out);
    fputs(" \"classifiers\": [\n", out);
    for (size_t k = 0; k < EXPERTS; k++) {
        fprintf(
            out,
            "  {\"left_out\": \"%s\",\n   \"accuracy\": %.6g,\n   \"accuracy_on_kept\": %.6g,\n   \"confusion\": [\n",
            name_left_out(k), accuracy(self->answers, k), accuracy(self->kept_answers, k));
        write_confusion(self, k, out);
        fputs(k + 1 < EXPERTS ? "},\n" : "}\n ]\n}\n", out);
    }
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

/*
 * cifar10.c: five classifiers that never saw one class each, and what they say to test images.
 *
 *   all training images -> features (patches.c, whitening.c, dictionary.c, features.c) -> classifiers (logistic.c)
 *   `kept` test images per class, drawn without replacement; what each classifier says to each of them
 *
 * A classifier must not have met the class that it leaves out in any way. What all five share, that is whitening,
 * dictionary and the constants for standardising, is learnt from the training images of the five classes that no
 * classifier leaves out.
 *
 * The penalty was chosen with the fifth training batch held out: of its images a classifier of all ten classes, 400
 * patches and 200 steps had 78.1% right with .003, 77.3% with .007; .01 had 76.7% after 150. The test images
 * had no say in that, nor in any other constant here.
 *
 * Paper: none. Cost: 18 floats per patch and training image, 1.4 GB for 400 patches.
 * Check: tests/unit/test_cifar10.c: classifiers_learn, left_out_class_is_never_seen, threads_do_not_matter.
 */
#include "cifar10_data.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 500,       /* per patch of the dictionary                   */
    ROUNDS = 15,         /* of k-means                                    */
    EVALUATIONS = 200,   /* of the classifiers' losses                    */
    PIECE = 125,         /* test images                                   */
    MOST_PATCHES = 10000 /* far above what fits, far below what overflows */
};
static const double EPSILON = .1, PENALTY = .003;

/* Whitening and dictionary; the sample is forgotten. */
static int learn_features(features *out, const cifar10_images *train, const cifar10_options *options, roster_error *err)
{
    roster_rng rng;
    whitening white;
    dictionary words = {.words = NULL};
    float *sample;
    size_t n;
    roster_rng_init(&rng, options->seed, 0, ROSTER_ROLE_INSTANCE + ROSTER_ROLES);
    int code = patches_sample(train, SAMPLES * options->patches, &rng, &sample, &n, err);
    if (code == ROSTER_OK)
        code = whitening_learn(&white, sample, n, EPSILON, err);
    if (code == ROSTER_OK)
        code = whitening_apply(&white, sample, n, err);
    if (code == ROSTER_OK)
        code = dictionary_init(&words, options->patches, sample, n, &rng, err);
    if (code == ROSTER_OK)
        code = dictionary_learn(&words, sample, n, ROUNDS, &rng, options->threads, &options->watch, NULL, err);
    if (code == ROSTER_OK)
        code = features_init(out, &white, &words, err);
    dictionary_fini(&words);
    free(sample);
    return code;
}

static int learn_classifiers(softmax *out, features *found, const cifar10_images *train, const cifar10_options *options,
                             roster_error *err)
{
    float *rows = malloc(train->n * found->width * sizeof *rows);
    softmax_lesson lesson = {.rows = rows, .images = train, .threads = options->threads};
    int code = rows != NULL ? softmax_init(out, found->width, PENALTY, err) : common_fail_memory(err);
    if (code == ROSTER_OK)
        code = features_train(found, train, options->threads, &options->watch, rows, err);
    if (code == ROSTER_OK)
        code = softmax_train(out, &lesson, EVALUATIONS, &options->watch, err);
    free(rows);
    return code;
}

typedef struct exam {
    const features *features;
    const softmax *classifiers;
    const cifar10_images *images;
    float *scratch; /* per thread */
    size_t room;    /* of it      */
    uint8_t *said;  /* [n][CIFAR10_EXPERTS] */
} exam;

static void examine_piece(void *context, size_t piece, unsigned worker)
{
    exam *self = context;
    size_t first = piece * PIECE, left = self->images->n - first, n = left < PIECE ? left : PIECE;
    float *scratch = self->scratch + worker * self->room, *scores = scratch + features_scratch(self->features);
    float *rows = scores + PIECE * SOFTMAX_OUTPUTS;
    features_encode(self->features, self->images, first, n, scratch, rows);
    features_standardise(self->features, rows, n);
    softmax_predict(self->classifiers, rows, n, scores, self->said + first * CIFAR10_EXPERTS);
}

/* What the classifiers say to every test image. */
static int examine(exam *self, const cifar10_options *options, roster_error *err)
{
    size_t n = self->images->n;
    self->room = features_scratch(self->features) + PIECE * (SOFTMAX_OUTPUTS + self->features->width);
    self->scratch = malloc(options->threads * self->room * sizeof *self->scratch);
    if (self->scratch == NULL)
        return common_fail_memory(err);
    data_parallel(options->threads, (n + PIECE - 1) / PIECE, examine_piece, self, &options->watch,
                  "classifying test images");
    free(self->scratch);
    return ROSTER_OK;
}

/* Moves `kept` members drawn at random to the front. */
static void draw(size_t *members, size_t n, size_t kept, roster_rng *rng)
{
    for (size_t i = 0; i < kept; i++) {
        size_t j = i + roster_rng_below(rng, n - i), other = members[j];
        members[j] = members[i];
        members[i] = other;
    }
}

/* Marks the images that are kept. */
static int choose(const cifar10_images *test, const cifar10_options *options, bool *chosen, roster_error *err)
{
    roster_rng rng;
    size_t *members = malloc(test->n * sizeof *members);
    if (members == NULL)
        return common_fail_memory(err);
    roster_rng_init(&rng, options->seed, 0, ROSTER_ROLE_INSTANCE);
    for (size_t class = 0; class < CIFAR10_CLASSES; class ++) {
        size_t n = 0;
        for (size_t i = 0; i < test->n; i++)
            if (cifar10_class(test, i) == class)
                members[n++] = i;
        draw(members, n, options->kept, &rng);
        for (size_t i = 0; i < options->kept; i++)
            chosen[members[i]] = true;
    }
    free(members);
    return ROSTER_OK;
}

/* Tables of answers, and the images that are kept in the order of their numbers. */
static void tabulate(cifar10 *self, const cifar10_images *test, const uint8_t *said, const bool *chosen)
{
    size_t next = 0;
    for (size_t i = 0; i < test->n; i++) {
        const uint8_t *answers = said + i * CIFAR10_EXPERTS, class = cifar10_class(test, i);
        for (size_t k = 0; k < CIFAR10_EXPERTS; k++) {
            self->answers[k][class][answers[k]]++;
            self->kept_answers[k][class][answers[k]] += chosen[i];
        }
        if (!chosen[i])
            continue;
        self->kept[next] = (cifar10_kept){.image = i, .class = class};
        memcpy(self->kept[next++].said, answers, CIFAR10_EXPERTS);
    }
}

static int make(cifar10 *self, const cifar10_images *train, const cifar10_images *test, const cifar10_options *options,
                roster_error *err)
{
    features found = {.filter = NULL};
    softmax classifiers = {.weights = NULL};
    exam final = {.features = &found, .classifiers = &classifiers, .images = test};
    bool *chosen = calloc(test->n, sizeof *chosen);
    final.said = malloc(test->n * CIFAR10_EXPERTS);
    self->kept = calloc(CIFAR10_CLASSES * options->kept, sizeof *self->kept);
    bool enough = chosen != NULL && final.said != NULL && self->kept != NULL;
    int code = enough ? learn_features(&found, train, options, err) : common_fail_memory(err);
    if (code == ROSTER_OK)
        code = learn_classifiers(&classifiers, &found, train, options, err);
    if (code == ROSTER_OK)
        code = examine(&final, options, err);
    if (code == ROSTER_OK)
        code = choose(test, options, chosen, err);
    if (code == ROSTER_OK)
        tabulate(self, test, final.said, chosen);
    features_fini(&found);
    softmax_fini(&classifiers);
    free(final.said);
    free(chosen);
    return code;
}

int cifar10_create(cifar10 **out, const cifar10_options *options, roster_error *err)
{
    cifar10_options mine = *options;
    cifar10_images train, test;
    *out = NULL;
    if (mine.patches < 1 || mine.patches > MOST_PATCHES)
        return common_fail(err, ROSTER_EINVAL, "patches is %zu, must be in 1..%d", mine.patches, MOST_PATCHES);
    if (mine.kept < 1)
        return common_fail(err, ROSTER_EINVAL, "kept is 0, must be at least 1");
    mine.threads = data_threads(mine.threads); /* scratch memory is per thread */
    int code = cifar10_read(mine.folder, mine.kept, &train, &test, err);
    if (code != ROSTER_OK)
        return code;
    cifar10 *self = calloc(1, sizeof *self);
    data_parallel_init();
    code = self != NULL ? make(self, &train, &test, &mine, err) : common_fail_memory(err);
    free(train.records);
    free(test.records);
    if (code != ROSTER_OK) {
        cifar10_free(self);
        return code;
    }
    self->seed = mine.seed;
    self->patches = mine.patches;
    self->kept_per_class = mine.kept;
    self->train = train.n;
    self->test = test.n;
    *out = self;
    return ROSTER_OK;
}

void cifar10_free(cifar10 *self)
{
    if (self != NULL)
        free(self->kept);
    free(self);
}

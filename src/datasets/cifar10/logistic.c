/*
 * logistic.c: five linear classifiers of ten classes that each never see one of them, trained in one pass over
 * features.
 *
 *   classifier m, image i with features x_i and class c_i, l_m the class that m leaves out
 *   z_mk = w_mk . x_i,   p_mk = e^z_mk / sum_{j != l_m} e^z_mj  for k != l_m
 *   f_m  = (1 / n_m) sum_{i: c_i != l_m} -log p_m,c_i + penalty / 2 |w_m|^2,   n_m images with c_i != l_m
 *   df_m / dw_mk = (1 / n_m) sum_{i: c_i != l_m} (p_mk - [k = c_i]) x_i + penalty w_mk
 *   answer: the k != l_m with the largest z_mk
 *
 * Each f_m is minimised by an L-BFGS of its own (lbfgs.c). They go in step only so that all 50 products with the
 * features of an image are taken while these are in the cache. Images come in 16 slices, whatever the number of
 * threads, and slices are added in their order.
 *
 * Paper: none. Cost per pass: 200 multiplications per feature and image; 16 gradients.
 * Check: the gradient against finite differences (tests/unit/test_cifar10_logistic.c: softmax_gradient).
 */
#include "cifar10_internal.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = CIFAR10_EXPERTS, CLASSES = CIFAR10_CLASSES, OUTPUTS = SOFTMAX_OUTPUTS, SLICES = 16, ROWS = 256 };

/* One pass over the features. */
typedef struct pass {
    const softmax *model;
    const softmax_lesson *lesson;
    float *scores; /* [threads][ROWS][OUTPUTS]                */
    float *slices; /* [SLICES][OUTPUTS][width]                 */
    float *gradient;
    double losses[SLICES][MODELS], loss[MODELS];
    size_t counts[SLICES][MODELS]; /* images that the classifier may see */
} pass;

int softmax_init(softmax *self, size_t width, double penalty, roster_error *err)
{
    *self = (softmax){.width = width, .penalty = penalty, .weights = calloc(OUTPUTS * width, sizeof(float))};
    return self->weights != NULL ? ROSTER_OK : common_fail_memory(err);
}

void softmax_fini(softmax *self)
{
    free(self->weights);
}

static void score(const softmax *self, const float *rows, size_t n, float *scores)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, OUTPUTS, (int)self->width, 1, rows, (int)self->width,
                self->weights, (int)self->width, 0, scores, OUTPUTS);
}

/* The answer of classifier m. */
static size_t largest(const float *z, size_t m)
{
    size_t best = cifar10_left_out[m] == 0;
    for (size_t k = best + 1; k < CLASSES; k++)
        best = k != cifar10_left_out[m] && z[k] > z[best] ? k : best;
    return best;
}

void softmax_predict(const softmax *self, const float *rows, size_t n, float *scores, uint8_t *said)
{
    score(self, rows, n, scores);
    for (size_t i = 0; i < n * MODELS; i++)
        said[i] = (uint8_t)largest(scores + i * CLASSES, i % MODELS);
}

/* The largest becomes 0, so that nothing overflows; the class left out so small that its power matters nowhere. */
static void shift(float *z, size_t m)
{
    float most = z[largest(z, m)];
    for (size_t k = 0; k < CLASSES; k++)
        z[k] -= most;
    z[cifar10_left_out[m]] = -87;
}

/* From powers to the derivative by z; returns the sum of the powers. */
static double derive(float *z, size_t m, uint8_t class)
{
    float sum = 0;
    z[cifar10_left_out[m]] = 0;
    for (size_t k = 0; k < CLASSES; k++)
        sum += z[k];
    for (size_t k = 0; k < CLASSES; k++)
        z[k] = class == cifar10_left_out[m] ? 0 : z[k] / sum;
    z[class] -= class != cifar10_left_out[m];
    return sum;
}

/* Scores of images first .. first + n - 1 become derivatives. */
static void derive_all(pass *self, size_t slice, size_t first, size_t n, float *scores)
{
    const cifar10_images *images = self->lesson->images;
    double *loss = self->losses[slice];
    for (size_t i = 0; i < n * MODELS; i++) {
        uint8_t class = cifar10_class(images, first + i / MODELS);
        shift(scores + i * CLASSES, i % MODELS);
        loss[i % MODELS] -= class != cifar10_left_out[i % MODELS] ? scores[i * CLASSES + class] : 0;
    }
    elementary_exp(scores, n * OUTPUTS);
    for (size_t i = 0; i < n * MODELS; i++) {
        uint8_t class = cifar10_class(images, first + i / MODELS);
        double sum = derive(scores + i * CLASSES, i % MODELS, class);
        if (class != cifar10_left_out[i % MODELS]) {
            loss[i % MODELS] += elementary_log(sum);
            self->counts[slice][i % MODELS]++;
        }
    }
}

static void do_slice(void *context, size_t slice, unsigned worker)
{
    pass *self = context;
    size_t width = self->model->width, n = self->lesson->images->n, end = n * (slice + 1) / SLICES;
    float *scores = self->scores + worker * ROWS * OUTPUTS, *gradient = self->slices + slice * OUTPUTS * width;
    memset(self->losses[slice], 0, sizeof self->losses[slice]);
    memset(self->counts[slice], 0, sizeof self->counts[slice]);
    memset(gradient, 0, OUTPUTS * width * sizeof *gradient);
    for (size_t first = n * slice / SLICES; first < end; first += ROWS) {
        size_t rows = end - first < ROWS ? end - first : ROWS;
        const float *x = self->lesson->rows + first * width;
        score(self->model, x, rows, scores);
        derive_all(self, slice, first, rows, scores);
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, OUTPUTS, (int)width, (int)rows, 1, scores, OUTPUTS, x,
                    (int)width, 1, gradient, (int)width);
    }
}

/* Adds up the slices of classifier m. */
static void do_model(void *context, size_t m, unsigned worker)
{
    (void)worker;
    pass *self = context;
    size_t size = CLASSES * self->model->width, from = m * size, n = 0;
    const float *w = self->model->weights + from;
    float *gradient = self->gradient + from;
    double loss = 0, square = 0;
    memset(gradient, 0, size * sizeof *gradient);
    for (size_t slice = 0; slice < SLICES; slice++) {
        const float *part = self->slices + slice * MODELS * size + from;
        loss += self->losses[slice][m];
        n += self->counts[slice][m];
        for (size_t j = 0; j < size; j++)
            gradient[j] += part[j];
    }
    float share = (float)(1 / (double)n), penalty = (float)self->model->penalty;
    for (size_t j = 0; j < size; j++) {
        gradient[j] = gradient[j] * share + penalty * w[j];
        square += (double)w[j] * w[j];
    }
    self->loss[m] = loss / (double)n + self->model->penalty / 2 * square;
}

static int pass_init(pass *self, const softmax *model, const softmax_lesson *lesson, roster_error *err)
{
    *self = (pass){.model = model, .lesson = lesson};
    self->scores = malloc(lesson->threads * ROWS * OUTPUTS * sizeof(float));
    self->slices = malloc(SLICES * OUTPUTS * model->width * sizeof(float));
    self->gradient = malloc(OUTPUTS * model->width * sizeof(float));
    bool enough = self->scores != NULL && self->slices != NULL && self->gradient != NULL;
    return enough ? ROSTER_OK : common_fail_memory(err);
}

static void pass_fini(pass *self)
{
    free(self->scores);
    free(self->slices);
    free(self->gradient);
}

static void pass_run(pass *self)
{
    const data_watch nobody = {NULL, NULL};
    data_parallel(self->lesson->threads, SLICES, do_slice, self, &nobody, NULL);
    data_parallel(self->lesson->threads, MODELS, do_model, self, &nobody, NULL);
}

int softmax_evaluate(const softmax *self, const softmax_lesson *lesson, double loss[CIFAR10_EXPERTS], float *gradient,
                     roster_error *err)
{
    pass one;
    int code = pass_init(&one, self, lesson, err);
    if (code == ROSTER_OK) {
        pass_run(&one);
        memcpy(loss, one.loss, sizeof one.loss);
        memcpy(gradient, one.gradient, OUTPUTS * self->width * sizeof *gradient);
    }
    pass_fini(&one);
    return code;
}

/* The way of each classifier to its minimum. */
typedef struct descent {
    pass *pass;
    lbfgs *way[MODELS];
    bool arrived[MODELS];
} descent;

static void tell(void *context, size_t m, unsigned worker)
{
    (void)worker;
    descent *self = context;
    const pass *at = self->pass;
    if (!self->arrived[m])
        self->arrived[m] = !lbfgs_tell(self->way[m], at->loss[m], at->gradient + m * CLASSES * at->model->width);
}

static void descend(descent *self, unsigned evaluations, const data_watch *watch)
{
    static const char what[] = "training five classifiers";
    size_t left = MODELS;
    for (unsigned i = 0; i < evaluations && left > 0; i++) {
        data_step(watch, what, i, evaluations);
        pass_run(self->pass);
        data_parallel(self->pass->lesson->threads, MODELS, tell, self, watch, NULL);
        left = MODELS;
        for (size_t m = 0; m < MODELS; m++)
            left -= self->arrived[m];
    }
    data_step(watch, what, evaluations, evaluations);
    for (size_t m = 0; m < MODELS; m++)
        lbfgs_stop(self->way[m]);
}

int softmax_train(softmax *self, const softmax_lesson *lesson, unsigned evaluations, const data_watch *watch,
                  roster_error *err)
{
    pass all;
    descent down = {.pass = &all};
    int code = pass_init(&all, self, lesson, err);
    for (size_t m = 0; m < MODELS && code == ROSTER_OK; m++)
        code = lbfgs_create(&down.way[m], CLASSES * self->width, self->weights + m * CLASSES * self->width, err);
    if (code == ROSTER_OK)
        descend(&down, evaluations, watch);
    for (size_t m = 0; m < MODELS; m++)
        lbfgs_free(down.way[m]);
    pass_fini(&all);
    return code;
}

/*
 * test_cifar10_logistic.c: from features to classifiers (src/datasets/cifar10/elementary.c, lbfgs.c, logistic.c), each
 * step by itself.
 */
#include "cifar10_batches.h"

#include <math.h>

enum { MODELS = CIFAR10_EXPERTS, CLASSES = CIFAR10_CLASSES };

static const data_watch nobody = {NULL, NULL};

static void exp_is_close(void **state)
{
    (void)state;
    enum { N = 100001 };
    static float x[N], y[N];
    for (size_t i = 0; i < N; i++)
        x[i] = y[i] = -87.f + 175.f * (float)i / (N - 1);
    elementary_exp(y, N);
    for (size_t i = 0; i < N; i++)
        assert_close(y[i], exp((double)x[i]), 1e-6);
    float edges[] = {0, -0.f, -87, -88, -1e30f, -INFINITY};
    elementary_exp(edges, 6);
    assert_true(edges[0] == 1 && edges[1] == 1);
    for (size_t i = 3; i < 6; i++)
        assert_true(edges[i] == edges[2] && edges[i] < 2e-38f && edges[i] > 0);
}

static void log_is_close(void **state)
{
    (void)state;
    assert_true(elementary_log(1) == 0);
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        assert_close(elementary_log(x), log(x), 1e-14);
    for (double x = .5; x < 20; x += .001)
        assert_true(fabs(elementary_log(x) - log(x)) <= 1e-14 * fmax(1, fabs(log(x))));
}

/* f(w) = sum_i (i + 1) (w_i - 1/(i + 1))^2 / 2 + 3 */
static void lbfgs_finds_minimum(void **state)
{
    (void)state;
    enum { N = 50 };
    float point[N], gradient[N];
    roster_error err;
    lbfgs *way;
    unsigned told = 0;
    double value, last = INFINITY;
    assert_ok(lbfgs_create(&way, N, point, &err), &err);
    do {
        value = 3;
        for (size_t i = 0; i < N; i++) {
            double scale = (double)i + 1, off = point[i] - 1 / scale;
            value += scale * off * off / 2;
            gradient[i] = (float)(scale * off);
        }
        last = told == 0 ? value : last;
        told++;
    } while (lbfgs_tell(way, value, gradient));
    assert_true(told > 5 && told < 100 && value < last);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(point[i] - 1 / ((double)i + 1)) < 1e-4);
    lbfgs_free(way);
    lbfgs_free(NULL);
}

/* Stopping early leaves the best point, not the last one that was tried; at the minimum nothing is asked. */
static void lbfgs_keeps_the_best(void **state)
{
    (void)state;
    float point[2], gradient[2] = {1, 1};
    roster_error err;
    lbfgs *way;
    assert_ok(lbfgs_create(&way, 2, point, &err), &err);
    assert_true(point[0] == 0 && point[1] == 0);
    assert_true(lbfgs_tell(way, 1, gradient));
    assert_true(point[0] < 0 && point[1] < 0);
    float tried = point[0];
    assert_true(lbfgs_tell(way, 2, gradient)); /* it went up */
    assert_true(point[0] == tried / 2);
    lbfgs_stop(way);
    assert_true(point[0] == 0 && point[1] == 0);
    for (int i = 0; i < 40 && lbfgs_tell(way, NAN, gradient);)
        i++;
    assert_true(point[0] == 0 && point[1] == 0);
    lbfgs_free(way);
    assert_ok(lbfgs_create(&way, 2, point, &err), &err);
    gradient[0] = gradient[1] = 0;
    assert_false(lbfgs_tell(way, 1, gradient));
    lbfgs_free(way);
}

enum { WIDTH = 7, IMAGES = 600 };

/* Random features and classes. */
static softmax_lesson new_lesson(cifar10_images *images, unsigned threads)
{
    float *rows = malloc(IMAGES * WIDTH * sizeof *rows);
    roster_rng rng;
    assert_non_null(rows);
    *images = (cifar10_images){.n = IMAGES, .records = calloc(IMAGES, CIFAR10_RECORD)};
    assert_non_null(images->records);
    roster_rng_init(&rng, 15, 0, ROSTER_ROLE_SETUP);
    for (size_t i = 0; i < IMAGES; i++) {
        uint8_t class = (uint8_t)roster_rng_below(&rng, CLASSES);
        images->records[i * CIFAR10_RECORD] = class;
        for (size_t j = 0; j < WIDTH; j++)
            rows[i * WIDTH + j] = noise(&rng) + (j == class ? 1 : 0);
    }
    return (softmax_lesson){.rows = rows, .images = images, .threads = threads};
}

static void free_lesson(softmax_lesson *lesson)
{
    free((void *)lesson->rows);
    free(lesson->images->records);
}

/* f_m by its formula. */
static double loss_by_hand(const softmax *self, const softmax_lesson *lesson, size_t m)
{
    double loss = 0, square = 0, n = 0;
    const float *w = self->weights + m * CLASSES * WIDTH;
    for (size_t i = 0; i < IMAGES; i++) {
        double z[CLASSES] = {0}, sum = 0;
        uint8_t class = cifar10_class(lesson->images, i);
        for (size_t k = 0; k < CLASSES; k++) {
            for (size_t j = 0; j < WIDTH; j++)
                z[k] += (double)w[k * WIDTH + j] * lesson->rows[i * WIDTH + j];
            sum += k != cifar10_left_out[m] ? exp(z[k]) : 0;
        }
        loss += class != cifar10_left_out[m] ? log(sum) - z[class] : 0;
        n += class != cifar10_left_out[m];
    }
    for (size_t j = 0; j < CLASSES * WIDTH; j++)
        square += (double)w[j] * w[j];
    return loss / n + self->penalty / 2 * square;
}

static void softmax_gradient(void **state)
{
    (void)state;
    cifar10_images images;
    softmax_lesson lesson = new_lesson(&images, 2);
    softmax self;
    roster_error err;
    roster_rng rng;
    double loss[MODELS];
    float gradient[SOFTMAX_OUTPUTS * WIDTH];
    assert_ok(softmax_init(&self, WIDTH, .25, &err), &err);
    roster_rng_init(&rng, 16, 0, ROSTER_ROLE_SETUP);
    for (size_t j = 0; j < SOFTMAX_OUTPUTS * WIDTH; j++)
        self.weights[j] = noise(&rng) / 2;
    assert_ok(softmax_evaluate(&self, &lesson, loss, gradient, &err), &err);
    for (size_t m = 0; m < MODELS; m++)
        assert_close(loss[m], loss_by_hand(&self, &lesson, m), 1e-6);
    for (size_t j = 0; j < SOFTMAX_OUTPUTS * WIDTH; j++) {
        size_t m = j / (CLASSES * WIDTH);
        float kept = self.weights[j];
        self.weights[j] = kept + 1.f / 1024;
        double up = loss_by_hand(&self, &lesson, m), above = self.weights[j];
        self.weights[j] = kept - 1.f / 1024;
        double down = loss_by_hand(&self, &lesson, m), below = self.weights[j];
        self.weights[j] = kept;
        assert_true(fabs((up - down) / (above - below) - gradient[j]) < 1e-5);
    }
    softmax_fini(&self);
    free_lesson(&lesson);
}

/* The minimum: no gradient left; the same bits for any number of threads; nobody answers what he has not seen. */
static void softmax_learns(void **state)
{
    (void)state;
    float first[SOFTMAX_OUTPUTS * WIDTH], gradient[SOFTMAX_OUTPUTS * WIDTH], scores[IMAGES * SOFTMAX_OUTPUTS];
    static uint8_t said[IMAGES * MODELS];
    double loss[MODELS];
    roster_error err;
    for (unsigned threads = 1; threads <= 3; threads++) {
        cifar10_images images;
        softmax_lesson lesson = new_lesson(&images, threads);
        softmax self;
        assert_ok(softmax_init(&self, WIDTH, .01, &err), &err);
        assert_ok(softmax_train(&self, &lesson, 500, &nobody, &err), &err);
        assert_ok(softmax_evaluate(&self, &lesson, loss, gradient, &err), &err);
        for (size_t j = 0; j < SOFTMAX_OUTPUTS * WIDTH; j++)
            assert_true(fabsf(gradient[j]) < 1e-4f);
        softmax_predict(&self, lesson.rows, IMAGES, scores, said);
        size_t right = 0;
        for (size_t i = 0; i < IMAGES * MODELS; i++) {
            assert_true(said[i] < CLASSES && said[i] != cifar10_left_out[i % MODELS]);
            right += said[i] == cifar10_class(&images, i / MODELS);
        }
        assert_true(right > IMAGES * MODELS / 4);
        if (threads == 1)
            memcpy(first, self.weights, sizeof first);
        assert_memory_equal(first, self.weights, sizeof first);
        softmax_fini(&self);
        free_lesson(&lesson);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_close),        cmocka_unit_test(log_is_close),
        cmocka_unit_test(lbfgs_finds_minimum), cmocka_unit_test(lbfgs_keeps_the_best),
        cmocka_unit_test(softmax_gradient),    cmocka_unit_test(softmax_learns),
    };
    data_parallel_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

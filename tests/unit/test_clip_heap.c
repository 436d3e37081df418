/*
 * test_clip_heap.c: the heap (lib/estimate/clip_heap.c) compared with a plain scan over everything that was ever
 * inserted.
 */
#include "support.h"

#include "clip_heap.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 400, STEPS = 4000 };

/* A heap with its tally and sum, and beside it all that entered, in order. */
typedef struct bench {
    roster_clip_heap heap;
    roster_tally tally;
    roster_clip_entry entered[CELLS];
    size_t count;
    double level, s, lo;
} bench;

static void bench_init(bench *b, double level)
{
    memset(b, 0, sizeof *b);
    b->level = level;
    assert_int_equal(roster_tally_init(&b->tally, 1, CELLS), ROSTER_OK);
    assert_int_equal(roster_tally_reserve(&b->tally, CELLS), ROSTER_OK);
    assert_int_equal(roster_tally_open(&b->tally, 0), 0);
}

static void bench_fini(bench *b)
{
    roster_clip_heap_fini(&b->heap);
    roster_tally_fini(&b->tally);
}

/* A reward in a cell that waits in the heap already: counts at once where the cell is inside. */
static void reward(bench *b, size_t at, double y)
{
    const roster_clip_entry *p = &b->entered[at];
    roster_tally_add(&b->tally, p->cell, 1, y);
    if (p->theta <= b->level)
        roster_add(&b->s, &b->lo, p->coef * y);
}

static void enter(bench *b, double theta, double coef, double y)
{
    roster_clip_entry p = {.theta = theta, .coef = coef, .cell = (b->count * 7) % CELLS}; /* not in order of arrival */
    assert_int_equal(roster_clip_heap_reserve(&b->heap, 1), ROSTER_OK);
    roster_clip_heap_insert(&b->heap, b->level, p);
    b->entered[b->count++] = p;
    reward(b, b->count - 1, y);
}

static void move(bench *b, double level)
{
    b->level = level;
    roster_clip_heap_move(&b->heap, level, &b->tally, &b->s, &b->lo);
}

/* The sum is what a scan gives, and every cell stands on its side of the level. */
static void assert_equals_scan(const bench *b)
{
    double scan = 0, total = 0;
    size_t inside = 0;
    for (size_t i = 0; i < b->count; i++) {
        double mass = b->entered[i].coef * roster_tally_mass(&b->tally, b->entered[i].cell);
        total += mass;
        scan += b->entered[i].theta <= b->level ? mass : 0;
        inside += b->entered[i].theta <= b->level;
    }
    if (!(fabs(b->s + b->lo - scan) <= 1e-12 * fmax(1, total)))
        fail_msg("level %.17g: the heap has %.17g, a scan %.17g", b->level, b->s + b->lo, scan);
    assert_int_equal(b->heap.in, inside);
    assert_int_equal(b->heap.out, b->count - inside);
    for (size_t i = 0; i < b->heap.in; i++)
        assert_true(b->heap.at[i].theta <= b->level);
    for (size_t i = 1; i <= b->heap.out; i++)
        assert_true(b->heap.at[b->heap.capacity - i].theta > b->level);
}

/* Every cell that entered is there once, with what it carries. */
static void assert_nothing_lost(const bench *b)
{
    bool seen[CELLS] = {false};
    for (size_t i = 0; i < b->heap.in + b->heap.out; i++) {
        const roster_clip_entry *p = &b->heap.at[i < b->heap.in ? i : b->heap.capacity - 1 - (i - b->heap.in)];
        assert_false(seen[p->cell]);
        seen[p->cell] = true;
        size_t at = 0;
        while (at < b->count && b->entered[at].cell != p->cell)
            at++;
        assert_true(at < b->count && b->entered[at].theta == p->theta && b->entered[at].coef == p->coef);
    }
}

/* Small steps mostly, as a level makes; leaps at times; and often exactly where a cell stands. */
static double next_level(const bench *b, roster_rng *rng)
{
    switch (roster_rng_below(rng, 5)) {
    case 0:
        return roster_rng_uniform(rng) * 12 - 1;
    case 1:
        return b->count > 0 ? b->entered[roster_rng_below(rng, b->count)].theta : 1;
    default:
        return b->level + (roster_rng_uniform(rng) - 0.5) * 0.2;
    }
}

static void random_step(bench *b, roster_rng *rng)
{
    if (b->count < CELLS && roster_rng_below(rng, 8) == 0) {
        double theta = 10 * roster_rng_uniform(rng);
        theta = roster_rng_below(rng, 2) == 0 ? theta : floor(theta); /* many equal ones */
        enter(b, theta, 3 * roster_rng_uniform(rng), roster_rng_uniform(rng));
    }
    if (b->count > 0 && roster_rng_below(rng, 2) == 0)
        reward(b, (size_t)roster_rng_below(rng, b->count), roster_rng_uniform(rng));
    move(b, next_level(b, rng));
}

static void heap_equals_scan(void **state)
{
    (void)state;
    roster_rng rng;
    for (uint64_t run = 0; run < 10; run++) {
        bench b;
        roster_rng_init(&rng, 21, run, ROSTER_ROLE_SETUP);
        bench_init(&b, 4);
        for (int step = 0; step < STEPS; step++) {
            random_step(&b, &rng);
            assert_equals_scan(&b);
        }
        assert_int_equal(b.count, CELLS);
        assert_nothing_lost(&b);
        bench_fini(&b);
    }
}

static void extreme_levels(void **state)
{
    (void)state;
    roster_rng rng;
    bench b;
    roster_rng_init(&rng, 22, 0, ROSTER_ROLE_SETUP);
    bench_init(&b, INFINITY);
    move(&b, 3); /* an empty heap has nothing to move */
    move(&b, INFINITY);
    assert_true(b.s == 0 && b.lo == 0);
    for (size_t i = 0; i < 100; i++)
        enter(&b, roster_rng_uniform(&rng) * 1e6, roster_rng_uniform(&rng), roster_rng_uniform(&rng));
    const double levels[] = {-INFINITY, INFINITY, -1, 1e300, 0, 5e5, 5e5, -INFINITY};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        move(&b, levels[i]);
        assert_equals_scan(&b);
    }
    assert_true(fabs(b.s + b.lo) < 1e-25); /* all of it taken back leaves nothing a plain sum would */
    bench_fini(&b);
}

static void equal_thetas_move_together(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 0);
    for (size_t i = 0; i < 60; i++)
        enter(&b, (double)(1 + i % 3), 1 + (double)i, 0.5);
    assert_int_equal(b.heap.in, 0);
    const double levels[] = {1, nextafter(2, 0), 2, nextafter(2, 3), 3, nextafter(3, 0), nextafter(1, 0), 3, 1};
    const size_t inside[] = {20, 20, 40, 40, 60, 40, 0, 60, 20};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        move(&b, levels[i]);
        assert_int_equal(b.heap.in, inside[i]);
        assert_equals_scan(&b);
    }
    assert_nothing_lost(&b);
    bench_fini(&b);
}

static void growth_keeps_both_heaps(void **state)
{
    (void)state;
    size_t growths = 0;
    bench b;
    bench_init(&b, 5);
    for (size_t i = 0; i < CELLS; i++) {
        size_t before = b.heap.capacity;
        enter(&b, (double)((i * 37) % 101) / 10, 1, 0.25); /* half of them inside */
        growths += b.heap.capacity != before && b.heap.in > 0 && b.heap.out > 0;
        assert_equals_scan(&b);
        assert_nothing_lost(&b);
    }
    assert_true(growths >= 3);
    assert_int_equal(roster_clip_heap_reserve(&b.heap, SIZE_MAX / 2), ROSTER_ENOMEM);
    assert_nothing_lost(&b);
    for (double level = 10; level > 0; level -= 0.25) {
        move(&b, level);
        assert_equals_scan(&b);
    }
    bench_fini(&b);
}

/* The heap's bytes, measured first. The caller frees. */
static unsigned char *saved(const roster_clip_heap *heap, size_t *size)
{
    roster_writer measure = {0};
    roster_clip_heap_save(heap, &measure);
    unsigned char *bytes = malloc(measure.used);
    assert_non_null(bytes);
    roster_writer w = {.data = bytes, .size = measure.used};
    roster_clip_heap_save(heap, &w);
    *size = w.used;
    return bytes;
}

static void loaded_behaves_like_saved(void **state)
{
    (void)state;
    roster_rng rng;
    bench b;
    roster_rng_init(&rng, 23, 0, ROSTER_ROLE_SETUP);
    bench_init(&b, 4);
    for (int step = 0; step < STEPS / 4; step++)
        random_step(&b, &rng);
    size_t size;
    unsigned char *bytes = saved(&b.heap, &size);
    assert_int_equal(size, 8 + 24 * b.count);
    bench copy = b;
    roster_reader r = {.data = bytes, .size = size};
    copy.heap = (roster_clip_heap){0};
    assert_int_equal(roster_clip_heap_load(&copy.heap, &r, b.level, CELLS), ROSTER_OK);
    assert_false(r.failed);
    assert_int_equal(r.used, size);
    assert_equals_scan(&copy);
    assert_nothing_lost(&copy);
    for (int step = 0; step < STEPS; step++) { /* to the bit: cells cross in the same order */
        double level = next_level(&b, &rng);
        move(&b, level);
        move(&copy, level);
        assert_true(b.s == copy.s && b.lo == copy.lo);
    }
    roster_clip_heap_fini(&copy.heap);
    bench_fini(&b);
    free(bytes);
}

static bool load_fails(const unsigned char *bytes, size_t size, size_t cells)
{
    roster_clip_heap heap = {0};
    roster_reader r = {.data = bytes, .size = size};
    assert_int_equal(roster_clip_heap_load(&heap, &r, 5, cells), ROSTER_OK);
    assert_true(heap.in + heap.out <= heap.capacity);
    roster_clip_heap_fini(&heap);
    return r.failed;
}

static bool spoiled_fails(const unsigned char *bytes, size_t size, size_t at, double number)
{
    unsigned char spoiled[8 + 24 * 3];
    memcpy(spoiled, bytes, size);
    roster_writer w = {.data = spoiled, .size = size, .used = at};
    roster_put_double(&w, number);
    return load_fails(spoiled, size, CELLS);
}

static void damaged_bytes_fail(void **state)
{
    (void)state;
    bench b;
    size_t size;
    bench_init(&b, 5);
    enter(&b, 1, 2, 1); /* cell 0 */
    enter(&b, 7, 1, 1); /* cell 7 */
    enter(&b, 6, 1, 1); /* cell 14 */
    unsigned char *bytes = saved(&b.heap, &size);
    assert_int_equal(size, 8 + 24 * 3);
    assert_false(load_fails(bytes, size, CELLS));
    assert_false(load_fails(bytes, size, 15));
    assert_true(load_fails(bytes, size, 14)); /* a cell that the tally does not have */
    for (size_t cut = 0; cut < size; cut++)
        assert_true(load_fails(bytes, cut, CELLS));
    for (size_t i = 0; i < 3; i++) {
        assert_true(spoiled_fails(bytes, size, 8 + 24 * i, NAN));
        assert_true(spoiled_fails(bytes, size, 8 + 24 * i, INFINITY));
        assert_true(spoiled_fails(bytes, size, 16 + 24 * i, NAN));
        assert_true(spoiled_fails(bytes, size, 16 + 24 * i, -INFINITY));
        assert_true(spoiled_fails(bytes, size, 24 + 24 * i, -1)); /* as a cell's number: huge */
        assert_false(spoiled_fails(bytes, size, 8 + 24 * i, 0.5));
    }
    bytes[7] = 0x80; /* the count */
    assert_true(load_fails(bytes, size, CELLS));
    bench_fini(&b);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_equals_scan),           cmocka_unit_test(extreme_levels),
        cmocka_unit_test(equal_thetas_move_together), cmocka_unit_test(growth_keeps_both_heaps),
        cmocka_unit_test(loaded_behaves_like_saved),  cmocka_unit_test(damaged_bytes_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

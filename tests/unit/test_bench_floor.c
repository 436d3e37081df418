/*
 * test_bench_floor.c: what `roster bench` measures against is the library's world (src/bench/bench_floor.c).
 */
#include "support.h"

#include "bench_floor.h"

/* The floor draws what the library's world draws. */
static void floor_is_the_world(void **state)
{
    (void)state;
    enum { ROUNDS = 2000 };
    roster_world *world;
    floor_world *floor;
    roster_error err;
    roster_rng stream;
    roster_experts *experts = spec_experts();
    const double means[6] = {.1, .9, .4, .5, 0, 1};
    assert_ok(roster_world_create(&world, experts, spec_p, means, &err), &err);
    roster_rng_init(&stream, 3, 7, ROSTER_ROLE_WORLD);
    for (size_t k = 0; k < 3; k++) {
        double sum = 0;
        for (uint64_t t = 1; t <= ROUNDS; t++) {
            roster_event event;
            roster_world_round(world, &stream, t, k, &event);
            sum += event.reward;
        }
        assert_ok(floor_create(&floor, experts, world, spec_p, k, &err), &err);
        assert_true(floor_run(floor, 3, 7, ROUNDS) == sum && sum > 0);
        floor_free(floor);
    }
    roster_world_free(world);
    roster_experts_free(experts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floor_is_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

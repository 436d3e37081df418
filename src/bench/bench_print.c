/*
 * bench_print.c: the figures of `roster bench`, for people and for programs.
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "bench.h"
#include "common_json.h"

static void say_rounds(const bench_results *r)
{
    const bench_plan *plan = r->plan;
    printf("%s: ns per simulated round, %llu rounds, median of %zu (least - largest)\n\n", plan->file->name,
           (unsigned long long)plan->rounds, plan->repeats);
    printf("%-16s %8s %22s %24s\n", "", "ns", "ratio to the floor", "growth");
    printf("%-16s %8.1f\n", "floor", r->rounds->floor.median);
    for (size_t a = 0; a < plan->file->n_agents; a++) {
        const bench_agent *b = &r->rounds->agents[a];
        printf("%-16.16s %8.1f %8.2f (%.2f - %.2f) %10.2f (%.2f - %.2f)\n", b->label, b->ns.median, b->ratio.median,
               b->ratio.least, b->ratio.largest, b->growth.median, b->growth.least, b->growth.largest);
    }
}

static void say_curve(const bench_results *r)
{
    printf("\nns per simulated round, by round\n\n%-18s", "rounds");
    for (size_t a = 0; a < r->plan->file->n_agents; a++)
        printf(" %12.12s", r->plan->instance->agents[a].label);
    for (size_t i = 0; i < r->curve->n; i++) {
        const bench_point *p = &r->curve->points[i];
        printf("\n%8llu - %7llu", (unsigned long long)p->from, (unsigned long long)p->to);
        for (size_t a = 0; a < r->plan->file->n_agents; a++)
            printf(" %12.1f", p->ns[a]);
    }
    printf("\n");
}

static void say_calls(const bench_calls *c)
{
    printf("\nchoose + learn, d-ucb on %d experts, %llu calls: median %.0f ns, 99%% below %.0f, 99.9%% below %.0f, "
           "99.99%% below %.0f; of which the clock takes %.0f\n",
           BENCH_CALL_EXPERTS, (unsigned long long)c->calls, c->median, c->p99, c->p999, c->p9999, c->clock);
}

static void say_events(const bench_events *rows)
{
    printf("\nns per event in process: choose + learn of agents, learn of the rest; %d contexts, %d actions\n\n%8s %7s",
           BENCH_SIDE, BENCH_SIDE, "experts", "events");
    for (size_t i = 0; i < BENCH_LEARNERS; i++)
        printf(" %9s", bench_learners[i]);
    for (size_t row = 0; row < BENCH_EVENT_ROWS; row++) {
        printf("\n%8llu %7llu", (unsigned long long)rows[row].experts, (unsigned long long)rows[row].events);
        for (size_t i = 0; i < BENCH_LEARNERS && rows[row].ns[i] > 0; i++)
            printf(" %9.0f", rows[row].ns[i]);
    }
    printf("\n");
}

static void say_many(const bench_results *r)
{
    printf("\nmany experts: d-ucb, %d contexts, %d actions, ns per simulated round\n\n", BENCH_SIDE, BENCH_SIDE);
    printf("%8s %9s %5s %10s %9s %10s %10s %9s\n", "experts", "rounds", "runs", "set-up s", "run s", "ns/round",
           "ratio", "peak MB");
    for (size_t i = 0; i < r->n_many; i++) {
        const bench_many *c = &r->many[i];
        printf("%8llu %9llu %5llu %10.3f %9.3f %10.1f %10.2f %9.1f\n", (unsigned long long)c->experts,
               (unsigned long long)c->rounds, (unsigned long long)c->runs, c->setup, c->seconds, c->ns, c->ratio,
               c->peak / 1e6);
    }
}

static void say_threads(const bench_threads *t)
{
    printf("\nthreads: %llu runs of all agents take %.2f s on one, %.2f s on two; %.2f times as fast (%.2f - %.2f)\n",
           (unsigned long long)t->runs, t->one.median, t->two.median, t->speedup.median, t->speedup.least,
           t->speedup.largest);
}

void bench_print_text(const bench_results *r)
{
    say_rounds(r);
    if (r->curve != NULL)
        say_curve(r);
    say_calls(r->calls);
    say_events(r->events);
    if (r->n_many > 0)
        say_many(r);
    if (r->threads != NULL)
        say_threads(r->threads);
}

static void write_spread(common_json *json, const char *key, const bench_spread *s)
{
    common_json_open(json, key, '{');
    common_json_number(json, "median", s->median);
    common_json_number(json, "least", s->least);
    common_json_number(json, "largest", s->largest);
    common_json_close(json);
}

static void write_agents(common_json *json, const bench_results *r)
{
    common_json_open(json, "agents", '[');
    for (size_t a = 0; a < r->plan->file->n_agents; a++) {
        const bench_agent *b = &r->rounds->agents[a];
        common_json_open(json, NULL, '{');
        common_json_text(json, "label", b->label);
        write_spread(json, "ns", &b->ns);
        write_spread(json, "ratio", &b->ratio);
        write_spread(json, "growth", &b->growth);
        common_json_close(json);
    }
    common_json_close(json);
}

static void write_curve(common_json *json, const bench_results *r)
{
    common_json_open(json, "curve", '[');
    for (size_t i = 0; i < r->curve->n; i++) {
        const bench_point *p = &r->curve->points[i];
        common_json_open(json, NULL, '{');
        common_json_count(json, "from", p->from);
        common_json_count(json, "to", p->to);
        common_json_numbers(json, "ns", p->ns, r->plan->file->n_agents);
        common_json_close(json);
    }
    common_json_close(json);
}

static void write_calls(common_json *json, const bench_calls *c)
{
    common_json_open(json, "call_ns", '{');
    common_json_count(json, "experts", BENCH_CALL_EXPERTS);
    common_json_count(json, "calls", c->calls);
    common_json_number(json, "clock", c->clock);
    common_json_number(json, "median", c->median);
    common_json_number(json, "p99", c->p99);
    common_json_number(json, "p99.9", c->p999);
    common_json_number(json, "p99.99", c->p9999);
    common_json_close(json);
}

static void write_events(common_json *json, const bench_events *rows)
{
    common_json_open(json, "event_ns", '[');
    for (size_t row = 0; row < BENCH_EVENT_ROWS; row++) {
        common_json_open(json, NULL, '{');
        common_json_count(json, "experts", rows[row].experts);
        common_json_count(json, "events", rows[row].events);
        for (size_t i = 0; i < BENCH_LEARNERS && rows[row].ns[i] > 0; i++)
            common_json_number(json, bench_learners[i], rows[row].ns[i]);
        common_json_close(json);
    }
    common_json_close(json);
}

static void write_many(common_json *json, const bench_results *r)
{
    common_json_open(json, "experts", '[');
    for (size_t i = 0; i < r->n_many; i++) {
        const bench_many *c = &r->many[i];
        common_json_open(json, NULL, '{');
        common_json_count(json, "experts", c->experts);
        common_json_count(json, "rounds", c->rounds);
        common_json_count(json, "runs", c->runs);
        common_json_number(json, "setup_seconds", c->setup);
        common_json_number(json, "run_seconds", c->seconds);
        common_json_number(json, "ns", c->ns);
        common_json_number(json, "ratio", c->ratio);
        common_json_number(json, "peak_bytes", c->peak);
        common_json_close(json);
    }
    common_json_close(json);
}

static void write_threads(common_json *json, const bench_threads *t)
{
    common_json_open(json, "threads", '{');
    common_json_count(json, "runs", t->runs);
    write_spread(json, "one_seconds", &t->one);
    write_spread(json, "two_seconds", &t->two);
    write_spread(json, "speedup", &t->speedup);
    common_json_close(json);
}

void bench_print_json(const bench_results *r)
{
    common_json json = {.out = stdout};
    common_json_open(&json, NULL, '{');
    common_json_text(&json, "version", roster_version());
    common_json_text(&json, "name", r->plan->file->name);
    common_json_count(&json, "rounds", r->plan->rounds);
    common_json_count(&json, "repeats", r->plan->repeats);
    write_spread(&json, "floor_ns", &r->rounds->floor);
    write_agents(&json, r);
    if (r->curve != NULL)
        write_curve(&json, r);
    write_calls(&json, r->calls);
    write_events(&json, r->events);
    if (r->n_many > 0)
        write_many(&json, r);
    if (r->threads != NULL)
        write_threads(&json, r->threads);
    common_json_close(&json);
    common_json_end(&json);
}

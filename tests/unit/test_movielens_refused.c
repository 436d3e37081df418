/*
 * test_movielens_refused.c: every sentence that MovieLens files and options can be refused with
 * (data/movielens_read.c, lines.c, movielens.c, ...).
 */
#include "support.h"
#include "movielens_folder.h"

#include <lzma.h>
#include <stdio.h>

#include "lines.h"
#include "movielens_internal.h"

#define USERS "1::F::1::10::48067\n2::M::56::16::70072\n"
#define MOVIES "1::Toy Story (1995)::Animation|Children's|Comedy\n7::Heat (1995)::Action|Crime|Thriller\n"
#define RATINGS "1::1::5::978300760\n2::7::3::978298413\n"

static const movielens_options usual = {.folder = "ml",
                                        .seed = 1,
                                        .movies = 2,
                                        .quantiles = 10,
                                        .rank = 5,
                                        .tolerance = 1e-4,
                                        .iterations = 10,
                                        .threads = 1};

static void put(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* NULL: there is no such file. */
static void put_all(const char *users, const char *movies, const char *ratings)
{
    const char *texts[] = {users, movies, ratings, NULL};
    for (size_t i = 0; i < 4; i++)
        if (texts[i] != NULL)
            put(folder_files[i], texts[i], strlen(texts[i]));
        else
            unlink(folder_files[i]);
}

static void refused_with(const movielens_options *options, const char *sentence)
{
    movielens *m = (movielens *)&m;
    roster_error err;
    assert_refused(movielens_create(&m, options, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(m);
}

static void refused(const char *users, const char *movies, const char *ratings, const char *sentence)
{
    put_all(users, movies, ratings);
    refused_with(&usual, sentence);
}

static void reads_what_is_there(void **state)
{
    (void)state;
    movielens_raw raw;
    roster_error err;
    /* CR LF, no end of the last line, latin-1, ids up to the largest and not in order, a user and a movie that no
       rating names, colons in a title. */
    put_all("9::F::50::1::x\r\n4294967295::M::18::2::y\r\n3::F::25::3::z\r\n5::M::35::4::",
            "8::Caf\xe9: a::Drama|War|Drama\r\n2::B (1999)::Horror|Romance\n6::C::Thriller",
            "4294967295::6::1::0\n9::8::5::\n3::6::4::nothing\r\n3::8::2::7");
    assert_ok(movielens_read(&raw, "ml", &err), &err);
    assert_int_equal(raw.n_users, 3);
    assert_int_equal(raw.n_movies, 2);
    assert_int_equal(raw.n_ratings, 4);
    assert_true(raw.users[0].id == 3 && raw.users[1].id == 9 && raw.users[2].id == 4294967295);
    assert_true(raw.users[0].group == 2 && raw.users[1].group == 3 && raw.users[2].group == 1);
    assert_true(raw.movies[0].id == 6 && raw.movies[0].group == 1 << 6);
    assert_true(raw.movies[1].id == 8 && raw.movies[1].group == 1 << 3);
    static const uint32_t expected[4][3] = {{0, 0, 4}, {0, 1, 2}, {1, 1, 5}, {2, 0, 1}};
    for (size_t i = 0; i < 4; i++)
        assert_true(raw.ratings[i].user == expected[i][0] && raw.ratings[i].movie == expected[i][1] &&
                    raw.ratings[i].stars == expected[i][2]);
    movielens_raw_fini(&raw);
}

static void knows_every_age_and_genre(void **state)
{
    (void)state;
    static const uint32_t groups[] = {0, 1, 2, 2, 2, 3, 3};
    movielens_raw raw;
    roster_error err;
    put_all(
        "1::F::1::1::x\n2::F::18::1::x\n3::F::25::1::x\n4::F::35::1::x\n5::F::45::1::x\n6::F::50::1::x\n7::F::56::1::x",
        "1::A::Action|Adventure|Animation|Children's|Comedy|Crime|Documentary|Drama|Fantasy|Film-Noir|Horror|Musical|"
        "Mystery|Romance|Sci-Fi|Thriller|War|Western\n2::B::Sci-Fi\n3::C::Children's\n",
        "1::1::1::0\n2::2::1::0\n3::3::1::0\n4::1::1::0\n5::1::1::0\n6::1::1::0\n7::1::1::0\n");
    assert_ok(movielens_read(&raw, "ml", &err), &err);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(raw.users[i].group, groups[i]);
    assert_int_equal(raw.movies[0].group, (1 << MOVIELENS_GENRES) - 1);
    assert_int_equal(raw.movies[1].group, 0);
    assert_int_equal(raw.movies[2].group, 1 << 1);
    assert_string_equal(movielens_genres[1], "Children");
    movielens_raw_fini(&raw);
}

static void files_must_be_there(void **state)
{
    (void)state;
    movielens_options options = usual;
    char longer[5000];
    refused(NULL, MOVIES, RATINGS, "ml/users.dat: cannot be opened (No such file or directory)");
    refused(USERS, NULL, RATINGS, "ml/movies.dat: cannot be opened (No such file or directory)");
    refused(USERS, MOVIES, NULL, "ml/ratings.dat: cannot be opened (No such file or directory)");
    refused("", MOVIES, RATINGS, "ml/users.dat: is empty");
    refused(USERS, "", RATINGS, "ml/movies.dat: is empty");
    refused(USERS, MOVIES, "", "ml/ratings.dat: is empty");
    unlink(folder_files[2]);
    assert_int_equal(mkdir(folder_files[2], 0700), 0);
    refused_with(&usual, "ml/ratings.dat: cannot be read (Is a directory)");
    assert_int_equal(rmdir(folder_files[2]), 0);
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    options.folder = longer;
    refused_with(&options, "the path of users.dat is longer than 4095 bytes");
}

static void users_are_checked(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1::F::1::10\n", "1: has 4 fields, must have 5: UserID::Gender::Age::Occupation::Zip-code"},
        {"1::F::1::10::4::8\n", "1: has 6 fields, must have 5: UserID::Gender::Age::Occupation::Zip-code"},
        {USERS "\n", "3: has 1 field, must have 5: UserID::Gender::Age::Occupation::Zip-code"},
        {"x::F::1::10::4\n", "1: user id is x, must be a whole number from 1 to 4294967295"},
        {"0::F::1::10::4\n", "1: user id is 0, must be a whole number from 1 to 4294967295"},
        {"-1::F::1::10::4\n", "1: user id is -1, must be a whole number from 1 to 4294967295"},
        {"::F::1::10::4\n", "1: user id is empty, must be a whole number from 1 to 4294967295"},
        {" 1::F::1::10::4\n", "1: user id is  1, must be a whole number from 1 to 4294967295"},
        {"4294967296::F::1::10::4\n", "1: user id is 4294967296, must be a whole number from 1 to 4294967295"},
        {"99999999999999999999::F::1::10::4\n",
         "1: user id is 99999999999999999999, must be a whole number from 1 to 4294967295"},
        {"\t\xe9::F::1::10::4\n", "1: user id is ??, must be a whole number from 1 to 4294967295"},
        {USERS "3::F::30::10::4\n", "3: age code is 30, must be 1, 18, 25, 35, 45, 50 or 56"},
        {"3::F::old::10::4\n", "1: age code is old, must be 1, 18, 25, 35, 45, 50 or 56"},
        {"5::F::1::1::1\n" USERS "5::M::1::1::1\n2::F::1::1::1\n", "4: user 5 is on line 1 already"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[300];
        snprintf(sentence, sizeof sentence, "ml/users.dat:%s", cases[i][1]);
        refused(cases[i][0], MOVIES, RATINGS, sentence);
    }
}

static void movies_are_checked(void **state)
{
    (void)state;
#define KNOWN                                                                                                          \
    "must be Action, Adventure, Animation, Children's, Comedy, Crime, Documentary, Drama, Fantasy, Film-Noir, "        \
    "Horror, "                                                                                                         \
    "Musical, Mystery, Romance, Sci-Fi, Thriller, War or Western"
    static const char *const cases[][2] = {
        {"1::Heat (1995)\n", "1: has 2 fields, must have 3: MovieID::Title::Genre|Genre"},
        {"1::Heat::2 (1995)::Drama\n", "1: has 4 fields, must have 3: MovieID::Title::Genre|Genre"},
        {"1.5::Heat (1995)::Drama\n", "1: movie id is 1.5, must be a whole number from 1 to 4294967295"},
        {MOVIES "9::Heat (1995)::Children\n", "3: genre is Children, " KNOWN},
        {"9::Heat (1995)::Drama|\n", "1: genre is empty, " KNOWN},
        {"9::Heat (1995)::Drama|war\n", "1: genre is war, " KNOWN},
        {"9::Heat (1995)::0123456789012345678901234567890123456789more\n",
         "1: genre is 0123456789012345678901234567890123456789, " KNOWN},
        {MOVIES "7::Heat (1995)::Drama\n", "3: movie 7 is on line 2 already"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[400];
        snprintf(sentence, sizeof sentence, "ml/movies.dat:%s", cases[i][1]);
        refused(USERS, cases[i][0], RATINGS, sentence);
    }
}

static void ratings_are_checked(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1::1::5\n", "1: has 3 fields, must have 4: UserID::MovieID::Rating::Timestamp"},
        {"1,1,5,0\n", "1: has 1 field, must have 4: UserID::MovieID::Rating::Timestamp"},
        {RATINGS "1::7::9::0\n", "3: rating is 9, must be a whole number from 1 to 5"},
        {"1::7::0::0\n", "1: rating is 0, must be a whole number from 1 to 5"},
        {"1::7::4.5::0\n", "1: rating is 4.5, must be a whole number from 1 to 5"},
        {"1::7::::0\n", "1: rating is empty, must be a whole number from 1 to 5"},
        {"a::7::1::0\n", "1: user id is a, must be a whole number from 1 to 4294967295"},
        {"1::b::1::0\n", "1: movie id is b, must be a whole number from 1 to 4294967295"},
        {RATINGS "3::7::1::0\n", "3: user id is 3, which is not in users.dat"},
        {"1::3::1::0\n", "1: movie id is 3, which is not in movies.dat"},
        {"1::8::1::0\n", "1: movie id is 8, which is not in movies.dat"},
        {RATINGS "1::7::2::0\n2::7::1::0\n1::1::5::1\n", "4: user 2 rated movie 7 on line 2 already"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[300];
        snprintf(sentence, sizeof sentence, "ml/ratings.dat:%s", cases[i][1]);
        refused(USERS, MOVIES, cases[i][0], sentence);
    }
}

static void lines_are_checked(void **state)
{
    (void)state;
    static const char nul[] = "1::F::1::10::48067\n2::M::56\0::16::70072\n";
    enum { LONG = LINES_LONGEST };
    char line[LONG + 3] = "1::F::1::10::";
    movielens_raw raw = {.n_users = 0};
    roster_error err;
    put_all(USERS, MOVIES, RATINGS);
    put(folder_files[0], nul, sizeof nul - 1);
    refused_with(&usual, "ml/users.dat:2: has a NUL byte, must be text");
    memset(line + strlen(line), '7', sizeof line - strlen(line));
    put(folder_files[0], line, LONG + 1);
    refused_with(&usual, "ml/users.dat:1: is longer than 1000 bytes");
    line[LONG] = '\n';
    put(folder_files[0], line, LONG + 1);
    FILE *file = fopen(folder_files[0], "rb");
    assert_ok(movielens_read_users(&raw, file, "users", &err), &err);
    assert_int_equal(raw.n_users, 1);
    fclose(file);
    movielens_raw_fini(&raw);
}

static size_t pack(const char *text, uint8_t *out, size_t room)
{
    size_t n = 0;
    assert_int_equal(
        lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, strlen(text), out, &n, room),
        LZMA_OK);
    return n;
}

/* In one stream, and in two with a line that begins in one and ends in the other. */
static void packed_equals_plain(void **state)
{
    (void)state;
    static const char *const halves[][2] = {{RATINGS "1::7::1::0\n", ""}, {RATINGS "1::", "7::1::0\n"}};
    movielens_raw plain, unpacked;
    uint8_t packed[4000];
    roster_error err;
    put_all(USERS, MOVIES, halves[0][0]);
    assert_ok(movielens_read(&plain, "ml", &err), &err);
    unlink(folder_files[2]);
    for (size_t i = 0; i < 2; i++) {
        size_t n = pack(halves[i][0], packed, sizeof packed);
        n += pack(halves[i][1], packed + n, sizeof packed - n);
        put(folder_files[3], packed, n);
        assert_ok(movielens_read(&unpacked, "ml", &err), &err);
        assert_true(unpacked.n_ratings == 3 && plain.n_ratings == 3);
        assert_memory_equal(unpacked.ratings, plain.ratings, 3 * sizeof *plain.ratings);
        movielens_raw_fini(&unpacked);
    }
    movielens_raw_fini(&plain);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    uint8_t packed[2000];
    movielens_raw raw;
    roster_error err;
    size_t n = pack(RATINGS, packed, sizeof packed);
    put_all(USERS, MOVIES, NULL);
    put(folder_files[3], packed, n);
    assert_ok(movielens_read(&raw, "ml", &err), &err);
    assert_int_equal(raw.n_ratings, 2);
    movielens_raw_fini(&raw);
    for (size_t cut = 0; cut < n; cut++) {
        put(folder_files[3], packed, cut);
        refused_with(&usual, "ml/ratings.dat.xz: is not an xz file, or is damaged");
    }
    for (size_t i = 0; i < n; i++) {
        packed[i] ^= 0x10;
        put(folder_files[3], packed, n);
        refused_with(&usual, "ml/ratings.dat.xz: is not an xz file, or is damaged");
        packed[i] ^= 0x10;
    }
    put(folder_files[3], RATINGS, sizeof RATINGS - 1);
    refused_with(&usual, "ml/ratings.dat.xz: is not an xz file, or is damaged");
    n = pack("1::1::5::0\n2::8::1::0\n", packed, sizeof packed);
    put(folder_files[3], packed, n);
    refused_with(&usual, "ml/ratings.dat.xz:2: movie id is 8, which is not in movies.dat");
    put(folder_files[3], packed, pack("", packed, sizeof packed));
    refused_with(&usual, "ml/ratings.dat.xz: is empty");
}

static void every_cell_needs_someone(void **state)
{
    (void)state;
    refused(USERS, MOVIES, RATINGS, "no user of age 18-24 has rated a movie");
    refused(USERS "3::F::18::0::0\n4::F::25::0::0\n", MOVIES, RATINGS "3::7::1::0\n4::7::1::0\n",
            "none of the 2 movies that are kept has the genre Drama");
    refused(USERS "3::F::18::0::0\n4::F::25::0::0\n", MOVIES, RATINGS, "no user of age 18-24 has rated a movie");
}

/* Four ratings are the fewest that there can be. */
static void small_sets_hold_nothing_out(void **state)
{
    (void)state;
    movielens_options options = usual;
    movielens *m;
    roster_error err;
    char text[1000] = "";
    FILE *out = tmpfile();
    options.movies = 1;
    options.rank = SIZE_MAX;
    put_all(USERS "3::F::18::0::0\n4::F::25::0::0\n", "5::A::Action|Children's|Comedy|Drama|Horror|Romance|Thriller\n",
            "1::5::5::0\n2::5::5::0\n3::5::5::0\n4::5::2::0\n");
    assert_ok(movielens_create(&m, &options, &err), &err);
    movielens_write_summary(m, out);
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    assert_non_null(strstr(text, "4 users, 1 movies, 4 ratings\n"));
    assert_non_null(strstr(text, "too few ratings to hold any out\n1 movies kept, the last with median 1.0000\n"));
    assert_non_null(strstr(text, "\n0-17                1    1.0000    1.0000"));
    assert_non_null(strstr(text, "\n25-49               1    0.4080    0.4000    0.4000    0.4080    0.4000"));
    fclose(out);
    movielens_free(m);
}

static void options_are_checked(void **state)
{
    (void)state;
    movielens_options options = usual;
    put_all(USERS, MOVIES "8::More::Drama\n", RATINGS);
    options.movies = 0;
    refused_with(&options, "movies is 0, must be at least 1");
    options.movies = 3;
    refused_with(&options, "movies is 3, must be at most 2: no more have ratings");
    options = usual;
    options.quantiles = 0;
    refused_with(&options, "quantiles is 0, must be at least 1");
    options = usual;
    options.rank = 0;
    refused_with(&options, "rank is 0, must be at least 1");
    options = usual;
    options.iterations = 0;
    refused_with(&options, "iterations is 0, must be at least 1");
    options = usual;
    options.tolerance = 0;
    refused_with(&options, "tolerance is 0, must be above 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_there),         cmocka_unit_test(knows_every_age_and_genre),
        cmocka_unit_test(files_must_be_there),         cmocka_unit_test(users_are_checked),
        cmocka_unit_test(movies_are_checked),          cmocka_unit_test(ratings_are_checked),
        cmocka_unit_test(lines_are_checked),           cmocka_unit_test(packed_equals_plain),
        cmocka_unit_test(damaged_files_are_refused),   cmocka_unit_test(every_cell_needs_someone),
        cmocka_unit_test(small_sets_hold_nothing_out), cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, enter_movielens, leave_movielens);
}

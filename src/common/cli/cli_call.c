/*
 * cli_call.c: from the words of a command line to a cli_call, checked against the command's tables.
 *
 * Options may stand anywhere behind the command: --name ARGUMENT, --name=ARGUMENT, and -o ARGUMENT, -oARGUMENT for
 * those with a letter; `--` ends them; `-` alone is an argument (standard input). An option may be given once. A word
 * that begins with `--` is never taken for an option's argument, so a forgotten one is noticed; --name=--word says that
 * it is meant.
 *
 * Paper: none. Cost: words x options.
 * Check: tests/cli/frame.t.
 */
#include "cli_program.h"

#include "nearest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One letter means the same in every command, so that the list stands here and not in each. */
static const struct {
    char letter;
    const char *option;
} letters[] = {{'o', "out"}, {'h', "help"}};

char cli_letter(const char *option)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (strcmp(letters[i].option, option) == 0)
            return letters[i].letter;
    return '\0';
}

char cli_joint(const cli_command *command)
{
    return command->alone ? '-' : ' ';
}

static void say(const cli_command *command, const char *format, va_list args)
{
    fflush(stdout);
    if (command != NULL)
        fprintf(stderr, "roster%c%s: ", cli_joint(command), command->name);
    else
        fputs("roster: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int cli_usage(const cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command, format, args);
    va_end(args);
    return 2;
}

int cli_fail(const cli_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(call->command, format, args);
    va_end(args);
    return 1;
}

/* An argument of an option that may be given several times. */
typedef struct cli_repeated {
    const cli_option *option;
    const char *value;
} cli_repeated;

static size_t option_count(const cli_command *command)
{
    size_t n = 0;
    while (command->options != NULL && command->options[n].name != NULL)
        n++;
    return n;
}

/* A word of the command line that is an option. */
typedef struct word {
    const char *text;  /* as it was written             */
    size_t form;       /* letters of text before a '='  */
    const char *value; /* behind a '='; NULL: there is none */
} word;

static word take_apart(const char *text)
{
    word w = {text, strcspn(text, "="), NULL};
    bool is_short = text[1] != '-';
    if (is_short)
        w.form = 2;
    if (text[w.form] != '\0')
        w.value = text + w.form + (text[w.form] == '=');
    return w;
}

static bool is_named(const word *w, const char *option)
{
    if (w->text[1] != '-')
        return w->text[1] == cli_letter(option);
    return w->form == 2 + strlen(option) && strncmp(w->text + 2, option, w->form - 2) == 0;
}

static int refuse_unknown(const cli_command *command, const word *w)
{
    char name[64] = "";
    if (w->text[1] == '-' && w->form - 2 < sizeof name)
        memcpy(name, w->text + 2, w->form - 2);
    common_nearest meant = {name, NULL, 0};
    for (size_t i = 0; name[0] != '\0' && i < option_count(command); i++)
        common_nearest_try(&meant, command->options[i].name);
    if (name[0] != '\0')
        common_nearest_try(&meant, "help");
    if (meant.best != NULL)
        return cli_usage(command, "unknown option '%.*s', did you mean '--%s'?", (int)w->form, w->text, meant.best);
    return cli_usage(command, "unknown option '%.*s'; `roster%c%s --help` lists all", (int)w->form, w->text,
                     cli_joint(command), command->name);
}

static bool repeats(const cli_option *option)
{
    size_t n = option->argument != NULL ? strlen(option->argument) : 0;
    return n > 3 && strcmp(option->argument + n - 3, "...") == 0;
}

/* The option's argument: behind its '=', or the next word. */
static int take_value(const cli_command *command, const cli_option *option, const word *w, int argc, char **argv,
                      int *at, const char **value)
{
    if (*value != NULL && option->argument != NULL && strstr(option->argument, ",..") != NULL)
        return cli_usage(command, "option --%s is given twice; separate several values by commas: --%s %s",
                         option->name, option->name, option->argument);
    if (*value != NULL && !repeats(option))
        return cli_usage(command, "option --%s is given twice", option->name);
    *value = NULL;
    if (option->argument == NULL && w->value != NULL)
        return cli_usage(command, "option --%s takes no argument, but has '%s'", option->name, w->value);
    if (option->argument == NULL)
        *value = "";
    else if (w->value != NULL)
        *value = w->value;
    else if (*at + 1 < argc && strncmp(argv[*at + 1], "--", 2) != 0)
        *value = argv[++*at];
    if (option->argument != NULL && (*value == NULL || (*value)[0] == '\0')) /* "" is an unset shell variable */
        return cli_usage(command, "option --%s needs an argument: --%s %s", option->name, option->name,
                         option->argument);
    return 0;
}

static int take_option(cli_call *call, int argc, char **argv, int *at, const char **values, cli_repeated *repeated)
{
    const cli_command *command = call->command;
    word w = take_apart(argv[*at]);
    const char *help = NULL;
    for (size_t i = 0; i < option_count(command); i++) {
        const cli_option *option = &command->options[i];
        if (!is_named(&w, option->name))
            continue;
        int code = take_value(command, option, &w, argc, argv, at, &values[i]);
        if (code == 0 && repeats(option))
            repeated[call->n_repeated++] = (cli_repeated){option, values[i]};
        return code;
    }
    if (is_named(&w, cli_help_option.name))
        return take_value(command, &cli_help_option, &w, argc, argv, at, &help);
    return refuse_unknown(command, &w);
}

static int check_args(const cli_command *command, size_t n, const char *const *args)
{
    if (n < command->least)
        return cli_usage(command, "an argument is missing: roster%c%s %s", cli_joint(command), command->name,
                         command->arguments);
    if (n > command->most && command->most == 0)
        return cli_usage(command, "takes no arguments, but has '%s'", args[0]);
    if (n > command->most)
        return cli_usage(command, "unexpected argument '%s': roster%c%s %s", args[command->most], cli_joint(command),
                         command->name, command->arguments);
    return 0;
}

/* Appends to a text of n letters; out is NULL while letters are only counted. */
static void append(char *out, size_t *n, const char *text, size_t size)
{
    if (out != NULL)
        memcpy(out + *n, text, size);
    *n += size;
}

/* A word as a shell takes it, into out (may be NULL); returns its letters. */
static size_t put_word(const char *text, char *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
    size_t n = 0;
    bool quote = text[0] == '\0' || text[strspn(text, plain)] != '\0';
    append(out, &n, "'", quote);
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '\'')
            append(out, &n, "'\\''", 4);
        else
            append(out, &n, c, 1);
    append(out, &n, "'", quote);
    return n;
}

/* The command line, to be typed again; owned by the caller, NULL: out of memory. */
static char *join(const cli_command *command, int argc, char **argv)
{
    char program[64];
    snprintf(program, sizeof program, command->alone ? "roster-%s" : "roster", command->name);
    size_t size = strlen(program) + 1;
    for (int i = 1; i < argc; i++)
        size += 1 + put_word(argv[i], NULL);
    char *line = malloc(size);
    if (line == NULL)
        return NULL;
    size_t n = put_word(program, line);
    for (int i = 1; i < argc; i++) {
        line[n++] = ' ';
        n += put_word(argv[i], line + n);
    }
    line[n] = '\0';
    return line;
}

static bool asks_for_help(int first, int argc, char **argv)
{
    for (int i = first; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int cli_call_init(cli_call *call, const cli_command *command, int argc, char **argv, bool *help)
{
    int first = command->alone ? 1 : 2;
    *help = asks_for_help(first, argc, argv);
    const char **args = calloc((size_t)argc + 1, sizeof *args);
    const char **values = calloc(option_count(command) + 1, sizeof *values);
    cli_repeated *repeated = calloc((size_t)argc + 1, sizeof *repeated);
    *call = (cli_call){
        .command = command, .args = args, .values = values, .repeated = repeated, .line = join(command, argc, argv)};
    if (args == NULL || values == NULL || repeated == NULL || call->line == NULL)
        return cli_fail(call, "out of memory");
    int code = 0;
    bool ended = false;
    for (int at = first; at < argc && code == 0 && !*help; at++) {
        if (!ended && strcmp(argv[at], "--") == 0)
            ended = true;
        else if (!ended && argv[at][0] == '-' && argv[at][1] != '\0')
            code = take_option(call, argc, argv, &at, values, repeated);
        else
            args[call->n_args++] = argv[at];
    }
    return code == 0 && !*help ? check_args(command, call->n_args, args) : code;
}

void cli_call_fini(cli_call *call)
{
    free((void *)call->args);
    free((void *)call->values);
    free((void *)(uintptr_t)call->repeated);
    free((void *)call->line);
}

const char *cli_value(const cli_call *call, const char *option)
{
    for (size_t i = 0; i < option_count(call->command); i++)
        if (strcmp(call->command->options[i].name, option) == 0)
            return call->values[i];
    return NULL;
}

const char *cli_value_at(const cli_call *call, const char *option, size_t i)
{
    for (size_t k = 0; k < call->n_repeated; k++)
        if (strcmp(call->repeated[k].option->name, option) == 0 && i-- == 0)
            return call->repeated[k].value;
    return NULL;
}

int cli_count(const cli_call *call, const char *option, uint64_t least, uint64_t most, uint64_t *out)
{
    const char *text = cli_value(call, option);
    if (text == NULL)
        return 0;
    errno = 0;
    uint64_t number = strtoull(text, NULL, 10);
    bool is_number = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' && errno == 0;
    if (!is_number || number < least || number > most)
        return cli_usage(call->command, "--%s is '%s', must be a whole number from %" PRIu64 " to %" PRIu64, option,
                         text, least, most);
    *out = number;
    return 0;
}

int cli_number(const cli_call *call, const char *option, double least, double most, double *out)
{
    const char *text = cli_value(call, option);
    if (text == NULL)
        return 0;
    char *end;
    double number = strtod(text, &end);
    bool is_number = end != text && *end == '\0' && strpbrk(text, " \t\n\v\f\r") == NULL;
    if (!is_number || !(number >= least && number <= most))
        return cli_usage(call->command, "--%s is '%s', must be a number from %g to %g", option, text, least, most);
    *out = number;
    return 0;
}

int cli_threads(const cli_call *call, uint64_t *out)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *out = cores > 0 ? (uint64_t)cores : 1;
    return cli_count(call, "threads", 1, 1024, out);
}

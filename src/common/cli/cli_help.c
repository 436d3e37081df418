/*
 * cli_help.c: what --help prints, from the tables of the commands, in lines of at most 80 columns.
 *
 * Paper: none. Cost: the length of the text.
 * Check: tests/cli/frame.t, and the first case of the other files there.
 */
#include "cli_program.h"

#include "utf8.h"

#include <string.h>

const cli_option cli_help_option = {"help", NULL, "Show this help and stop."};

static void pad(FILE *out, size_t *column, size_t to)
{
    for (; *column < to; ++*column)
        fputc(' ', out);
}

static void wrap(FILE *out, const char *text, const char *end, size_t indent, size_t column)
{
    bool first = true;
    while (text < end) {
        size_t blank = strspn(text, " \n");
        size_t size = strcspn(text + blank, " \n");
        text += blank;
        if (text + size > end)
            size = text < end ? (size_t)(end - text) : 0;
        if (size == 0)
            break;
        if (!first && column + 1 + utf8_columns(text, size) > CLI_COLUMNS) {
            fputc('\n', out);
            column = 0;
            first = true;
        }
        pad(out, &column, first ? indent : column + 1);
        fwrite(text, 1, size, out);
        column += utf8_columns(text, size);
        text += size;
        first = false;
    }
    fputc('\n', out);
}

void cli_wrap(FILE *out, const char *text, size_t indent, size_t column)
{
    wrap(out, text, text + strlen(text), indent, column);
}

const char *cli_paragraph(const char *text, const char **next)
{
    while (*text == '\n')
        text++;
    if (*text == '\0')
        return NULL;
    const char *end = strstr(text, "\n\n");
    if (end == NULL)
        end = text + strlen(text);
    *next = end;
    return end;
}

bool cli_example_next(const char **at, cli_example *example)
{
    const char *line = *at + strspn(*at, " \n");
    if (*line == '\0')
        return false;
    const char *end = line + strcspn(line, "\n");
    const char *mark = strstr(line, " # ");
    *example = (cli_example){line, end, NULL, end};
    if (mark != NULL && mark < end) {
        example->what = mark + 3;
        for (example->command_end = mark; example->command_end[-1] == ' ';)
            example->command_end--;
    }
    *at = end;
    return true;
}

/* A left column of `width`, then the text beside it, or below where the left column is too wide. */
static void print_entry(FILE *out, const char *left, const char *text, size_t width)
{
    fprintf(out, "  %s", left);
    size_t column = 2 + utf8_columns(left, strlen(left));
    if (column + 2 > width) {
        fputc('\n', out);
        column = 0;
    }
    cli_wrap(out, text, width, column);
}

size_t cli_option_form(const cli_option *option, char *form, size_t size)
{
    char letter = cli_letter(option->name);
    int n = snprintf(form, size, "%.*s%.*s%s--%s%s%s", letter != '\0', "-", letter != '\0', &letter,
                     letter != '\0' ? ", " : "", option->name, option->argument != NULL ? " " : "",
                     option->argument != NULL ? option->argument : "");
    return n < 0 ? 0 : (size_t)n;
}

static void print_options(FILE *out, const cli_command *command)
{
    char form[64];
    size_t width = 2 + cli_option_form(&cli_help_option, form, sizeof form) + 2;
    for (const cli_option *o = command->options; o != NULL && o->name != NULL; o++) {
        size_t needed = 2 + cli_option_form(o, form, sizeof form) + 2;
        if (needed > width && needed <= 26)
            width = needed;
    }
    fputs("\nOptions:\n", out);
    for (const cli_option *o = command->options; o != NULL && o->name != NULL; o++) {
        cli_option_form(o, form, sizeof form);
        print_entry(out, form, o->help, width);
    }
    cli_option_form(&cli_help_option, form, sizeof form);
    print_entry(out, form, cli_help_option.help, width);
}

static void print_description(FILE *out, const char *text)
{
    const char *next = text;
    for (const char *end; (end = cli_paragraph(text, &next)) != NULL; text = next) {
        text += strspn(text, "\n");
        fputc('\n', out);
        if (*text == ' ')
            fprintf(out, "%.*s\n", (int)(end - text), text);
        else
            wrap(out, text, end, 0, 0);
    }
}

static void print_examples(FILE *out, const char *examples)
{
    cli_example e;
    fputs("\nExamples:\n", out);
    while (cli_example_next(&examples, &e)) {
        fprintf(out, "  %.*s\n", (int)(e.command_end - e.command), e.command);
        if (e.what != NULL)
            wrap(out, e.what, e.end, 6, 0);
    }
}

void cli_synopsis(FILE *out, const cli_command *command)
{
    bool options = command->options != NULL && command->options[0].name != NULL;
    fprintf(out, "roster%c%s%s%s%s", cli_joint(command), command->name, command->arguments[0] != '\0' ? " " : "",
            command->arguments, options ? " [OPTION...]" : "");
}

void cli_help_command(FILE *out, const cli_command *command)
{
    int n = fprintf(out, "roster%c%s: ", cli_joint(command), command->name);
    cli_wrap(out, command->summary, 2, (size_t)n - 1);
    fputs("\nusage: ", out);
    cli_synopsis(out, command);
    fputs("\n", out);
    if (command->description != NULL)
        print_description(out, command->description);
    print_options(out, command);
    if (command->examples != NULL)
        print_examples(out, command->examples);
}

void cli_help_overview(FILE *out, const cli_command *const *commands)
{
    fputs("usage: roster COMMAND [ARGUMENT...] [OPTION...]\n\n", out);
    cli_wrap(out, "roster finds out online, at little cost, which of many stochastic experts serves best.", 0, 0);
    fputs("\nCommands:\n", out);
    for (const cli_command *const *c = commands; *c != NULL; c++)
        print_entry(out, (*c)->name, (*c)->summary, 14);
    print_entry(out, "help", "explain a command: roster help COMMAND", 14);
    fputs("\nOptions:\n", out);
    print_entry(out, "--help", "show this help; after a command, the help of that command", 14);
    print_entry(out, "--version", "show the version", 14);
    fputs("\nExit codes: 0 success, 1 the input is wrong, 2 the command line is wrong.\n", out);
}

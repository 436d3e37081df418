/*
 * command_completion.c: `roster completion bash|zsh|fish`: what the shell offers behind Tab, from the tables of the
 * commands.
 *
 * The word by which a table calls an argument says what to offer (cli.h).
 *
 * Paper: none.
 * Check: tests/cli/completion.t has bash complete some lines.
 */
#include "commands.h"

#include <string.h>

typedef enum offer { OFFER_NOTHING, OFFER_FILES, OFFER_FOLDERS, OFFER_WORDS } offer;

static offer offer_of(const char *argument)
{
    if (strchr(argument, '|') != NULL || strstr(argument, "NAME") != NULL)
        return OFFER_WORDS;
    if (strstr(argument, "DIR") != NULL)
        return OFFER_FOLDERS;
    return strstr(argument, "FILE") != NULL || strstr(argument, "LOG") != NULL ? OFFER_FILES : OFFER_NOTHING;
}

/* The words of an argument, separated by spaces. */
static void put_words(const char *argument)
{
    const roster_agent_info *info;
    if (strchr(argument, '|') != NULL)
        for (; *argument != '\0'; argument++)
            putchar(*argument == '|' ? ' ' : *argument);
    else
        for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++)
            printf("%s%s", i > 0 ? " " : "", info->name);
}

static void put_commands(const char *separator)
{
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        printf("%s%s", c == cli_commands ? "" : separator, (*c)->name);
}

/* Up to the first full stop, inside of single quotes; every letter of `special` is escaped with a backslash. */
static void put_quoted(const char *text, const char *special, const char *quote)
{
    for (; *text != '\0' && !(*text == '.' && (text[1] == ' ' || text[1] == '\0')); text++) {
        if (*text == '\'')
            fputs(quote, stdout);
        else if (strchr(special, *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void put_bash_offer(const char *argument)
{
    static const char *const words[] = {"kind=none", "kind=default", "kind=dirnames", "kind=words words='"};
    offer o = offer_of(argument);
    fputs(words[o], stdout);
    if (o == OFFER_WORDS) {
        put_words(argument);
        putchar('\'');
    }
    fputs(" ;;\n", stdout);
}

static void put_bash_command(const cli_command *command)
{
    printf("    %s)\n        options='", command->name);
    for (const cli_option *o = command->options; o->name != NULL; o++)
        printf("--%s ", o->name);
    fputs("--help'\n        case $prev in\n", stdout);
    for (const cli_option *o = command->options; o->name != NULL; o++) {
        if (o->argument == NULL)
            continue;
        printf("        --%s", o->name);
        if (cli_letter(o->name) != '\0')
            printf(" | -%c", cli_letter(o->name));
        fputs(") options='' ", stdout);
        put_bash_offer(o->argument);
    }
    fputs("        *) ", stdout);
    put_bash_offer(command->arguments);
    fputs("        esac\n        ;;\n", stdout);
}

static void put_bash(void)
{
    fputs("# bash completion of roster, made by `roster completion bash`\n"
          "_roster()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} options='' kind=none words=''\n"
          "    COMPREPLY=()\n"
          "    if [[ $COMP_CWORD -gt 2 && $cur == = ]]; then\n        cur=''\n"
          "    elif [[ $COMP_CWORD -gt 3 && $prev == = ]]; then\n        prev=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
          "    if [[ $COMP_CWORD -eq 1 ]]; then\n        COMPREPLY=($(compgen -W '",
          stdout);
    put_commands(" ");
    fputs(" help --help --version' -- \"$cur\"))\n        return\n    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          stdout);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        put_bash_command(*c);
    fputs("    help) kind=words words='", stdout);
    put_commands(" ");
    fputs("' ;;\n    esac\n"
          "    if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
          "    elif [[ $kind == words ]]; then\n        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    elif [[ $kind != none ]]; then\n        compopt -o \"$kind\"\n    fi\n}\ncomplete -F _roster roster\n",
          stdout);
}

static void put_zsh_offer(const char *argument)
{
    static const char *const actions[] = {" ", "_files", "_files -/", "("};
    offer o = offer_of(argument);
    printf(":%s:%s", argument, actions[o]);
    if (o == OFFER_WORDS) {
        put_words(argument);
        putchar(')');
    }
}

static void put_zsh_option(const cli_option *option)
{
    char letter = cli_letter(option->name);
    const char *equals = option->argument != NULL ? "=" : "";
    fputs(" \\\n            ", stdout);
    if (letter != '\0')
        printf("'(-%c --%s)'{-%c%s,--%s%s}'[", letter, option->name, letter, option->argument != NULL ? "+" : "",
               option->name, equals);
    else
        printf("'--%s%s[", option->name, equals);
    put_quoted(option->help, "[]\\", "'\\''");
    putchar(']');
    if (option->argument != NULL)
        put_zsh_offer(option->argument);
    putchar('\'');
}

static void put_zsh(void)
{
    fputs("#compdef roster\n# zsh completion of roster, made by `roster completion zsh`\n"
          "_roster()\n{\n    if (( CURRENT == 2 )); then\n        local -a commands\n        commands=(\n",
          stdout);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++) {
        printf("            '%s:", (*c)->name);
        put_quoted((*c)->summary, ":\\", "'\\''");
        fputs("'\n", stdout);
    }
    fputs(
        "            'help:explain a command'\n        )\n        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    words=(\"${(@)words[2,-1]}\")\n    (( CURRENT-- ))\n    case $command in\n",
        stdout);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++) {
        printf("    %s)\n        _arguments", (*c)->name);
        for (const cli_option *o = (*c)->options; o->name != NULL; o++)
            put_zsh_option(o);
        put_zsh_option(&cli_help_option);
        if ((*c)->most > 0) {
            printf(" \\\n            '%s", (*c)->most > 1 ? "*" : "1");
            put_zsh_offer((*c)->arguments);
            putchar('\'');
        }
        fputs("\n        ;;\n", stdout);
    }
    fputs("    help) _arguments '1:COMMAND:(", stdout);
    put_commands(" ");
    fputs(")' ;;\n    esac\n}\n[[ $funcstack[1] == _roster ]] && _roster \"$@\" || compdef _roster roster\n", stdout);
}

static void put_fish_offer(const char *argument, const char *file_switch)
{
    switch (offer_of(argument)) {
    case OFFER_NOTHING:
        fputs(" -x", stdout);
        break;
    case OFFER_FILES:
        printf(" %s", file_switch);
        break;
    case OFFER_FOLDERS:
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
        break;
    case OFFER_WORDS:
        fputs(" -x -a '", stdout);
        put_words(argument);
        putchar('\'');
    }
}

static void put_fish_option(const char *command, const cli_option *option)
{
    printf("complete -c roster -n '__fish_seen_subcommand_from %s' -l %s", command, option->name);
    if (cli_letter(option->name) != '\0')
        printf(" -s %c", cli_letter(option->name));
    if (option->argument != NULL)
        put_fish_offer(option->argument, "-r -F");
    fputs(" -d '", stdout);
    put_quoted(option->help, "\\", "\\'");
    fputs("'\n", stdout);
}

static void put_fish(void)
{
    fputs("# fish completion of roster, made by `roster completion fish`\ncomplete -c roster -f\n", stdout);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++) {
        printf("complete -c roster -n __fish_use_subcommand -a %s -d '", (*c)->name);
        put_quoted((*c)->summary, "\\", "\\'");
        fputs("'\n", stdout);
        for (const cli_option *o = (*c)->options; o->name != NULL; o++)
            put_fish_option((*c)->name, o);
        put_fish_option((*c)->name, &cli_help_option);
        if (offer_of((*c)->arguments) == OFFER_NOTHING)
            continue;
        printf("complete -c roster -n '__fish_seen_subcommand_from %s'", (*c)->name);
        put_fish_offer((*c)->arguments, "-F");
        fputc('\n', stdout);
    }
    fputs("complete -c roster -n __fish_use_subcommand -l version -d 'Show the version'\n"
          "complete -c roster -n __fish_use_subcommand -a help -d 'explain a command'\n"
          "complete -c roster -n '__fish_seen_subcommand_from help' -x -a '",
          stdout);
    put_commands(" ");
    fputs("'\n", stdout);
}

static const struct {
    const char *name;
    void (*put)(void);
} shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};

static int run(const cli_call *call)
{
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(call->args[0], shells[i].name) == 0) {
            shells[i].put();
            return 0;
        }
    return cli_usage(call->command, "unknown shell '%s', must be bash, zsh or fish", call->args[0]);
}

static const cli_option options[] = {{.name = NULL}};

const cli_command command_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "print a script that completes commands and options in a shell",
    .description =
        "Prints what makes Tab complete commands, options, files and names of agents. `make install` puts it where the "
        "shells look for it.",
    .examples = "eval \"$(roster completion bash)\"  # for this session, or in ~/.bashrc\n"
                "roster completion fish | source  # the same in fish",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};

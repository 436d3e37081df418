/*
 * service_code.c: what can go wrong, as a word, an HTTP status and a sentence: one table each.
 *
 * Paper: none.
 * Check: tests/unit/test_service_refused.c: every_code_has_its_word.
 */
#include "service_internal.h"

#include <string.h>

static const struct {
    const char *word;
    int status;
} codes[] = {
    [SERVICE_OK] = {"ok", 200},
    [SERVICE_MEMORY] = {"out-of-memory", 503},
    [SERVICE_SYNTAX] = {"bad-json", 400},
    [SERVICE_INVALID] = {"invalid", 400},
    [SERVICE_UNKNOWN_CONTEXT] = {"unknown-context", 422},
    [SERVICE_NOT_DISTRIBUTION] = {"not-a-distribution", 422},
    [SERVICE_NO_CAMPAIGN] = {"unknown-campaign", 404},
    [SERVICE_NO_ROSTER] = {"unknown-roster", 404},
    [SERVICE_EXISTS] = {"exists", 409},
    [SERVICE_CONFLICT] = {"event-conflict", 409},
    [SERVICE_ARCHIVED] = {"archived", 410},
    [SERVICE_CANNOT_SAY] = {"cannot-say", 409},
    [SERVICE_LIMIT] = {"limit", 422},
    [SERVICE_STORE] = {"store", 503},
    [SERVICE_DAMAGED] = {"damaged", 500},
    [SERVICE_QUOTA] = {"quota", 429},
    [SERVICE_BUSY] = {"busy", 503},
    [SERVICE_OPEN] = {"event-open", 409},
    [SERVICE_NO_EVENT] = {"unknown-event", 404},
    [SERVICE_NO_EXPERT] = {"unknown-expert", 404},
    [SERVICE_OVER] = {"event-over", 410},
};

static const struct {
    const char *word;
    int status;
} statuses[SERVICE_STATUSES] = {
    [SERVICE_JOINED] = {"joined", 200},
    [SERVICE_DUPLICATE] = {"duplicate", 409},
    [SERVICE_LATE] = {"late", 410},
    [SERVICE_UNKNOWN] = {"unknown", 404},
    [SERVICE_OUT_OF_RANGE] = {"out-of-range", 422},
};

const char *service_code_word(service_code code)
{
    return codes[code].word;
}

int service_code_status(service_code code)
{
    return codes[code].status;
}

const char *service_status_word(service_status status)
{
    return statuses[status].word;
}

int service_status_http(service_status status)
{
    return statuses[status].status;
}

/* Sentences go to terminals and into JSON: what clients sent is shown as plain ASCII. */
static void clean(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || (unsigned char)*text > '~')
            *text = '?';
}

service_code service_fail(service_error *err, service_code code, const char *format, ...)
{
    if (err == NULL)
        return code;
    va_list args;
    va_start(args, format);
    common_vformat(err->msg, sizeof err->msg, format, args);
    va_end(args);
    clean(err->msg);
    err->code = code;
    return code;
}

service_code service_no_memory(service_error *err)
{
    return service_fail(err, SERVICE_MEMORY, "out of memory");
}

service_code service_pass(const roster_error *from, service_code code, service_error *err)
{
    return from->code == ROSTER_ENOMEM ? service_no_memory(err) : service_fail(err, code, "%s", from->msg);
}

void service_put_refusal(common_text *out, const char *code, const char *message)
{
    common_put_text(out, "{\"error\":{\"code\":");
    common_put_string(out, code);
    common_put_text(out, ",\"message\":");
    common_put_string(out, message);
    common_put_text(out, "}}");
}

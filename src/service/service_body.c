/*
 * service_body.c: bodies of requests that are read as a tree: campaigns, rosters, samples, controls.
 *
 * The depth is checked before the tree is built. What was accepted once and comes from the log is not checked again.
 *
 * Paper: none.
 * Cost: one look at every byte.
 * Check: tests/unit/test_service_refused.c, tests/http/limits.py.
 */
#include "service_internal.h"

service_code service_check_depth(const char *text, size_t size, const char *what, service_error *err)
{
    bool quoted = false;
    int depth = 0;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (quoted)
            i += c == '\\'; /* what is escaped ends nothing */
        if (c == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        if (depth > SERVICE_DEPTH_MOST)
            return service_fail(err, SERVICE_SYNTAX, "%s: byte %zu opens more than %d levels, the most that is allowed",
                                what, i, SERVICE_DEPTH_MOST);
    }
    return SERVICE_OK;
}

service_code service_load_body(json_t **out, const char *text, size_t size, const char *what, service_error *err)
{
    roster_error wrong;
    service_code code = service_check_depth(text, size, what, err);
    if (code == SERVICE_OK && common_load_text(out, text, size, what, &wrong) != ROSTER_OK)
        code = service_pass(&wrong, SERVICE_SYNTAX, err);
    return code;
}

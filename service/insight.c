/*
 * insight.c: what a campaign knows, for people: as JSON.
 *
 * Paper: none.
 * Check: tests/test_service_insight.c.
 */
#include "engine.h"

void service_campaigns_json(const service *self, service_text *out)
{
    (void)self;
    service_put_text(out, "{\"campaigns\":[]}");
}

service_code service_campaign_json(service *self, service_campaign *c, service_text *out, service_error *err)
{
    (void)self;
    (void)c;
    (void)err;
    service_put_text(out, "{}");
    return SERVICE_OK;
}

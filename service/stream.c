#include "engine.h"

service_code service_events(const service *self, store *log, const service_campaign *campaign, uint64_t after,
                            size_t most, service_format format, service_text *out, uint64_t *next, service_error *err)
{
    (void)self, (void)log, (void)campaign, (void)most, (void)format, (void)out, (void)err;
    *next = after;
    return SERVICE_OK;
}

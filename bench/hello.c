/*
 * hello.c: the smallest server of libmicrohttpd, to compare with: answers "hello" to everything. `hello PORT`.
 *
 * Paper: none.
 */
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct MHD_Response *hello;

/* The answer is queued at the last call: at the first one the connection would be closed. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **request)
{
    static int seen;
    (void)context, (void)url, (void)method, (void)version, (void)data, (void)size;
    if (*request == NULL) {
        *request = &seen;
        return MHD_YES;
    }
    return MHD_queue_response(connection, 200, hello);
}

int main(int argc, char **argv)
{
    static char words[] = "hello";
    if (argc != 2)
        return fprintf(stderr, "usage: hello PORT\n"), 2;
    hello = MHD_create_response_from_buffer(sizeof words - 1, words, MHD_RESPMEM_PERSISTENT);
    if (hello == NULL || MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)atoi(argv[1]), NULL, NULL, handle,
                                          NULL, MHD_OPTION_END) == NULL)
        return fprintf(stderr, "hello: cannot listen\n"), 1;
    pause();
    return 0;
}

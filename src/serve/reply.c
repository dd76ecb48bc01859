
#include "serve/reply.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <unistd.h>

#include "serve/deadlines.h"
#include "serve/listeners.h"
#include "serve/range.h"
#include "serve/target.h"

static const struct reply_status {
    int code;
    const char *reason;
} ok = {200, "OK"}, partial = {206, "Partial Content"}, found = {302, "Found"}, not_modified = {304, "Not Modified"},
  bad = {400, "Bad Request"}, forbidden = {403, "Forbidden"}, not_found = {404, "Not Found"},
  no_method = {405, "Method Not Allowed"}, no_condition = {412, "Precondition Failed"},
  no_range = {416, "Range Not Satisfiable"}, misdirected = {421, "Misdirected Request"},
  failed = {500, "Internal Server Error"}, busy = {503, "Service Unavailable"};

static void set_header(struct evhttp_request *request, const char *name, const char *value) {
    evhttp_add_header(evhttp_request_get_output_headers(request), name, value);
}

__attribute__((format(printf, 3, 4))) static void set_headerf(struct evhttp_request *request, const char *name,
                                                              const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *value = mem_vprintf(format, args);
    va_end(args);
    set_header(request, name, value);
    mem_free(value);
}

static struct slice get_header(struct evhttp_request *request, const char *name) {
    return slice_str(evhttp_find_header(evhttp_request_get_input_headers(request), name));
}

/* Our pages have a stricter policy in their head. This one also applies to others' pages, such as the reference's,
 * which contain scripts: whatever a page does, it cannot contact another host, and no page of another host can embed
 * it. */
static const char content_policy[] =
    "default-src 'self' 'unsafe-inline' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'";

static void set_common(struct evhttp_request *request) {
    set_header(request, "Content-Security-Policy", content_policy);
    set_header(request, "Cache-Control", "no-cache");
    set_header(request, "Cross-Origin-Resource-Policy", "same-origin");
    set_header(request, "Referrer-Policy", "no-referrer");
    set_header(request, "X-Content-Type-Options", "nosniff");
}

/* Sends the output buffer. A HEAD request gets the same headers. Reading is disabled until everything has been sent:
 * otherwise, evhttp would drop the response when the client closes its half, and buffer whatever the client sends
 * meanwhile. */
static void finish(struct evhttp_request *request, const struct reply_status *status) {
    struct evhttp_connection *connection = evhttp_request_get_connection(request);
    evhttp_send_reply(request, status->code, status->reason, NULL);
    bufferevent_disable(evhttp_connection_get_bufferevent(connection), EV_READ);
}

/* A response that is not a file: one line with the reason. */
static void refuse(struct evhttp_request *request, const struct reply_status *status, const char *why) {
    struct evbuffer *body = evhttp_request_get_output_buffer(request);
    char *text = mem_printf("%d %s%s%s\n", status->code, status->reason, why ? ": " : "", why ? why : "");
    set_header(request, "Content-Type", "text/plain; charset=utf-8");
    set_headerf(request, "Content-Length", "%zu", strlen(text));
    if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
        evbuffer_add(body, text, strlen(text));
    mem_free(text);
    finish(request, status);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Adds a part of the file after the headers without reading it: the kernel copies it to the socket. Takes ownership of
 * fd. */
static bool add_file(struct evhttp_request *request, int fd, const struct range *range) {
    struct evbuffer *body = evhttp_request_get_output_buffer(request);
    struct evbuffer_file_segment *segment =
        evbuffer_file_segment_new(fd, (ev_off_t)range->first, (ev_off_t)range->bytes, EVBUF_FS_CLOSE_ON_FREE);
    if (!segment) {
        close(fd);
        return false;
    }
    evbuffer_set_flags(body, EVBUFFER_FLAG_DRAINS_TO_FD); /* otherwise, it is mapped into memory */
    bool added = evbuffer_add_file_segment(body, segment, 0, (ev_off_t)range->bytes) == 0;
    evbuffer_file_segment_free(segment); /* the buffer holds a reference */
    return added;
}

static void send_bytes(struct evhttp_request *request, const struct static_file *file, const struct range *range,
                       const struct reply_status *status) {
    bool with_body = evhttp_request_get_command(request) != EVHTTP_REQ_HEAD && range->bytes > 0;
    if (with_body && !add_file(request, file->fd, range)) {
        refuse(request, &failed, NULL);
        return;
    }
    if (!with_body)
        close(file->fd);
    if (status == &partial)
        set_headerf(request, "Content-Range", "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, range->first,
                    (range->first + range->bytes - 1), file->bytes);
    set_header(request, "Accept-Ranges", "bytes");
    set_header(request, "Content-Type", file->type);
    set_headerf(request, "Content-Length", "%" PRIu64, range->bytes);
    finish(request, status);
}

static void set_validator(struct evhttp_request *request, const struct validator *validator) {
    char date[CONDITIONS_DATE_BYTES];
    conditions_add_date(date, validator->mtime_s);
    set_header(request, "ETag", validator->etag);
    set_header(request, "Last-Modified", date);
}

/* Takes ownership of the file's descriptor. */
static void send_file(struct evhttp_request *request, const struct static_file *file) {
    const struct conditions conditions = {.if_match = get_header(request, "If-Match"),
                                          .if_none_match = get_header(request, "If-None-Match"),
                                          .if_modified_since = get_header(request, "If-Modified-Since"),
                                          .if_unmodified_since = get_header(request, "If-Unmodified-Since"),
                                          .if_range = get_header(request, "If-Range")};
    enum conditions_result result = conditions_check(&conditions, &file->validator);
    struct slice asked =
        evhttp_request_get_command(request) == EVHTTP_REQ_GET && conditions_range_stands(&conditions, &file->validator)
            ? get_header(request, "Range")
            : (struct slice){0};
    struct range range;
    enum range_kind kind = range_parse(asked, file->bytes, &range);
    if (result == CONDITIONS_SEND && kind != RANGE_OUTSIDE) {
        set_validator(request, &file->validator);
        send_bytes(request, file, &range, kind == RANGE_PART ? &partial : &ok);
        return;
    }
    close(file->fd);
    if (result == CONDITIONS_NOT_MODIFIED) {
        set_validator(request, &file->validator);
        finish(request, &not_modified);
    } else if (result == CONDITIONS_FAILED) {
        refuse(request, &no_condition, NULL);
    } else {
        set_headerf(request, "Content-Range", "bytes */%" PRIu64, file->bytes);
        refuse(request, &no_range, NULL);
    }
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

/* Redirects to the same folder with a trailing '/'. The address is relative, so it works behind a proxy. */
static void send_to_folder(struct evhttp_request *request, const struct target *target) {
    AUTO_BUF place = {0};
    buf_add_lit(&place, "./");
    path_add_url(&place, path_last(buf_slice(&target->path)));
    BUF_ADD(&place, "/", target->query);
    buf_add_byte(&place, '\0');
    set_header(request, "Location", place.ptr);
    refuse(request, &found, NULL);
}

/* Browsers request this path. If the report has such a file, it is sent. */
static void send_icon(struct evhttp_request *request) {
    static const char icon[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\">"
                               "<rect width=\"16\" height=\"16\" rx=\"3\" fill=\"#b4460e\"/>"
                               "<path d=\"M2 4.5h12M4 8h8M6 11.5h4\" stroke=\"#fff\" stroke-width=\"2\"/></svg>\n";
    set_header(request, "Content-Type", "image/svg+xml; charset=utf-8");
    set_headerf(request, "Content-Length", "%zu", sizeof icon - 1);
    if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
        evbuffer_add(evhttp_request_get_output_buffer(request), icon, sizeof icon - 1);
    finish(request, &ok);
}

static void send_nothing(struct evhttp_request *request, const struct target *target) {
    if (slice_is(buf_slice(&target->path), "favicon.ico"))
        send_icon(request);
    else
        refuse(request, &not_found, NULL);
}

static void send_path(struct evhttp_request *request, struct static_root *root, struct slice path,
                      const struct target *target) {
    struct static_file file;
    switch (static_file_open(root, path, target->folder, &file)) {
    case STATIC_FILE:
        send_file(request, &file);
        break;
    case STATIC_FOLDER:
        send_to_folder(request, target);
        break;
    case STATIC_NOWHERE:
        send_nothing(request, target);
        break;
    case STATIC_FORBIDDEN:
        refuse(request, &forbidden, NULL);
        break;
    case STATIC_BUSY:
        refuse(request, &busy, NULL);
        break;
    case STATIC_FAILED:
        refuse(request, &failed, NULL);
        break;
    }
}

/* Sends a text made for this request. */
static void send_body(struct evhttp_request *request, const struct site_answer *answer) {
    struct slice text = buf_slice(&answer->body);
    set_header(request, "Content-Type", answer->type);
    if (answer->refresh_s)
        set_headerf(request, "Refresh", "%u; url=./",
                    answer->refresh_s); /* an address with a '#' would not be loaded again */
    set_headerf(request, "Content-Length", "%zu", text.len);
    if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
        evbuffer_add(evhttp_request_get_output_buffer(request), text.ptr, text.len);
    finish(request, &ok);
}

static void send_target(struct evhttp_request *request, struct reply_context *context, const struct target *target) {
    struct site_answer answer = {.kind = SITE_NOWHERE};
    if (!context->site) {
        send_path(request, &context->root, buf_slice(&target->path), target);
        return;
    }
    context->site->find(context->site->context, buf_slice(&target->path), target->folder, &answer);
    switch (answer.kind) {
    case SITE_BODY:
        send_body(request, &answer);
        break;
    case SITE_FILE:
        send_path(request, answer.root, answer.path, target);
        break;
    case SITE_FOLDER:
        send_to_folder(request, target);
        break;
    case SITE_EVENTS:
        if (evhttp_request_get_command(request) == EVHTTP_REQ_HEAD) {
            set_header(request, "Content-Type", "text/event-stream");
            finish(request, &ok);
        } else if (!listeners_add(context->listeners, request, buf_slice(&answer.body))) {
            refuse(request, &busy, NULL);
        }
        break;
    case SITE_NOWHERE:
        send_nothing(request, target);
        break;
    }
    buf_free(&answer.body);
}

/* RFC 9110, 5.6.2 */
static bool is_token(const char *text) {
    return *text &&
           !text[strspn(text, "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")];
}

/* Whether every server agrees on where the request ends (request smuggling). Otherwise, the body that a proxy sees may
 * be the next request here: evhttp uses the first of two lengths, accepts "+5" as a length, reads no body of a HEAD
 * request, and ignores unknown encodings and header names. Clients that request files send no encoding. */
static bool is_clear(struct evhttp_request *request) {
    const struct evkeyvalq *headers = evhttp_request_get_input_headers(request);
    const char *digits = evhttp_request_get_command(request) == EVHTTP_REQ_HEAD ? "0" : "0123456789";
    size_t lengths = 0;
    for (const struct evkeyval *header = headers->tqh_first; header; header = header->next.tqe_next) {
        bool length = evutil_ascii_strcasecmp(header->key, "Content-Length") == 0;
        lengths += length;
        if (!is_token(header->key) || lengths > 1 || (length && header->value[strspn(header->value, digits)]) ||
            evutil_ascii_strcasecmp(header->key, "Transfer-Encoding") == 0)
            return false;
    }
    return true;
}

/* There must be exactly one Host header. It, and the host of a proxy request, must be accepted. Returns false if the
 * request was refused. */
static bool check_host(struct evhttp_request *request, const struct reply_context *context, struct slice authority) {
    const struct evkeyvalq *headers = evhttp_request_get_input_headers(request);
    size_t count = 0;
    for (const struct evkeyval *header = headers->tqh_first; header; header = header->next.tqe_next)
        count += evutil_ascii_strcasecmp(header->key, "Host") == 0;
    if (count != 1) {
        refuse(request, &bad, "one Host is needed");
        return false;
    }
    if (host_is_ours(&context->hosts, get_header(request, "Host")) &&
        (!authority.ptr || host_is_ours(&context->hosts, authority)))
        return true;
    char *why = mem_printf("this report is at %s", context->url);
    refuse(request, &misdirected, why);
    mem_free(why);
    return false;
}

void reply_send(struct evhttp_request *request, void *context) {
    struct reply_context *common = context;
    deadlines_met(common->deadlines, request);
    enum evhttp_cmd_type method = evhttp_request_get_command(request);
    struct target target;
    enum target_kind kind = target_parse(slice_str(evhttp_request_get_uri(request)), &target);
    set_common(request);
    if (!is_clear(request)) {
        set_header(request, "Connection", "close"); /* the following bytes may not be a request */
        refuse(request, &bad, "the end of the request is not clear");
    } else if (!check_host(request, common, target.authority)) {
        /* refused */
    } else if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
        set_header(request, "Allow", "GET, HEAD");
        refuse(request, &no_method, NULL);
    } else if (kind == TARGET_PATH) {
        send_target(request, common, &target);
    } else {
        refuse(request, kind == TARGET_WRONG ? &bad : &not_found, NULL);
    }
    target_finish(&target);
}

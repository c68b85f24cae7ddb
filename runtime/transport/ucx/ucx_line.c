/* Sends and receives frames on the streams of UCX (ucx_line.h). After an invalid header on a line,
 * nothing more is read from this line. */
#define _GNU_SOURCE /* setenv, open_memstream */
#include "ucx_line.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/allocate.h"
#include "stream.h"

enum { GRACE_NS = 1000000000, POLLS = 16, TOGETHER_BYTES = 8000 };

/* ---- receiving ---- */

static bool begin_payload(struct ucx_line *line)
{
	const struct frame_bounds bounds = {*line->session, line->next_in, line->length_max};
	struct frame frame;
	uint32_t version;

	if (frame_read(line->header, &bounds, &frame, &version) != FRAME_GOOD)
		return false;
	line->payload = extent_new(frame.length);
	line->payload_filled = 0;
	return true;
}

static uint32_t ucx_line_fill(
	void *to, uint32_t filled, uint32_t size, const uint8_t *from, size_t length)
{
	uint32_t count = length < size - filled ? (uint32_t)length : size - filled;

	memcpy((uint8_t *)to + filled, from, count);
	return count;
}

/* Takes bytes of one header and payload. Returns the number of bytes taken. */
static size_t take_some(struct ucx_line *line, const uint8_t *bytes, size_t length)
{
	uint32_t taken = 0;

	if (line->header_filled < FRAME_HEADER_BYTES) {
		taken = ucx_line_fill(
			line->header, line->header_filled, FRAME_HEADER_BYTES, bytes, length);
		line->header_filled += taken;
		if (line->header_filled < FRAME_HEADER_BYTES)
			return taken;
		if (!begin_payload(line)) {
			line->heard(line, line->header, (struct span){0});
			ucx_line_leave(line, false);
			return length;
		}
	}
	if (line->payload->length > line->payload_filled) {
		uint32_t more = ucx_line_fill(line->payload->bytes, line->payload_filled,
			line->payload->length, bytes + taken, length - taken);

		line->payload_filled += more;
		taken += more;
	}
	if (line->payload_filled == line->payload->length) {
		struct span payload = span_of(line->payload);

		line->payload = NULL;
		line->header_filled = 0;
		line->next_in++;
		line->heard(line, line->header, payload);
	}
	return taken;
}

static bool ucx_line_read_line(struct ucx_line *line)
{
	const struct ucx_api *api = line->ucx->api;
	bool some = false;
	size_t length;
	void *data;

	while (!line->closing && (data = api->ucp_stream_recv_data_nb(line->endpoint, &length))) {
		if (UCS_PTR_IS_ERR(data)) {
			line->failed = true;
			break;
		}
		some = true;
		for (size_t at = 0; at < length && !line->over;)
			at += take_some(line, (uint8_t *)data + at, length - at);
		api->ucp_stream_data_release(line->endpoint, data);
	}
	return some;
}

static bool ucx_line_read_all(struct ucx *ucx)
{
	ucp_stream_poll_ep_t ready[POLLS];
	bool some = false;
	ssize_t count;

	while ((count = ucx->api->ucp_stream_worker_poll(ucx->worker, ready, POLLS, 0)) > 0)
		for (ssize_t i = 0; i < count; i++)
			some |= ucx_line_read_line(ready[i].user_data);
	return some;
}

/* ---- closing lines ---- */

static void ucx_line_fail(void *argument, ucp_ep_h endpoint, ucs_status_t status)
{
	(void)endpoint;
	(void)status;
	((struct ucx_line *)argument)->failed = true;
}

static void end_endpoint(struct ucx_line *line)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_EP_CLOSE_FLAG_FORCE};
	void *request = line->ucx->api->ucp_ep_close_nbx(line->endpoint, &param);

	line->closing = UCS_PTR_IS_PTR(request) ? request : line;
}

static bool has_ended(struct ucx_line *line)
{
	const struct ucx_api *api = line->ucx->api;

	if (line->sending > 0 || !line->closing)
		return false;
	if (line->closing == line)
		return true;
	if (api->ucp_request_check_status(line->closing) == UCS_INPROGRESS)
		return false;
	api->ucp_request_free(line->closing);
	return true;
}

/* Reports failed lines to their owners. Closes and frees lines that were left. */
static bool ucx_line_look_after(struct ucx *ucx)
{
	bool some = false;

	for (struct ucx_line **at = &ucx->lines; *at;) {
		struct ucx_line *line = *at;

		if (line->failed && !line->ended) {
			line->ended = some = true;
			if (!line->over)
				line->lost(line);
		}
		if (line->over && !line->closing &&
			(line->failed || line->over_ns <= world->now_ns()))
			end_endpoint(line);
		if (line->over && has_ended(line)) {
			*at = line->next;
			extent_release(line->payload);
			free(line);
		} else {
			at = &line->next;
		}
	}
	return some;
}

bool ucx_hear(struct ucx *ucx)
{
	bool some = false;

	if (!ucx->worker)
		return false;
	while (ucx->api->ucp_worker_progress(ucx->worker) > 0)
		some = true;
	some |= ucx_line_read_all(ucx);
	some |= ucx_line_look_after(ucx);
	return some;
}

static bool is_sending(const struct ucx *ucx)
{
	for (const struct ucx_line *line = ucx->lines; line; line = line->next)
		if (line->sending > 0)
			return true;
	return false;
}

/* Receives messages until the UCX worker can be armed. From then on, its descriptor reports
 * everything that arrives. The worker cannot be armed while frames of this end wait for room in the
 * other end's queue. The other end's process may need this core to make room, so this thread yields
 * the core. */
static bool hear_and_arm(struct ucx *ucx)
{
	bool some = ucx_hear(ucx);

	while (ucx->api->ucp_worker_arm(ucx->worker) == UCS_ERR_BUSY) {
		bool more = ucx_hear(ucx);

		some |= more;
		if (!more && is_sending(ucx))
			(void)sched_yield();
	}
	return some;
}

uint32_t ucx_list(struct ucx *ucx, struct pollfd *polls)
{
	ucx->used_ns = world->now_ns();
	if (ucx->worker && hear_and_arm(ucx))
		end_ring(ucx->end);
	polls[0] = (struct pollfd){ucx->worker ? ucx->fd : -1, POLLIN, 0};
	return 1;
}

/* ---- the thread that receives while no call is in progress ---- */

enum { IDLE_MS = 2, TICK_MS = 10, LEAVING_MS = 100 };

static void *ucx_line_hear_meanwhile(void *argument)
{
	struct ucx *ucx = argument;
	struct end *end = ucx->end;

	while (!atomic_load(&ucx->stop)) {
		struct pollfd polls[2] = {{ucx->stop_fd, POLLIN, 0}, {ucx->fd, POLLIN, 0}};
		bool is_polled, is_used;

		pthread_mutex_lock(&end->mutex);
		is_polled = end->polling;
		is_used = is_polled || ucx->used_ns + IDLE_MS * 1000000 > world->now_ns();
		if (!is_used && hear_and_arm(ucx))
			pthread_cond_broadcast(&end->changed);
		pthread_mutex_unlock(&end->mutex);
		(void)poll(polls, is_used ? 1 : 2,
			is_polled ? TICK_MS
			: is_used ? IDLE_MS
				  : LEAVING_MS);
	}
	return NULL;
}

/* ---- workers ---- */

enum status ucx_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why)
{
	enum status status =
		stream_resolve(settings->address, settings->remote, address, length, why);

	if (status != STATUS_OK || (ucx_api() && !settings->remote))
		return status;
	if (why)
		text_append(why, settings->remote
					 ? "some bytes of a stranger end a process that "
					   "listens over UCX: only this machine may connect"
					 : "UCX is not on this machine");
	return STATUS_UNSUPPORTED;
}

static enum status open_worker(struct ucx *ucx, const struct ucx_style *style)
{
	const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
		.features = UCP_FEATURE_STREAM | UCP_FEATURE_WAKEUP};
	const ucp_worker_params_t worker = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
		.thread_mode = UCS_THREAD_MODE_SERIALIZED};
	const struct ucx_api *api = ucx->api;
	ucp_config_t *config;
	ucs_status_t status = api->ucp_config_read(NULL, NULL, &config);

	if (status != UCS_OK)
		return STATUS_IO;
	status = api->ucp_config_modify(config, "TLS", style->transports);
	if (status == UCS_OK)
		status = api->ucp_config_modify(config, "NET_DEVICES", "lo");
	if (status == UCS_OK)
		status = api->ucp_init_version(
			UCP_API_MAJOR, UCP_API_MINOR, &params, config, &ucx->context);
	api->ucp_config_release(config);
	if (status == UCS_OK)
		status = api->ucp_worker_create(ucx->context, &worker, &ucx->worker);
	if (status == UCS_OK)
		status = api->ucp_worker_get_efd(ucx->worker, &ucx->fd);
	return status == UCS_OK ? STATUS_OK : STATUS_IO;
}

enum status ucx_open(struct ucx *ucx, const struct ucx_style *style, struct end *end)
{
	enum status status;

	*ucx = (struct ucx){.api = ucx_api(), .end = end, .fd = -1, .stop_fd = -1};
	/* UCX uses shared memory for connections whose other end may fail only if this environment
	 * variable is set; there is no other way to set this option. */
	if (strstr(style->transports, "posix"))
		(void)setenv("UCX_POSIX_ERROR_HANDLING", "y", 0);
	status = open_worker(ucx, style);
	if (status != STATUS_OK)
		return status;
	ucx->stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	ucx->has_thread = ucx->stop_fd >= 0 &&
			  pthread_create(&ucx->thread, NULL, ucx_line_hear_meanwhile, ucx) == 0;
	return ucx->has_thread ? STATUS_OK : STATUS_IO;
}

void ucx_close(struct ucx *ucx)
{
	int64_t deadline_ns = world->now_ns() + GRACE_NS;
	const uint64_t one = 1;

	if (ucx->has_thread) {
		atomic_store(&ucx->stop, true);
		(void)!write(ucx->stop_fd, &one, sizeof one);
		pthread_join(ucx->thread, NULL);
	}
	if (ucx->stop_fd >= 0)
		close(ucx->stop_fd);
	for (struct ucx_line *line = ucx->lines; line; line = line->next) {
		line->over = line->ended = true;
		line->over_ns = 0;
	}
	while (ucx->lines && world->now_ns() < deadline_ns)
		ucx_hear(ucx);
	if (ucx->worker)
		ucx->api->ucp_worker_destroy(ucx->worker);
	if (ucx->context)
		ucx->api->ucp_cleanup(ucx->context);
	*ucx = (struct ucx){.fd = -1, .stop_fd = -1};
}

/* ---- lines ---- */

struct ucx_line *ucx_line_new(struct ucx *ucx, const struct sockaddr_storage *address,
	socklen_t length, ucp_conn_request_h knock)
{
	struct ucx_line *line = allocate(1, sizeof *line);
	ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
						UCP_EP_PARAM_FIELD_ERR_HANDLER |
						UCP_EP_PARAM_FIELD_USER_DATA,
		.err_mode = UCP_ERR_HANDLING_MODE_PEER,
		.err_handler = {ucx_line_fail, line},
		.user_data = line};

	if (knock) {
		params.field_mask |= UCP_EP_PARAM_FIELD_CONN_REQUEST;
		params.conn_request = knock;
	} else {
		params.field_mask |= UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR;
		params.flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER;
		params.sockaddr.addr = (const struct sockaddr *)address;
		params.sockaddr.addrlen = length;
	}
	line->ucx = ucx;
	line->length_max = ucx->end->settings.message_bytes_max;
	if (ucx->api->ucp_ep_create(ucx->worker, &params, &line->endpoint) != UCS_OK) {
		free(line);
		return NULL;
	}
	line->next = ucx->lines;
	ucx->lines = line;
	return line;
}

bool ucx_line_uses(const struct ucx_line *line, const char *name)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	bool uses;

	if (!file)
		return false;
	line->ucx->api->ucp_ep_print_info(line->endpoint, file);
	fclose(file);
	uses = text && strstr(text, name);
	free(text);
	return uses;
}

/* A part of a frame that the library is still sending. */
struct piece {
	struct ucx_line *line;
	struct span payload;
	uint8_t bytes[];
};

static void ucx_line_sent(void *request, ucs_status_t status, void *argument)
{
	struct piece *piece = argument;
	struct ucx_line *line = piece->line;

	line->sending--;
	if (status != UCS_OK)
		line->failed = true;
	span_release(piece->payload);
	free(piece);
	line->ucx->api->ucp_request_free(request);
}

/* Sends a piece and takes ownership of it. */
static bool ucx_line_send_piece(struct piece *piece, const void *bytes, size_t length)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
		.cb.send = ucx_line_sent,
		.user_data = piece};
	struct ucx_line *line = piece->line;
	void *request = line->ucx->api->ucp_stream_send_nbx(line->endpoint, bytes, length, &param);

	line->sending++;
	if (UCS_PTR_IS_PTR(request))
		return true;
	line->sending--;
	span_release(piece->payload);
	free(piece);
	return request == NULL;
}

static struct piece *piece_new(struct ucx_line *line, struct span payload, size_t bytes)
{
	struct piece *piece = allocate(1, sizeof *piece + bytes);

	piece->line = line;
	piece->payload = payload;
	span_hold(payload);
	return piece;
}

bool ucx_line_tell(
	struct ucx_line *line, enum frame_kind kind, uint32_t credit, struct span payload)
{
	const struct frame frame = {kind, *line->session, line->next_out++, credit, payload.length};
	uint32_t together = payload.length <= TOGETHER_BYTES ? payload.length : 0;
	struct piece *piece;

	if (line->failed || line->closing)
		return false;
	line->refused = kind == FRAME_REFUSED;
	piece = piece_new(line, (struct span){0}, FRAME_HEADER_BYTES + together);
	frame_write(&frame, piece->bytes);
	if (together > 0)
		memcpy(piece->bytes + FRAME_HEADER_BYTES, payload.extent->bytes + payload.offset,
			together);
	if (!ucx_line_send_piece(piece, piece->bytes, FRAME_HEADER_BYTES + together))
		return false;
	if (together == payload.length)
		return true;
	piece = piece_new(line, payload, 0);
	return ucx_line_send_piece(piece, payload.extent->bytes + payload.offset, payload.length);
}

void ucx_line_leave(struct ucx_line *line, bool bye)
{
	if (line->over)
		return;
	line->over = true;
	line->over_ns = bye || line->refused ? world->now_ns() + GRACE_NS : 0;
}

// libmicrohttpd starts and inspects its daemons through variadic functions, which Swift cannot call. These wrappers give
// the few calls that the HTTP module needs a fixed signature.
#pragma once
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// Declared by the system only for GNU sources.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/// What libmicrohttpd complained about last, while it was starting; ignored afterwards.
struct mhd_complaint {
  int listening;
  char text[256];
};

struct mhd_settings {
  unsigned int flags;
  unsigned int connection_limit;
  size_t connection_memory;
  const char *tls_certificate;
  const char *tls_key;
  const char *tls_priorities;
  void *context;
  MHD_AccessHandlerCallback on_request;
  MHD_RequestCompletedCallback on_completed;
  MHD_NotifyConnectionCallback on_connection;
  void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
  struct mhd_complaint *complaint;
};

static inline void mhd_note(void *context, const char *format, va_list arguments) {
  struct mhd_complaint *complaint = (struct mhd_complaint *)context;
  if (complaint->listening) vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
}

/// Leaves paths and queries as they came: the HTTP module decodes them itself, and refuses what cannot be decoded.
static inline size_t mhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

/// Whether the HTTP module looks for `Host`, for spaces in a target and for what stands between the lines of a head: releases
/// before 1.0 refuse in HTML, the head of the answer twice, or say nothing; later ones read heads strictly.
static inline int mhd_is_lenient(void) { return MHD_get_version()[0] == '0'; }

/// Hides a query that was copied. Nobody asks for its items, each of which would take memory of the connection; where none was
/// left, the request was never answered.
static inline void mhd_hide_query(const char *target) {
  char *mark = (char *)strchr(target, '?');
  if (mark) mark[1] = '\0';
}

/// A daemon without threads and without a listening socket: its owner adds connections and runs it.
static inline struct MHD_Daemon *mhd_start(const struct mhd_settings *settings) {
  struct MHD_OptionItem options[] = {
      {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)&mhd_note, settings->complaint},
      {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)settings->connection_limit, NULL},
      {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL},
      {MHD_OPTION_CONNECTION_TIMEOUT, 0, NULL},
      {MHD_OPTION_STRICT_FOR_CLIENT, mhd_is_lenient() ? 0 : 1, NULL},
      {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)&mhd_keep_escapes, NULL},
      {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->on_completed, settings->context},
      {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->on_connection, settings->context},
      {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->on_target, settings->context},
      {settings->tls_key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)settings->tls_key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->tls_priorities},
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->tls_certificate},
      {MHD_OPTION_END, 0, NULL},
  };
  return MHD_start_daemon(settings->flags, 0, NULL, NULL, settings->on_request, settings->context, MHD_OPTION_ARRAY,
                          options, MHD_OPTION_END);
}

static inline unsigned int mhd_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info ? info->num_connections : 0;
}

static inline int mhd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline void *mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// Bytes from the method to the end of the empty line.
static inline size_t mhd_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

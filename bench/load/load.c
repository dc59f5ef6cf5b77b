// A load generator for HTTP/1.1 servers on this machine: keep-alive connections, one request in flight on each, no
// threads. Prints one JSON object. See --help.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "usage: load [options] PATH\n"
    "  -p PORT      on 127.0.0.1 (8787)\n"
    "  -c N         connections, one request in flight on each (64)\n"
    "  -i N         idle connections beside them (0)\n"
    "  -d SECONDS   how long, at most 120 (5)\n"
    "  -m METHOD    (GET, or POST with a body)\n"
    "  -b FILE      body; -B TEXT gives it in place. {{n}} becomes a number that no other request of the run has\n"
    "  -n N         the first such number (0)\n"
    "  -H 'A: b'    a header more; may be repeated\n"
    "prints {\"requests\",\"errors\",\"non2xx\",\"seconds\",\"requestsPerSecond\",\"latencyMs\":{\"p50\",\"p99\",\"max\"},"
    "\"bytesReceived\"}\n"
    "exit: 0 done, 1 nothing answered, 2 usage\n";

enum { digits = 12, buckets = 64 * 64, response_limit = 1 << 16 };

struct client {
  int fd;
  size_t sent, received;
  size_t body_left;  // of the answer, once its head is read
  int in_body, status;
  uint64_t began;
  char *request;
  char head[8192];
};

static struct {
  int port, connections, idle;
  double seconds;
  const char *method, *body, *path;
  size_t body_size;
  uint64_t next;
  char headers[4096];
} options = {.port = 8787, .connections = 64, .seconds = 5};

// The request, with twelve digits in the place of each {{n}}.
static char *template;
static size_t template_size, marks[4096], mark_count;
static uint64_t requests, errors, non2xx, bytes_received, slowest, histogram[buckets];
static int queue;

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void usage(const char *why) {
  fprintf(stderr, "load: %s\n%s", why, help);
  exit(2);
}

// Buckets of 1/64 of a power of two: a relative error below 1.6 %.
static void note_latency(uint64_t ns) {
  if (ns > slowest) slowest = ns;
  uint64_t us = ns / 100;  // tenths of microseconds
  int power = us < 64 ? 0 : 63 - __builtin_clzll(us) - 5;
  uint64_t bucket = (uint64_t)power * 64 + (us >> power);
  histogram[bucket < buckets ? bucket : buckets - 1]++;
}

static double percentile_ms(double share) {
  uint64_t wanted = (uint64_t)(share * (double)requests), seen = 0;
  for (uint64_t bucket = 0; bucket < buckets; bucket++) {
    seen += histogram[bucket];
    if (seen <= wanted) continue;
    uint64_t power = bucket / 64;
    uint64_t low = (bucket - power * 64) << power;
    return (double)low / 10000.0;
  }
  return (double)slowest / 1e6;
}

static void read_body(const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat facts;
  if (!file || fstat(fileno(file), &facts)) fail(path);
  char *body = malloc((size_t)facts.st_size + 1);
  options.body_size = fread(body, 1, (size_t)facts.st_size, file);
  body[options.body_size] = 0;
  options.body = body;
  fclose(file);
}

static void build_template(void) {
  size_t marks_in_body = 0;
  for (const char *at = options.body; at && (at = strstr(at, "{{n}}")); at += 5) marks_in_body++;
  if (marks_in_body > 4096) usage("more than 4096 {{n}} in the body");
  size_t length = options.body_size + marks_in_body * (digits - 5);
  template = malloc(length + 8192);
  int head = snprintf(template, 8192, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s", options.method, options.path,
                      options.port, options.headers);
  if (options.body) head += snprintf(template + head, 256, "Content-Length: %zu\r\n", length);
  head += snprintf(template + head, 8, "\r\n");
  template_size = (size_t)head;
  for (size_t at = 0; at < options.body_size;) {
    if (options.body_size - at >= 5 && !memcmp(options.body + at, "{{n}}", 5)) {
      marks[mark_count++] = template_size;
      template_size += digits;
      at += 5;
    } else {
      template[template_size++] = options.body[at++];
    }
  }
}

static void number(struct client *client) {
  for (size_t mark = 0; mark < mark_count; mark++) {
    uint64_t value = options.next++;
    for (int digit = digits - 1; digit >= 0; digit--, value /= 10)
      client->request[marks[mark] + (size_t)digit] = (char)('0' + value % 10);
  }
}

static int dial(void) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  if (fd < 0) fail("socket");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(fd, (struct sockaddr *)&place, sizeof place)) fail("connect");
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  return fd;
}

static void watch(struct client *client, int operation, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = client};
  if (epoll_ctl(queue, operation, client->fd, &event)) fail("epoll_ctl");
}

static void push(struct client *client) {
  while (client->sent < template_size) {
    ssize_t count = send(client->fd, client->request + client->sent, template_size - client->sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EAGAIN) {
      watch(client, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
      return;
    }
    if (count < 0) return;  // the read that follows tells
    client->sent += (size_t)count;
    if (client->sent == template_size && (size_t)count < template_size) watch(client, EPOLL_CTL_MOD, EPOLLIN);
  }
}

static void begin(struct client *client) {
  number(client);
  client->sent = client->received = client->body_left = 0;
  client->in_body = 0;
  client->began = now_ns();
  push(client);
}

static void reconnect(struct client *client) {
  errors++;
  close(client->fd);
  client->fd = dial();
  watch(client, EPOLL_CTL_ADD, EPOLLIN);
  begin(client);
}

// Reads the answer's head once it is whole; the bytes after it count as body.
static int read_head(struct client *client) {
  client->head[client->received] = 0;
  char *end = strstr(client->head, "\r\n\r\n");
  if (!end) return 0;
  *end = 0;
  client->status = atoi(client->head + 9);
  const char *length = strcasestr(client->head, "\r\ncontent-length:");
  size_t total = length ? strtoul(length + 17, NULL, 10) : 0;
  size_t here = client->received - (size_t)(end + 4 - client->head);
  client->in_body = 1;
  client->body_left = total > here ? total - here : 0;
  return 1;
}

static void finish(struct client *client) {
  requests++;
  if (client->status / 100 != 2) non2xx++;
  note_latency(now_ns() - client->began);
  begin(client);
}

static void pull(struct client *client) {
  static char rest[response_limit];
  char *into = client->in_body ? rest : client->head + client->received;
  size_t room = client->in_body ? sizeof rest : sizeof client->head - 1 - client->received;
  ssize_t count = room ? recv(client->fd, into, room, 0) : 0;
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return reconnect(client);
  bytes_received += (uint64_t)count;
  if (client->in_body) {
    client->body_left -= (size_t)count < client->body_left ? (size_t)count : client->body_left;
  } else {
    client->received += (size_t)count;
    if (!read_head(client)) return;
  }
  if (client->body_left == 0) finish(client);
}

static void parse(int count, char **arguments) {
  for (int option; (option = getopt(count, arguments, "p:c:i:d:m:b:B:n:H:h")) != -1;) switch (option) {
      case 'p': options.port = atoi(optarg); break;
      case 'c': options.connections = atoi(optarg); break;
      case 'i': options.idle = atoi(optarg); break;
      case 'd': options.seconds = atof(optarg); break;
      case 'm': options.method = optarg; break;
      case 'b': read_body(optarg); break;
      case 'B': options.body = optarg, options.body_size = strlen(optarg); break;
      case 'n': options.next = strtoull(optarg, NULL, 10); break;
      case 'H': {
        size_t used = strlen(options.headers);
        snprintf(options.headers + used, sizeof options.headers - used, "%s\r\n", optarg);
        break;
      }
      case 'h': fputs(help, stdout), exit(0);
      default: usage("unknown option");
    }
  if (optind != count - 1) usage("a PATH is needed");
  options.path = arguments[optind];
  if (!options.method) options.method = options.body ? "POST" : "GET";
  if (options.seconds <= 0 || options.seconds > 120) usage("-d takes more than 0 and at most 120 seconds");
  if (options.connections < 1 || options.idle < 0) usage("-c takes 1 or more, -i 0 or more");
  if (strlen(options.path) + strlen(options.method) > 3000) usage("the path is too long");
}

static void open_all(struct client *clients) {
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  queue = epoll_create1(EPOLL_CLOEXEC);
  for (int index = 0; index < options.idle; index++) dial();
  for (int index = 0; index < options.connections; index++) {
    clients[index].fd = dial();
    clients[index].request = malloc(template_size);
    memcpy(clients[index].request, template, template_size);
    watch(&clients[index], EPOLL_CTL_ADD, EPOLLIN);
  }
}

static void run(struct client *clients, uint64_t end) {
  struct epoll_event events[512];
  for (int index = 0; index < options.connections; index++) begin(&clients[index]);
  while (now_ns() < end) {
    int count = epoll_wait(queue, events, 512, 100);
    for (int index = 0; index < count; index++) {
      struct client *client = events[index].data.ptr;
      if (events[index].events & EPOLLOUT) push(client);
      if (events[index].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) pull(client);
    }
  }
}

int main(int count, char **arguments) {
  parse(count, arguments);
  build_template();
  struct client *clients = calloc((size_t)options.connections, sizeof *clients);
  open_all(clients);
  uint64_t began = now_ns();
  run(clients, began + (uint64_t)(options.seconds * 1e9));
  double seconds = (double)(now_ns() - began) / 1e9;
  printf("{\"requests\":%lu,\"errors\":%lu,\"non2xx\":%lu,\"seconds\":%.2f,\"requestsPerSecond\":%.0f,"
         "\"latencyMs\":{\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f},\"bytesReceived\":%lu}\n",
         requests, errors, non2xx, seconds, (double)requests / seconds, percentile_ms(0.5), percentile_ms(0.99),
         (double)slowest / 1e6, bytes_received);
  return requests ? 0 : 1;
}
